import { useDidHide } from '@tarojs/taro'
import { type MutableRefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { DEFAULT_DEBOUNCE } from '@/contract/constants'
import { cleanAnswers, isEmpty } from '@/contract/form/answers'
import type { Answers, FormConfig, Mode } from '@/contract/form/types'
import { progress } from '@/contract/form/validate'
import { debounce } from '@/lib/debounce'
import { uuid } from '@/lib/id'
import { onPageHide } from '@/platform/pageHide'
import { type DraftListing, type DraftShots, drafts, UNKNOWN_SCHEMA_VERSION } from '@/session/drafts'
import { carryToManualDraft } from '@/session/draftTransfers'
import { session } from '@/session/store'
import { useScreenshots } from '../screenshots/useScreenshots'
import {
  completesAnswer,
  type FormContext,
  type FormEvent,
  type FormState,
  labelsOf,
  reduceForm,
  restoreForm,
} from './model'

/** Draft found on this device when the form was opened. */
function useRestoredForm(config: FormConfig, mode: Mode) {
  return useState(() => {
    // the draft belongs to the user who opened the form, even if the session ends meanwhile
    const owner = session().userId
    const draft = drafts.load(owner, config.gameId, mode)
    const version = draft?.schemaVersion ?? UNKNOWN_SCHEMA_VERSION
    return {
      owner,
      ...restoreForm(config, draft),
      isSaved: draft !== undefined,
      older: version !== UNKNOWN_SCHEMA_VERSION && version !== config.schemaVersion,
      requestId: draft?.requestId ?? uuid(),
      taskId: draft?.taskId,
      shots: draft?.shots,
      listing: draft?.listing,
    }
  })[0]
}

type InitialForm = ReturnType<typeof useRestoredForm>

/** Current values for saving, which may be newer than the last render. */
interface LatestForm {
  state: FormState
  taskId: string | undefined
  shots: DraftShots | undefined
  listing: DraftListing | undefined
}

/** Writes `newest` 500 ms after the last keystroke, and at once when asked to or when the page may go. */
function useAutosave({ config, mode }: FormContext, start: InitialForm, newest: MutableRefObject<LatestForm>) {
  const [isSaved, setSaved] = useState(start.isSaved)
  const write = useRef(() => undefined as unknown)
  write.current = () => {
    const { gameId, name: gameName, schemaVersion } = config
    const { owner, requestId } = start
    const { state, ...kept } = newest.current
    const { answers, filled } = state
    const labels = labelsOf(config, answers)
    const empty = Object.keys(labels).length === 0
    const form = { gameId, gameName, mode, schemaVersion, answers, labels, filled }
    const draft = { ...form, requestId, ...kept, savedAt: Date.now() }
    if (empty) drafts.remove(owner, gameId, mode)
    setSaved(!empty && drafts.save(owner, { ...draft, ...progress(config, answers, mode) }))
  }
  const [saver] = useState(() => debounce(() => write.current(), DEFAULT_DEBOUNCE))
  useDidHide(saver.flush)
  useEffect(() => onPageHide(saver.flush), [saver])
  useEffect(() => saver.flush, [saver])

  const clear = useCallback(() => {
    saver.cancel()
    drafts.remove(start.owner, config.gameId, mode)
  }, [start, config.gameId, mode, saver])
  return { isSaved, changed: saver.call, flush: saver.flush, clear }
}

/** Answers and draft. Events are applied synchronously, before rendering, because the host may end the page. */
function useSavedForm(config: FormConfig, mode: Mode, start: InitialForm) {
  const context = useMemo(() => ({ config, mode }), [config, mode])
  const [form, draw] = useState<LatestForm>({
    state: { answers: start.answers, filled: start.filled, errors: {}, warnings: {} },
    taskId: start.taskId,
    shots: start.shots,
    listing: start.listing,
  })
  const newest = useRef(form)
  const draft = useAutosave(context, start, newest)
  const { changed, flush } = draft
  const set = useCallback(
    (part: Partial<LatestForm>) => {
      newest.current = { ...newest.current, ...part }
      draw(newest.current)
      changed()
    },
    [changed],
  )
  const send = useCallback(
    (event: FormEvent) => {
      set({ state: reduceForm(context, newest.current.state, event) })
      if (completesAnswer(context.config, event)) flush()
    },
    [context, set, flush],
  )
  return { ...form, send, set, draft }
}

/** Form state of a game: answers, errors and draft. */
export function useFillForm(config: FormConfig, mode: Mode) {
  const start = useRestoredForm(config, mode)
  const { state, taskId, listing, send, set, draft } = useSavedForm(config, mode, start)
  /** Fills empty fields with what was read from screenshots. */
  const fillRead = (answers: Answers) => send({ type: 'filled', answers, from: 'SCREENSHOT' })
  const shots = useScreenshots(config.gameId, start.shots, (begun) => set({ shots: begun }), fillRead)
  const isBlank = Object.values(state.answers).every(isEmpty)
  // what is typed into a cleared form may be another account
  useEffect(() => {
    if (isBlank && listing) set({ listing: undefined })
  }, [isBlank, listing, set])
  return {
    state,
    /** nothing is answered */
    isBlank,
    send,
    draft,
    progress: progress(config, state.answers, mode),
    /** Answers to submit. */
    payload: () => cleanAnswers(config, state.answers),
    restored: { older: start.older, dropped: start.dropped },
    requestId: start.requestId,
    taskId,
    /** Drops the collection; its answers count as typed from now on. */
    clearTask: () => set({ taskId: undefined }),
    shots,
    fillRead,
    listing,
    /** the price of the pasted listing as part of a request */
    ownPrice: listing && { listing: { askFen: listing.askFen, ...(listing.agreed && { consent: true as const }) } },
    /** Keeps the price of the pasted listing, and whether it may be used. */
    setListing: (next: DraftListing | undefined) => set({ listing: next }),
    /** Copies the answers to the draft of a manual valuation. */
    carryToManual() {
      draft.flush()
      carryToManualDraft(start.owner, config.gameId)
    },
  }
}

export type FillFormState = ReturnType<typeof useFillForm>
