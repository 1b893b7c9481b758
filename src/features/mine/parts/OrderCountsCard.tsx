import { View } from '@tarojs/components'
import type { orderTabText } from '@/contract/orderStatus'
import type { Res } from '@/contract/types'
import { nav } from '@/router/nav'
import { Card } from '@/ui/Card/Card'
import { Icon } from '@/ui/Icon/Icon'
import type { IconName } from '@/ui/Icon/names'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from '../copy'
import './OrderCountsCard.scss'

type OrderCounts = Res<'pay', 'orderCount'>

const items: readonly { key: keyof OrderCounts; icon: IconName; tab: keyof typeof orderTabText }[] = [
  { key: 'unpaid', icon: 'ticket', tab: 'ING' },
  { key: 'ing', icon: 'clock', tab: 'ING' },
  { key: 'done', icon: 'check-circle', tab: 'DONE' },
  { key: 'refund', icon: 'refresh', tab: 'REFUND' },
]

/** Links to the orders by status; the counts are shown once they have loaded. */
export function OrderCountsCard({ counts, prices }: { counts: OrderCounts | undefined; prices: boolean }) {
  const names = prices ? copy.counts : { ...copy.counts, ...copy.plainCounts }
  return (
    <Card
      title={copy.orders}
      extra={
        <Pressable className='ui-card__link' role='link' onClick={() => void nav.to('mineEvaluationRecords')}>
          {copy.allOrders}
          <Icon name='chevron-right' size='s' />
        </Pressable>
      }
    >
      <View className='mine-counts'>
        {items.map(({ key, icon, tab }) => {
          const n = counts?.[key] ?? 0
          return (
            <Pressable key={key} className='mine-count' onClick={() => void nav.to('mineEvaluationRecords', { tab })}>
              <View className='mine-count__icon'>
                <Icon name={icon} size='l' />
                {n > 0 ? <View className='mine-count__n'>{n > 99 ? '99+' : n}</View> : null}
              </View>
              <View className='mine-count__name'>{names[key]}</View>
            </Pressable>
          )
        })}
      </View>
    </Card>
  )
}
