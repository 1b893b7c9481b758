import { useDidHide } from '@tarojs/taro'
import { useCallback, useEffect, useMemo, useReducer, useState } from 'react'
import { DEFAULT_DEBOUNCE } from '@/contract/constants'
import { cleanAnswers } from '@/contract/form/answers'
import type { Answers, FormConfig, Mode } from '@/contract/form/types'
import { progress } from '@/contract/form/validate'
import { debounce } from '@/lib/debounce'
import { drafts } from '@/session/drafts'
import { session } from '@/session/store'
import { type FormContext, type FormEvent, type FormState, labelsOf, reduceForm, restore } from './model'

/** What was found on this device when the form opened. */
function useStart(config: FormConfig, mode: Mode) {
  return useState(() => {
    // whoever opened the form owns its draft, also when the session ends while it is being filled
    const owner = session().userId
    const draft = drafts.load(owner, config.gameId, mode)
    const older = draft !== undefined && draft.schemaVersion !== config.schemaVersion
    return { owner, ...restore(config, draft), savedAt: draft?.savedAt, older }
  })[0]
}

type Start = ReturnType<typeof useStart>

/** Writes the draft 500 ms after the last change, and at once when the page is hidden or left. */
function useAutosave({ config, mode }: FormContext, answers: Answers, start: Start) {
  const [savedAt, setSavedAt] = useState(start.savedAt)
  const [saver] = useState(() => debounce((save: () => void) => save(), DEFAULT_DEBOUNCE))

  useEffect(() => {
    if (answers === start.answers) return
    saver.call(() => {
      const { gameId, name: gameName, schemaVersion } = config
      const at = Date.now()
      const labels = labelsOf(config, answers)
      const draft = { gameId, gameName, mode, schemaVersion, answers, labels, savedAt: at }
      if (Object.keys(labels).length === 0) drafts.remove(start.owner, gameId, mode)
      else drafts.save(start.owner, { ...draft, ...progress(config, answers, mode) })
      setSavedAt(Object.keys(labels).length === 0 ? undefined : at)
    })
  }, [answers, config, mode, start, saver])

  useDidHide(saver.flush)
  useEffect(() => saver.flush, [saver])

  const clear = useCallback(() => {
    saver.cancel()
    drafts.remove(start.owner, config.gameId, mode)
  }, [start, config.gameId, mode, saver])
  return { savedAt, flush: saver.flush, clear }
}

/** A form of a game: its answers, what is wrong with them, and their draft. */
export function useFill(config: FormConfig, mode: Mode) {
  const context = useMemo(() => ({ config, mode }), [config, mode])
  const start = useStart(config, mode)
  const [state, send] = useReducer((old: FormState, event: FormEvent) => reduceForm(context, old, event), {
    answers: start.answers,
    errors: {},
    warnings: {},
  })
  const draft = useAutosave(context, state.answers, start)
  return {
    state,
    send,
    draft,
    progress: progress(config, state.answers, mode),
    /** What goes to the server. */
    payload: () => cleanAnswers(config, state.answers),
    restored: { older: start.older, dropped: start.dropped },
  }
}

export type Fill = ReturnType<typeof useFill>
