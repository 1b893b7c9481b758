import { View } from '@tarojs/components'
import { yuan } from '@/contract/format'
import type { ManualLevel } from '@/contract/labels'
import type { PrefilledForm } from '@/contract/types'
import { a11y } from '@/ui/a11y'
import { Card } from '@/ui/Card/Card'
import { cx } from '@/ui/cx'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from '../copy'

interface Props {
  /** undefined where prices may not be shown */
  prices: PrefilledForm['levelFen']
  value: ManualLevel
  onChange: (level: ManualLevel) => void
}

/** Choice of the manual service level, with prices where they may be shown. */
export function ManualLevelPicker({ prices, value, onChange }: Props) {
  return (
    <Card title={copy.level}>
      <View {...a11y('radiogroup', { label: copy.level })}>
        {copy.levels.map(({ level, title, gives }) => (
          <Pressable
            key={level}
            role='radio'
            checked={level === value}
            className={cx('fill-level', level === value && 'fill-level--on')}
            onClick={() => onChange(level)}
          >
            <View className='fill-level__head'>
              <View className='fill-level__title'>{title}</View>
              {prices ? <View className='fill-level__price'>{yuan(prices[level])}</View> : null}
            </View>
            {gives.map((line) => (
              <View key={line} className='fill-level__line'>
                {line}
              </View>
            ))}
          </Pressable>
        ))}
      </View>
    </Card>
  )
}
