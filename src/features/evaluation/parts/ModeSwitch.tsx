import { View } from '@tarojs/components'
import type { Mode } from '@/contract/form/types'
import { a11y } from '@/ui/a11y'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon/Icon'
import { Tap } from '@/ui/Tap/Tap'
import { copy } from '../copy'
import './ModeSwitch.scss'

const modes: readonly Mode[] = ['AI', 'MANUAL']
const icons = { AI: 'robot', MANUAL: 'expert' } as const

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
      <View className='ev-mode__tabs' {...a11y('tablist', { label: copy.modePick })}>
        {modes.map((one) => (
          <Tap
            key={one}
            role='tab'
            selected={one === mode}
            className={cx('ev-mode__tab', one === mode && 'ev-mode__tab--on', one === 'MANUAL' && 'ev-mode__tab--pink')}
            onClick={() => onPick(one)}
          >
            <Icon name={icons[one]} />
            <View className='ev-mode__name'>{copy.modes[one]}</View>
          </Tap>
        ))}
      </View>
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
