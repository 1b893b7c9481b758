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
      {keysOf(manualLevelText).map((service) => (
        <Pressable
          key={service}
          role='radio'
          checked={service === level}
          className={cx('checkout-tile', service === level && 'checkout-tile--on')}
          onClick={() => busy || service === level || onPick(service)}
        >
          <View className='checkout-tile__title'>{manualLevelText[service]}</View>
          <View className='checkout-tile__note'>{copy.serviceNote[service]}</View>
          <View className='checkout-tile__price'>
            <Price fen={levels[service]} kind='paid' size='l' />
          </View>
        </Pressable>
      ))}
    </View>
  )
}
