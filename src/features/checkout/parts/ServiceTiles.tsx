import { View } from '@tarojs/components'
import { keysOf, type ManualLevel, manualLevelText } from '@/contract/labels'
import type { Order, PreOrder } from '@/contract/types'
import { a11y } from '@/ui/a11y'
import { cx } from '@/ui/cx'
import { Pressable } from '@/ui/Pressable/Pressable'
import { Price } from '@/ui/Price/Price'
import { copy } from '../copy'

interface Props {
  order: Order
  quote: PreOrder
  busy: boolean
  onPick: (level: ManualLevel) => void
}

/** The two services with their prices, until the order is paid; nothing for an AI report. */
export function ServiceTiles({ order: { level = 'STD' }, quote: { levels }, busy, onPick }: Props) {
  if (!levels) return null
  return (
    <View className='checkout-tiles' {...a11y('radiogroup', { label: copy.service })}>
      {keysOf(manualLevelText).map((one) => (
        <Pressable
          key={one}
          role='radio'
          checked={one === level}
          className={cx('checkout-tile', one === level && 'checkout-tile--on')}
          onClick={() => busy || one === level || onPick(one)}
        >
          <View className='checkout-tile__title'>{manualLevelText[one]}</View>
          <View className='checkout-tile__note'>{copy.serviceNote[one]}</View>
          <View className='checkout-tile__price'>
            <Price fen={levels[one]} kind='paid' size='l' />
          </View>
        </Pressable>
      ))}
    </View>
  )
}
