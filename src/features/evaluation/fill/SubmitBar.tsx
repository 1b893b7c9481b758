import { View } from '@tarojs/components'
import type { FormConfig, Mode } from '@/contract/form/types'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { a11y } from '@/ui/a11y'
import { copy } from '../copy'
import { firstError } from './model'
import type { Fill } from './useFill'

/** What stands in the way of submitting, in one line. */
function problem(config: FormConfig, fill: Fill): string | undefined {
  const { errors } = fill.state
  const keys = Object.keys(errors)
  // what is wrong may also stand in a field this form cannot show
  const first = firstError(config, fill.state)?.key ?? keys[0]
  return first === undefined ? undefined : copy.needFix(keys.length, errors[first] ?? '')
}

/** How far it is, and that nothing gets lost. */
function standing({ progress: { done, total }, draft: { savedAt } }: Fill): string {
  return `${copy.filled} ${done}/${total} · ${savedAt === undefined ? copy.autosave : copy.saved(savedAt)}`
}

interface Props {
  config: FormConfig
  mode: Mode
  fill: Fill
  /** free valuations left today; undefined when nobody said */
  freeLeft: number | undefined
  busy: boolean
  failure: string | undefined
  onSubmit: () => void
}

function Lead({ config, freeLeft }: Pick<Props, 'config' | 'freeLeft'>) {
  return (
    <View className='fill-free'>
      <View className='fill-free__price'>{copy.free}</View>
      <View className='fill-free__eta'>
        {freeLeft === undefined ? copy.reportIn(config.estSeconds) : copy.freeLeft(freeLeft)}
      </View>
    </View>
  )
}

/** The one button, what it costs, and what stands in its way. */
export function SubmitBar({ config, mode, fill, freeLeft, busy, failure, onSubmit }: Props) {
  const trouble = problem(config, fill) ?? failure
  const go = mode === 'AI' ? copy.submit : copy.toCheckout
  return (
    <ActionBar
      note={
        trouble && !busy ? (
          <View className='fill-trouble' {...a11y('alert')}>
            {trouble}
          </View>
        ) : (
          <View {...a11y('status')}>{busy ? copy.submitLocked : standing(fill)}</View>
        )
      }
      lead={mode === 'AI' ? <Lead config={config} freeLeft={freeLeft} /> : undefined}
      primary={{ text: busy ? copy.submitting : go, loading: busy, onClick: onSubmit }}
    />
  )
}
