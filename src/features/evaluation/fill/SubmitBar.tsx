import { View } from '@tarojs/components'
import type { FormConfig, Mode } from '@/contract/form/types'
import type { FormOffer } from '@/contract/types'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { a11y } from '@/ui/a11y'
import { copy } from '../copy'
import { firstError } from './model'
import type { FillFormState } from './useFillForm'
import type { Failure } from './useSubmit'

/** The daily free quota is used up, and there is no expired report to revalue for free. */
export const isQuotaUsed = ({ freeLeft, freeAgain }: FormOffer) => freeLeft === 0 && !freeAgain

/** First reason why the form cannot be submitted. */
function firstProblem(config: FormConfig, fill: FillFormState): string | undefined {
  const { errors } = fill.state
  const keys = Object.keys(errors)
  // the error may belong to a field that the form does not show
  const first = firstError(config, fill.state)?.key ?? keys[0]
  return first === undefined ? undefined : copy.needFix(keys.length, errors[first] ?? '')
}

/** Progress and save state of the draft. */
function progressText({ progress: { done, total }, draft: { savedAt } }: FillFormState): string {
  return `${copy.filled} ${done}/${total} · ${savedAt === undefined ? copy.autosave : copy.saved(savedAt)}`
}

interface Props {
  config: FormOffer
  mode: Mode
  fill: FillFormState
  busy: boolean
  failure: Failure | undefined
  /** switches to manual valuation; undefined where there is none */
  toManual: (() => void) | undefined
  onSubmit: () => void
}

function StatusLine({ config: { freeLeft, freeAgain, estSeconds } }: Pick<Props, 'config'>) {
  return (
    <View className='fill-free'>
      <View className='fill-free__price'>{copy.free}</View>
      <View className='fill-free__eta'>
        {freeLeft === undefined ? copy.reportIn(estSeconds) : copy.freeLeft(freeLeft, freeAgain)}
      </View>
    </View>
  )
}

/** Submit button with price, progress and the first problem. */
export function SubmitBar({ config, mode, fill, busy, failure, toManual, onSubmit }: Props) {
  const trouble = firstProblem(config, fill) ?? failure?.text
  // offer the manual service when the free quota is used up
  const instead = failure?.quota && toManual ? { text: copy.useManual, onClick: toManual } : undefined
  const go = mode === 'AI' ? copy.submit : copy.toCheckout
  return (
    <ActionBar
      note={
        trouble && !busy ? (
          <View className='fill-trouble' {...a11y('alert')}>
            {trouble}
          </View>
        ) : (
          <View {...a11y('status')}>{busy ? copy.submitLocked : progressText(fill)}</View>
        )
      }
      lead={mode === 'AI' && !instead ? <StatusLine config={config} /> : undefined}
      secondary={instead}
      primary={{
        text: busy ? copy.submitting : go,
        loading: busy,
        disabled: mode === 'AI' && isQuotaUsed(config),
        onClick: onSubmit,
      }}
    />
  )
}
