import { View } from '@tarojs/components'
import { isEmpty } from '@/contract/form/answers'
import type { FormConfig, Mode } from '@/contract/form/types'
import { progress } from '@/contract/form/validate'
import type { PrefilledForm } from '@/contract/types'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { a11y } from '@/ui/a11y'
import { Icon } from '@/ui/Icon/Icon'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from '../copy'
import { firstError, nextMissing, previewAnswers } from './model'
import { PricePreview } from './PricePreview'
import type { FillFormState } from './useFillForm'
import { usePricePreview } from './usePricePreview'

/** The daily free quota is used up, and there is no expired report to revalue for free. */
export const isQuotaUsed = ({ freeLeft, freeAgain }: PrefilledForm) => freeLeft === 0 && !freeAgain

/** First reason why the form cannot be submitted. */
export function firstProblem(config: FormConfig, mode: Mode, fill: FillFormState): string | undefined {
  const { errors } = fill.state
  const keys = Object.keys(errors)
  // the error may belong to a field that the form does not show
  const first = firstError(config, fill.state, mode)?.key ?? keys[0]
  if (first === undefined) return undefined
  const textOf = keys.every((key) => isEmpty(fill.state.answers[key])) ? copy.needFill : copy.needFix
  return textOf(keys.length, errors[first] ?? '')
}

/** Progress of the required answers, then of those that only help, and save state of the draft. */
function progressText(config: FormConfig, mode: Mode, { state, draft: { isSaved } }: FillFormState): string {
  const required = progress(config, state.answers, mode, 'required')
  const part = required.done < required.total ? 'required' : 'optional'
  const { done, total } = progress(config, state.answers, mode, part)
  const counted = `${copy.counts[part]} ${done}/${total}`
  return isSaved ? `${counted} · ${copy.saved}` : counted
}

interface Props {
  config: PrefilledForm
  mode: Mode
  fill: FillFormState
  busy: boolean
  failure: string | undefined
  onSubmit: () => void
  /** scrolls to a field */
  onNext: (key: string) => void
}

/** Price range so far, and what the valuation costs. */
function PriceSoFar({ config, mode, fill }: Pick<Props, 'config' | 'mode' | 'fill'>) {
  const { freeLeft, freeAgain, estSeconds } = config
  const isOffered = mode === 'AI' && freeLeft !== 0
  const range = usePricePreview(config, isOffered ? previewAnswers(config, fill.state.answers) : undefined)
  const rest = freeLeft === undefined ? copy.reportIn(estSeconds) : copy.freeLeft(freeLeft, freeAgain)
  return <PricePreview range={range} rest={rest} />
}

/** Progress, and one tap to the next field that is missing. */
export function NextField({
  config,
  mode,
  fill,
  onNext,
}: Pick<Props, 'config' | 'mode' | 'fill'> & Partial<Pick<Props, 'onNext'>>) {
  const next = nextMissing(config, fill.state.answers, mode)
  return (
    <View className='fill-next'>
      <View className='fill-next__state' {...a11y('status')}>
        {progressText(config, mode, fill)}
      </View>
      {next && onNext ? (
        <Pressable className='fill-next__go' onClick={() => onNext(next.key)}>
          <View className='fill-next__label'>{copy.next(next.label)}</View>
          <Icon name='chevron-right' size='s' />
        </Pressable>
      ) : null}
    </View>
  )
}

/** Why the form cannot be submitted, above its button. */
export const Trouble = ({ text }: { text: string }) => (
  <View className='fill-trouble' {...a11y('alert')}>
    {text}
  </View>
)

/** Submit button with price, progress and the first problem. */
export function SubmitBar({ config, mode, fill, busy, failure, onSubmit, onNext }: Props) {
  const trouble = firstProblem(config, mode, fill) ?? failure
  return (
    <ActionBar
      note={trouble && !busy ? <Trouble text={trouble} /> : <NextField {...{ config, mode, fill, onNext }} />}
      lead={<PriceSoFar {...{ config, mode, fill }} />}
      primary={{
        text: busy ? copy.submitting : copy.submit,
        loading: busy,
        disabled: isQuotaUsed(config),
        onClick: onSubmit,
      }}
    />
  )
}
