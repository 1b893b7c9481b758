import { View } from '@tarojs/components'
import type { Order } from '@/contract/types'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon/Icon'
import { Pressable } from '@/ui/Pressable/Pressable'
import { type Selection, selectionIssue } from '../contrast'
import { OrderDetails } from './OrderCard'
import './SelectableOrderCard.scss'

interface Props {
  order: Order
  picked: Selection
  prices: boolean
  onToggle: () => void
}

/** An order that can be chosen for a comparison: a checkbox, or the reason why it cannot be chosen. */
export function SelectableOrderCard({ order, picked, prices, onToggle }: Props) {
  const on = picked.some(({ orderId }) => orderId === order.orderId)
  const why = selectionIssue(picked, order)
  return (
    <Pressable
      role='checkbox'
      checked={on}
      disabled={why !== undefined}
      className={cx('ui-card', 'pick-card', on && 'pick-card--on', why && 'pick-card--off')}
      onClick={onToggle}
    >
      <View className={cx('pick-card__mark', on && 'pick-card__mark--on')}>
        {on ? <Icon name='check' size='s' /> : null}
      </View>
      <View className='pick-card__body'>
        <OrderDetails order={order} prices={prices} />
        {why ? <View className='order-card__line'>{why}</View> : null}
      </View>
    </Pressable>
  )
}
