import { View } from '@tarojs/components'
import type { Mode } from '@/contract/form/types'
import { cx } from '@/ui/cx'
import { type Segment, Segmented } from '@/ui/Segmented/Segmented'
import { copy } from '../copy'
import './ModeSwitch.scss'

const modes: readonly Mode[] = ['AI', 'MANUAL']
const segments: readonly Segment<Mode>[] = [
  { v: 'AI', text: copy.modes.AI, icon: 'robot' },
  { v: 'MANUAL', text: copy.modes.MANUAL, icon: 'expert', pink: true },
]

interface Props {
  mode: Mode
  onPick: (mode: Mode) => void
  /** whether prices may be shown here (product 4.1) */
  prices: boolean
}

/** Which way to value, and how the two differ. */
export function ModeSwitch({ mode, onPick, prices }: Props) {
  return (
    <View className='ev-mode'>
      <Segmented label={copy.modePick} segments={segments} value={mode} onChange={onPick} />
      <View className='ev-mode__table'>
        {copy.compare
          .filter((row) => prices || row.label !== copy.compare[0].label)
          .map((row) => (
            <View key={row.label} className='ev-mode__row'>
              <View className='ev-mode__label'>{row.label}</View>
              {modes.map((one) => (
                <View key={one} className={cx('ev-mode__cell', one === mode && 'ev-mode__cell--on')}>
                  {row[one]}
                </View>
              ))}
            </View>
          ))}
      </View>
    </View>
  )
}
