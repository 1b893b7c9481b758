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
      savedAt: draft?.savedAt,
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
  const [savedAt, setSavedAt] = useState(start.savedAt)
  // a stored draft newer than this was written by another tab
  const storedAt = useRef(start.savedAt ?? 0)
  const [conflict, setConflict] = useState(false)
  const write = useRef(() => undefined as unknown)
  write.current = () => {
    const { gameId, name: gameName, schemaVersion } = config
    const { owner, requestId } = start
    const stored = drafts.load(owner, gameId, mode)
    if (stored && stored.savedAt > storedAt.current) return setConflict(true)
    const { state, ...kept } = newest.current
    const { answers, filled } = state
    const at = Date.now()
    const labels = labelsOf(config, answers)
    const empty = Object.keys(labels).length === 0
    const draft = { gameId, gameName, mode, schemaVersion, answers, labels, filled, requestId, ...kept, savedAt: at }
    if (empty) drafts.remove(owner, gameId, mode)
    else drafts.save(owner, { ...draft, ...progress(config, answers, mode) })
    storedAt.current = at
    setSavedAt(empty ? undefined : at)
  }
  const [saver] = useState(() => debounce(() => write.current(), DEFAULT_DEBOUNCE))
  useDidHide(saver.flush)
  useEffect(() => onPageHide(saver.flush), [saver])
  useEffect(() => saver.flush, [saver])

  const clear = useCallback(() => {
    saver.cancel()
    drafts.remove(start.owner, config.gameId, mode)
  }, [start, config.gameId, mode, saver])
  const keepMine = useCallback(() => {
    storedAt.current = Number.POSITIVE_INFINITY
    setConflict(false)
    write.current()
  }, [])
  const unstored = drafts.isUnstored(start.owner, config.gameId, mode)
  return { savedAt, unstored, conflict, keepMine, changed: saver.call, flush: saver.flush, clear }
}

/**
 * Answers and draft. Events are applied synchronously, before rendering, because the host may end the
 * page.
 */
function useSavedForm(config: FormConfig, mode: Mode, start: InitialForm) {
  const context = useMemo(() => ({ config, mode }), [config, mode])
  const [state, draw] = useState<FormState>({
    answers: start.answers,
    filled: start.filled,
    errors: {},
    warnings: {},
  })
  const { taskId, shots, listing } = start
  const newest = useRef<LatestForm>({ state, taskId, shots, listing })
  const draft = useAutosave(context, start, newest)
  const { changed, flush } = draft
  const send = useCallback(
    (event: FormEvent) => {
      const { state: before } = newest.current
      const after = reduceForm(context, before, event)
      newest.current.state = after
      draw(after)
      if (after.answers !== before.answers || after.filled !== before.filled) changed()
      if (completesAnswer(context.config, event)) flush()
    },
    [context, changed, flush],
  )
  return { state, send, draft, newest }
}

/** Form state of a game: answers, errors and draft. */
export function useFillForm(config: FormConfig, mode: Mode) {
  const start = useRestoredForm(config, mode)
  const { state, send, draft, newest } = useSavedForm(config, mode, start)
  const [taskId, setTaskId] = useState(start.taskId)
  const [listing, showListing] = useState(start.listing)
  const isBlank = Object.values(state.answers).every(isEmpty)
  const { changed } = draft
  const setListing = useCallback(
    (next: DraftListing | undefined) => {
      newest.current.listing = next
      changed()
      showListing(next)
    },
    [newest, changed],
  )
  /** Fills empty fields with what was read from screenshots. */
  const fillRead = (answers: Answers) => send({ type: 'filled', answers, from: 'SCREENSHOT' })
  const keepShots = (begun: DraftShots) => {
    newest.current.shots = begun
    changed()
  }
  const shots = useScreenshots(config.gameId, start.shots, keepShots, fillRead)
  // what is typed into a cleared form may be another account
  useEffect(() => {
    if (isBlank && listing) setListing(undefined)
  }, [isBlank, listing, setListing])
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
    clearTask() {
      newest.current.taskId = undefined
      draft.changed()
      setTaskId(undefined)
    },
    shots,
    fillRead,
    listing,
    /** the price of the pasted listing as part of a request */
    ownPrice: listing && { listing: { askFen: listing.askFen, ...(listing.agreed && { consent: true as const }) } },
    /** Keeps the price of the pasted listing, and whether it may be used. */
    setListing,
    /** Copies the answers to the draft of a manual valuation. */
    carryToManual() {
      draft.flush()
      carryToManualDraft(start.owner, config.gameId)
    },
  }
}

export type FillFormState = ReturnType<typeof useFillForm>
