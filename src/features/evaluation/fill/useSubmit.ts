import { useEffect, useRef, useState } from 'react'
import { ApiError, api } from '@/api'
import type { ErrorCode } from '@/contract/errors'
import type { Answers, FormConfig, Mode } from '@/contract/form/types'
import { networkCode } from '@/platform/transport/port'
import { nav } from '@/router/nav'
import { useDidReturn } from '@/router/useDidReturn'
import { copy } from '../copy'
import type { FillFormState } from './useFillForm'

/** time for the next page to appear before the form is unlocked again */
const NAVIGATION_TIMEOUT_MS = 5000

/** Errors that the form shows at the field or above the button. */
const inlineMessages = {
  VALIDATION_FAILED: copy.submitRefused,
  FORM_CHANGED: copy.formUpdated,
  FREE_QUOTA_USED: copy.quotaUsed,
  GAME_OFFLINE: copy.offline,
  MODEL_PENDING: copy.modelPending,
  SAMPLE_INSUFFICIENT: copy.insufficient,
  NOT_OPEN_YET: copy.closed,
  AUTH_TASK_EXPIRED: copy.taskOver,
  REALNAME_REQUIRED: copy.realNameFirst,
  MINOR_NOT_ALLOWED: copy.minor,
} as const satisfies Partial<Record<ErrorCode, string>>

/** without a network too the form stays in view: the overlay that retries on tap would hide what was typed */
const quiet = [...(Object.keys(inlineMessages) as (keyof typeof inlineMessages)[]), networkCode.failure]

/** Why submitting failed, in one sentence. */
function failureOf(e: ApiError, unstored: boolean): Failure {
  const text = inlineMessages[e.code as keyof typeof inlineMessages]
  if (text !== undefined) return { text, quota: e.code === 'FREE_QUOTA_USED', realName: e.code === 'REALNAME_REQUIRED' }
  if (e.kind === 'network') return { text: copy.submitFailed(unstored), retry: true }
  const away = e.status !== undefined && e.status >= 500
  return away ? { text: copy.serverAway(unstored), retry: true } : { text: e.detail }
}

/** All uploaded pictures of a form; the manual service also takes them as a separate list. */
const picturesOf = ({ fields }: FormConfig, answers: Answers) =>
  fields.filter(({ type }) => type === 'image').flatMap(({ key }) => (answers[key] as string[] | undefined) ?? [])

/** The page after submitting. */
const nextPage = { AI: 'evaluationFillInInfoSuccess', MANUAL: 'humanCheckout' } as const

/** Submits the answers and opens the next page. */
async function submitTo(
  config: FormConfig,
  mode: Mode,
  remark: string | undefined,
  { payload, requestId, taskId, ownPrice }: FillFormState,
) {
  const { gameId, schemaVersion } = config
  const answers = payload()
  const form = { gameId, schemaVersion, answers, ...ownPrice }
  if (mode === 'AI') {
    const source = taskId ? 'AUTH' : 'TYPED'
    const req = { ...form, source, requestId, ...(taskId && { taskId }) } as const
    const { orderId } = await api.evaluation.submitAi(req, { quiet })
    return () => nav.redirect(nextPage.AI, { orderId })
  }
  // the service is chosen at the checkout
  const req = { ...form, level: 'STD' as const, images: picturesOf(config, answers), ...(remark && { remark }) }
  const { orderId } = await api.evaluation.submitManual(req, { quiet })
  return () => nav.redirect(nextPage.MANUAL, { orderId })
}

/**
 * Why submitting failed; `quota`: the daily free quota is used up; `realName`: the user is not verified; `retry`: the same
 * may succeed a moment later.
 */
export interface Failure {
  text: string
  quota?: boolean
  realName?: boolean
  retry?: boolean
}

interface Options {
  config: FormConfig
  mode: Mode
  /** manual: goes to the appraiser with the answers */
  remark: string | undefined
  fill: FillFormState
  /** The server has a newer form. */
  onFormChanged: () => void
}

/** Submits once per tap. The draft is kept until the server has accepted the answers. */
export function useSubmit({ config, mode, remark, fill, onFormChanged }: Options) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const locked = useRef(false)
  // set once the server has accepted the answers: the button then only navigates and never submits again
  const goOn = useRef<(() => Promise<void>) | undefined>(undefined)

  const unlocking = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(unlocking.current), [])

  // the cause may have been resolved on the other page, so the old error no longer applies
  useDidReturn(() => setFailure(undefined))

  function unlock() {
    locked.current = false
    setBusy(false)
  }

  function failed(e: unknown) {
    if (!(e instanceof ApiError)) throw e
    if (e.kind === 'abort' || e.behaviour === 'relogin') return
    if (e.fields?.length) fill.send({ type: 'refused', fields: e.fields })
    setFailure(failureOf(e, fill.draft.unstored))
    if (e.code === 'FORM_CHANGED') onFormChanged()
    if (e.code === 'AUTH_TASK_EXPIRED') fill.clearTask()
  }

  async function submit() {
    if (locked.current) return
    locked.current = true
    clearTimeout(unlocking.current)
    setBusy(true)
    setFailure(undefined)
    fill.draft.flush()
    // load the next page's code first, otherwise an error page would replace the form
    if (!(await nav.prepare(nextPage[mode]))) {
      unlock()
      return setFailure({ text: copy.submitFailed(fill.draft.unstored), retry: true })
    }
    try {
      goOn.current ??= await submitTo(config, mode, remark, fill)
      fill.draft.clear()
      await goOn.current()
      // unlock the button if the next page never appears
      unlocking.current = setTimeout(unlock, NAVIGATION_TIMEOUT_MS)
    } catch (e) {
      unlock()
      failed(e)
    }
  }

  return { submit, busy, failure }
}
