import { View } from '@tarojs/components'
import { dateTimeText } from '@/contract/format'
import type { Order } from '@/contract/types'
import { clipboard } from '@/platform/clipboard'
import { nav } from '@/router/nav'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Price } from '@/ui/Price/Price'
import { PriceBand } from '@/ui/PriceBand/PriceBand'
import { Tag, type Tone } from '@/ui/Tag/Tag'
import { usePress } from '@/ui/usePress'
import { copy } from '../copy'
import './OrderCard.scss'

const tones: Partial<Record<Order['status'], Tone>> = {
  WAIT_AUTH: 'blue',
  PROCESSING: 'blue',
  ASSIGNED: 'blue',
  REPORTED: 'blue',
  UNLOCKED: 'ok',
  DONE: 'ok',
  UNPAID: 'warn',
  WAIT_INFO: 'warn',
  INSUFFICIENT: 'warn',
  FAILED: 'bad',
}

/** The report where there is one, else the page that says how far it is. */
function open({ orderId, actions }: Order) {
  if (actions.includes('VIEW')) void nav.to('report', { orderId })
  else void nav.to('evaluationFillInInfoSuccess', { orderId })
}

function Worth({ order }: { order: Order }) {
  const { predictFen, lowFen, highFen, status } = order
  if (predictFen === undefined) {
    const running = status === 'WAIT_AUTH' || status === 'PROCESSING'
    return <View className='order-card__none'>{running ? copy.waiting : copy.noPrice}</View>
  }
  return (
    <View className='order-card__worth'>
      <Price fen={predictFen} size='m' />
      {lowFen === undefined || highFen === undefined ? null : (
        <View className='order-card__band'>
          <PriceBand price={{ predictFen, lowFen, highFen }} size='small' />
        </View>
      )}
    </View>
  )
}

/** One valuation; its buttons are the ones the server names and this app knows. A long press copies its number. */
export function OrderCard({ order }: { order: Order }) {
  const { gameId, gameName, title, mode, statusText, status, createdAt, actions } = order
  const press = usePress(() => void clipboard.copy(order.orderNo))
  return (
    <Card>
      <View className='order-card' {...press.touch} onClick={() => press.wasLong() || open(order)}>
        <View className='order-card__head'>
          <GameTile gameId={gameId} name={gameName} size='s' />
          <View className='order-card__title'>{title || gameName}</View>
          <Tag tone={tones[status] ?? 'plain'}>{statusText}</Tag>
        </View>
        <Worth order={order} />
      </View>
      <View className='order-card__foot'>
        <View className='order-card__at'>{dateTimeText(createdAt)}</View>
        {actions.includes('REVALUE') ? (
          <Button
            kind='secondary'
            size='s'
            className='order-card__btn'
            onClick={() => void nav.to('evaluationFillInInfo', { gameId, mode })}
          >
            {copy.revalue}
          </Button>
        ) : null}
        <Button kind='secondary' size='s' className='order-card__btn' onClick={() => open(order)}>
          {actions.includes('VIEW') ? copy.view : copy.progress}
        </Button>
      </View>
    </Card>
  )
}
