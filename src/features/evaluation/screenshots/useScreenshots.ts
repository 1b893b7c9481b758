import { useEffect, useRef, useState } from 'react'
import { api } from '@/api'
import { useAction } from '@/api/useAction'
import type { Answers } from '@/contract/form/types'
import type { ReadAnswers, ScreenshotTask } from '@/contract/types'
import { usePageSignal } from '@/router/pageContext'
import type { DraftShots } from '@/session/drafts'
import { copy } from './copy'

/** ms between two looks at a task */
const POLL = 700
/** looks before the task counts as stuck: more than a minute */
const LOOKS = 120

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** The answers that need no confirmation. */
const sureAnswers = ({ answers, ask }: ReadAnswers): Answers =>
  Object.fromEntries(Object.entries(answers).filter(([key]) => !ask.includes(key)))

/** Number of pictures that have been read, as far as their answers tell. */
const picturesRead = ({ sources }: ScreenshotTask) => new Set(sources.map(({ key }) => key)).size

/**
 * Screenshots of a form and what was read from them.
 * @param begun reading of a form that is opened again, which shows where its answers stand as long as the server keeps it
 * @param onBegin a reading that the draft keeps
 * @param onFill answers of a finished reading that need no confirmation
 */
export function useScreenshots(
  gameId: string,
  begun: DraftShots | undefined,
  onBegin: (shots: DraftShots) => void,
  onFill: (answers: Answers) => void,
) {
  const [open, setOpen] = useState(false)
  const [keys, setKeys] = useState<readonly string[]>(begun?.keys ?? [])
  const [read, setRead] = useState<ReadAnswers>()
  const [done, setDone] = useState(0)
  const [shown, show] = useState<string>()
  const lastRead = useRef(begun?.keys.join() ?? '')
  const { busy, failure, run } = useAction()
  const signal = usePageSignal()

  async function follow(taskId: string, isNew: boolean) {
    for (let look = 0; look < LOOKS && !signal.aborted; look++) {
      const task = await api.screenshot.get({ taskId }, { quiet: true, signal })
      if (task.status === 'DONE' || task.status === 'FAILED') {
        setRead(task)
        // what a form had been given before may have been cleared since
        if (isNew || look > 0) onFill(sureAnswers(task))
        if (Object.keys(task.answers).length > 0) setOpen(false)
        return
      }
      setDone(picturesRead(task))
      await pause(POLL)
    }
    if (!signal.aborted) setRead({ answers: {}, sources: [], ask: [], note: copy.failed })
  }

  const resume = useRef(begun && (() => follow(begun.taskId, false).catch(() => undefined)))
  useEffect(() => void resume.current?.(), [])

  const start = (all: readonly string[]) =>
    run(
      async () => {
        lastRead.current = all.join()
        setKeys(all)
        setDone(0)
        const { taskId } = await api.screenshot.create({ gameId, keys: [...all] }, { quiet: true, signal })
        onBegin({ taskId, keys: [...all] })
        await follow(taskId, true)
      },
      (e) => (e.kind === 'business' ? e.msg : copy.failed),
    )
  return {
    ...{ keys, setKeys, read, done, busy, failure, start },
    /** Whether these pictures have not been read yet. */
    isUnread: (all: readonly string[]) => all.length > 0 && all.join() !== lastRead.current && !busy,
    /** whether pictures are being chosen */
    ...{ open, setOpen },
    /** field whose piece of picture is shown */
    ...{ shown, show },
  }
}

export type Screenshots = ReturnType<typeof useScreenshots>

/** Reads pictures once all are uploaded, and again when there are others. */
export function useReading({ isUnread, start }: Screenshots, keys: readonly string[], isUploading: boolean) {
  useEffect(() => {
    if (!isUploading && isUnread(keys)) void start(keys)
  })
}
