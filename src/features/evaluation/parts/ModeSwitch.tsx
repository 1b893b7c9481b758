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
  /** free AI valuations per user and day */
  freePerDay: number | undefined
  /** fen: lowest price of the manual service; undefined where prices are hidden */
  fromFen: number | undefined
}

/** Choice of AI or manual valuation with a comparison. */
export function ModeSwitch({ mode, onPick, freePerDay, fromFen }: Props) {
  const rows = [...(fromFen === undefined ? [] : [copy.comparePrice(freePerDay, fromFen)]), ...copy.compare]
  return (
    <View className='ev-mode'>
      <Segmented label={copy.modePick} segments={segments} value={mode} onChange={onPick} />
      <View className='ev-mode__table'>
        {rows.map((row) => (
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
