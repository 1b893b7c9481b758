import { useState } from 'react'
import { api } from '@/api'
import { useAction } from '@/api/useAction'
import type { Answers } from '@/contract/form/types'
import type { ReadAnswers, ScreenshotTask } from '@/contract/types'
import { usePageSignal } from '@/router/pageContext'
import { copy } from './copy'

/** ms between two looks at a task */
const POLL = 700
/** looks before the task counts as stuck: more than a minute */
const LOOKS = 120

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** The answers that need no confirmation. */
export const sureAnswers = ({ answers, ask }: ReadAnswers): Answers =>
  Object.fromEntries(Object.entries(answers).filter(([key]) => !ask.includes(key)))

/** Number of pictures that have been read, as far as their answers tell. */
const picturesRead = ({ sources }: ScreenshotTask) => new Set(sources.map(({ key }) => key)).size

/**
 * Screenshots of a form and what was read from them. Reading begins when all pictures are uploaded, and again when more
 * are added.
 * @param onRead the answers of a finished reading
 */
export function useScreenshots(gameId: string, onRead: (read: ReadAnswers) => void) {
  const [keys, setKeys] = useState<readonly string[]>([])
  const [read, setRead] = useState<ReadAnswers>()
  const [done, setDone] = useState(0)
  const { busy, failure, run } = useAction()
  const signal = usePageSignal()

  async function finished(taskId: string): Promise<ScreenshotTask | undefined> {
    for (let look = 0; look < LOOKS && !signal.aborted; look++) {
      const task = await api.screenshot.get({ taskId }, { quiet: true, signal })
      if (task.status === 'DONE' || task.status === 'FAILED') return task
      setDone(picturesRead(task))
      await pause(POLL)
    }
    return undefined
  }

  const start = () =>
    run(
      async () => {
        setDone(0)
        const { taskId } = await api.screenshot.create({ gameId, keys: [...keys] }, { quiet: true, signal })
        const task = await finished(taskId)
        if (signal.aborted) return
        setRead(task ?? { answers: {}, sources: [], ask: [], note: copy.failed })
        if (task) onRead(task)
      },
      (e) => (e.kind === 'business' ? e.msg : copy.failed),
    )
  return { keys, setKeys, read, done, busy, failure, start }
}

export type Screenshots = ReturnType<typeof useScreenshots>
