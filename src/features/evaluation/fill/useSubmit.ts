import { type ApiError, api } from '@/api'
import { useAction } from '@/api/useAction'
import type { ErrorCode } from '@/contract/errors'
import type { Answers, FormConfig, Mode } from '@/contract/form/types'
import { networkCode } from '@/platform/transport/port'
import { nav } from '@/router/nav'
import { useDidReturn } from '@/router/useDidReturn'
import { copy } from '../copy'
import { fieldKeyOf } from './model'
import type { FillFormState } from './useFillForm'

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

/** All uploaded pictures of a form; the manual service also takes them as a separate list. */
const picturesOf = ({ fields }: FormConfig, answers: Answers) =>
  fields.filter(({ type }) => type === 'image').flatMap(({ key }) => (answers[key] as string[] | undefined) ?? [])

interface Options {
  config: FormConfig
  mode: Mode
  fill: FillFormState
  /** brings a refused field into view */
  show: (key: string) => void
  /** manual: goes to the appraiser with the answers */
  remark: string | undefined
  /** The server has a newer form, or no free valuation is left. */
  onFormChanged: () => void
}

/** Submits the answers. @returns opens the next page */
async function submitTo({ config, mode, fill, remark }: Options) {
  const { gameId, schemaVersion } = config
  const { payload, requestId, taskId, ownPrice } = fill
  const answers = payload()
  const form = { gameId, schemaVersion, answers, ...ownPrice }
  if (mode === 'AI') {
    const source = taskId ? 'AUTH' : 'TYPED'
    const req = { ...form, source, requestId, ...(taskId && { taskId }) } as const
    const { orderId } = await api.evaluation.submitAi(req, { quiet })
    return () => nav.redirect('evaluationFillInInfoSuccess', { orderId })
  }
  // the service is chosen at the checkout
  const req = { ...form, level: 'STD' as const, images: picturesOf(config, answers), ...(remark && { remark }) }
  const { orderId } = await api.evaluation.submitManual(req, { quiet })
  return () => nav.redirect('humanCheckout', { orderId })
}

/** Submits once per tap. The draft is kept until the server has accepted the answers. */
export function useSubmit(options: Options) {
  const { fill, show, onFormChanged } = options
  const { busy, failure, setFailure, run } = useAction()
  // the cause may have been resolved on the other page, so the old error no longer applies
  useDidReturn(() => setFailure(undefined))

  function failureText(e: ApiError): string | undefined {
    if (e.kind === 'abort' || e.behaviour === 'relogin') return undefined
    const [first] = e.fields ?? []
    if (e.fields && first) {
      fill.send({ type: 'refused', fields: e.fields })
      show(fieldKeyOf(first.path))
    }
    if (e.code === 'FORM_CHANGED' || e.code === 'FREE_QUOTA_USED') onFormChanged()
    if (e.code === 'AUTH_TASK_EXPIRED') fill.clearTask()
    const away = e.kind === 'network' || (e.status ?? 0) >= 500
    return inlineMessages[e.code as keyof typeof inlineMessages] ?? (away ? copy.submitFailed : e.detail)
  }

  const submit = () =>
    run(async () => {
      fill.draft.flush()
      const goOn = await submitTo(options)
      fill.draft.clear()
      await goOn()
    }, failureText)
  return { submit, busy, failure }
}
