import { useDidHide } from '@tarojs/taro'
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { DEFAULT_DEBOUNCE } from '@/contract/constants'
import { cleanAnswers } from '@/contract/form/answers'
import type { FormConfig, Mode } from '@/contract/form/types'
import { progress } from '@/contract/form/validate'
import { debounce } from '@/lib/debounce'
import { uuid } from '@/lib/id'
import { drafts, NO_VERSION } from '@/session/drafts'
import { session } from '@/session/store'
import { type FormContext, type FormEvent, type FormState, labelsOf, reduceForm, restore, settles } from './model'

/** What was found on this device when the form opened. */
function useStart(config: FormConfig, mode: Mode) {
  return useState(() => {
    // whoever opened the form owns its draft, also when the session ends while it is being filled
    const owner = session().userId
    const draft = drafts.load(owner, config.gameId, mode)
    const version = draft?.schemaVersion ?? NO_VERSION
    return {
      owner,
      ...restore(config, draft),
      savedAt: draft?.savedAt,
      older: version !== NO_VERSION && version !== config.schemaVersion,
      requestId: draft?.requestId ?? uuid(),
      taskId: draft?.taskId,
    }
  })[0]
}

type Start = ReturnType<typeof useStart>

/** Writes the draft 500 ms after the last change; at once after a choice, on leaving a field and on leaving the page. */
function useAutosave({ config, mode }: FormContext, { answers, filled }: FormState, start: Start, taskId?: string) {
  const [savedAt, setSavedAt] = useState(start.savedAt)
  const [saver] = useState(() => debounce((save: () => void) => save(), DEFAULT_DEBOUNCE))
  // set when what just happened will not be followed by another keystroke
  const settled = useRef(false)

  useEffect(() => {
    if (answers === start.answers) return
    saver.call(() => {
      const { gameId, name: gameName, schemaVersion } = config
      const { owner, requestId } = start
      const at = Date.now()
      const labels = labelsOf(config, answers)
      const empty = Object.keys(labels).length === 0
      const draft = { gameId, gameName, mode, schemaVersion, answers, labels, filled, requestId, taskId, savedAt: at }
      if (empty) drafts.remove(owner, gameId, mode)
      else drafts.save(owner, { ...draft, ...progress(config, answers, mode) })
      setSavedAt(empty ? undefined : at)
    })
    if (settled.current) saver.flush()
    settled.current = false
  }, [answers, filled, config, mode, start, taskId, saver])

  useDidHide(saver.flush)
  useEffect(() => saver.flush, [saver])

  const clear = useCallback(() => {
    saver.cancel()
    drafts.remove(start.owner, config.gameId, mode)
  }, [start, config.gameId, mode, saver])
  return { savedAt, flush: saver.flush, clear, settled }
}

/** A form of a game: its answers, what is wrong with them, and their draft. */
export function useFill(config: FormConfig, mode: Mode) {
  const context = useMemo(() => ({ config, mode }), [config, mode])
  const start = useStart(config, mode)
  const [state, dispatch] = useReducer((old: FormState, event: FormEvent) => reduceForm(context, old, event), {
    answers: start.answers,
    filled: start.filled,
    errors: {},
    warnings: {},
  })
  const [taskId, setTaskId] = useState(start.taskId)
  const draft = useAutosave(context, state, start, taskId)
  const { flush, settled } = draft
  const send = useCallback(
    (event: FormEvent) => {
      if (event.type === 'left') flush()
      settled.current ||= settles(config, event)
      dispatch(event)
    },
    [config, flush, settled],
  )
  return {
    state,
    send,
    draft,
    progress: progress(config, state.answers, mode),
    /** What goes to the server. */
    payload: () => cleanAnswers(config, state.answers),
    restored: { older: start.older, dropped: start.dropped },
    requestId: start.requestId,
    taskId,
    /** The authorised read is over: what it filled counts as typed. */
    forgetTask: () => setTaskId(undefined),
  }
}

export type Fill = ReturnType<typeof useFill>
