import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { modeTag } from '@/contract/labels'
import { lateText, supplyUntilText } from '@/contract/orderStatus'
import { momentInPastText } from '@/contract/timeText'
import type { Order } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { clipboard } from '@/platform/clipboard'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { Countdown } from '@/ui/Countdown/Countdown'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Icon } from '@/ui/Icon/Icon'
import { Pressable } from '@/ui/Pressable/Pressable'
import { Price } from '@/ui/Price/Price'
import { PriceRangeBar } from '@/ui/PriceRangeBar/PriceRangeBar'
import { Tag, type Tone } from '@/ui/Tag/Tag'
import { usePress } from '@/ui/usePress'
import { copy } from '../copy'
import { type OrderButton, type OrderHandlers, openOrder, orderButtons } from '../orderButtons'
import './OrderCard.scss'

const tones: Partial<Record<Order['status'], Tone>> = {
  WAIT_AUTH: 'blue',
  PROCESSING: 'blue',
  PAID: 'blue',
  ASSIGNED: 'blue',
  REVALUING: 'blue',
  REPORTED: 'blue',
  UNLOCKED: 'ok',
  DONE: 'ok',
  UNPAID: 'warn',
  WAIT_INFO: 'warn',
  REFUNDING: 'warn',
  INSUFFICIENT: 'warn',
  FAILED: 'bad',
}
/** Actions without which the order cannot proceed. */
const PRIMARY_ACTIONS: readonly OrderButton['action'][] = ['PAY', 'SUPPLY']

function PriceSummary({ order }: { order: Order }) {
  const { predictFen, lowFen, highFen } = order
  if (predictFen === undefined) return null
  return (
    <View className='order-card__worth'>
      <View className='order-card__sum'>
        <Price fen={predictFen} size='m' />
      </View>
      {lowFen === undefined || highFen === undefined ? null : (
        <View className='order-card__band'>
          <PriceRangeBar price={{ predictFen, lowFen, highFen }} />
        </View>
      )}
    </View>
  )
}

/** Whether a payment can be made: of an order, or one that unlocks a report and was begun. */
const isUnpaid = ({ actions }: Order): boolean => actions.includes('PAY')

/** The amount due and the time left to pay. */
function moneyLine(order: Order): ReactNode {
  const { payStatus, payFen, originFen, status, payExpireAt } = order
  if (!isUnpaid(order)) {
    if (payFen === 0 || payStatus === 'UNPAID') return undefined
    if (payStatus === 'REFUNDED') return copy.refunded(payFen)
    return payStatus === 'REFUNDING' || status === 'REFUNDING' ? copy.refunding(payFen) : copy.paid(payFen)
  }
  return (
    <>
      {copy.toPay(payFen || originFen)}
      {payExpireAt ? (
        <>
          {` · ${copy.payLeft} `}
          <Countdown until={payExpireAt} />
        </>
      ) : null}
    </>
  )
}

function StatusLines({ order, prices }: { order: Order; prices: boolean }) {
  const money = prices ? moneyLine(order) : undefined
  const waits = !order.late && ['PAID', 'ASSIGNED', 'REVALUING'].includes(order.status)
  return (
    <>
      {money ? <View className='order-card__line'>{money}</View> : null}
      {waits && order.dueAt ? <View className='order-card__line'>{copy.due(order.dueAt, serverTime())}</View> : null}
      {order.late ? (
        <View className='order-card__notice'>{`已超时，抱歉。${lateText(order, serverTime(), prices)}`}</View>
      ) : null}
      {order.notice ? <View className='order-card__notice'>{order.notice}</View> : null}
      {order.supplyUntil ? (
        <View className='order-card__line'>
          {supplyUntilText(order.supplyUntil, serverTime(), prices && order.payFen > 0)}
        </View>
      ) : null}
    </>
  )
}

interface Props {
  order: Order
  tools: OrderHandlers
}

const isPlain = (status: Order['status']): status is keyof typeof copy.plainStatus => status in copy.plainStatus

/** Label of the status, without payment wording where prices may not be shown, and without refunds of orders that cost nothing. */
function statusTextOf(order: Order, prices: boolean): string {
  const { mode, status, statusText, payFen } = order
  if (prices && mode === 'AI' && isUnpaid(order)) return copy.toUnlock
  return isPlain(status) && !(prices && (status === 'UNPAID' || payFen > 0)) ? copy.plainStatus[status] : statusText
}

/** Game, title, time, kind, state, price: the part of a card that both the list and the comparison show. */
export function OrderDetails({ order, prices }: { order: Order; prices: boolean }) {
  const { gameId, status, mode, accountName } = order
  return (
    <>
      <View className='order-card__head'>
        <GameTile gameId={gameId} size='s' />
        <View className='order-card__about'>
          <View className='order-card__title'>
            {accountName ? <View className='order-card__name'>{accountName}</View> : null}
            <View>{order.title || order.gameName}</View>
          </View>
          <View className='order-card__at'>{momentInPastText(order.createdAt, serverTime())}</View>
        </View>
        <View className='order-card__tags'>
          <View className='order-card__mode'>
            <Tag>{modeTag[mode]}</Tag>
          </View>
          <Tag tone={prices && isUnpaid(order) ? 'warn' : (tones[status] ?? 'plain')}>
            {statusTextOf(order, prices)}
          </Tag>
        </View>
      </View>
      <PriceSummary order={order} />
    </>
  )
}

/** One order with the most important of the buttons the server allows; the others are in a sheet. A long press copies its number. */
export function OrderCard({ order, tools }: Props) {
  const press = usePress(() => void clipboard.copy(order.orderNo))
  const [first, ...others] = orderButtons(order, tools)
  return (
    <Card>
      <Pressable
        className='order-card'
        touch={press.touch}
        onClick={() => press.wasLong() || openOrder(order, tools.prices)}
      >
        <OrderDetails order={order} prices={tools.prices} />
        <StatusLines order={order} prices={tools.prices} />
      </Pressable>
      {first ? (
        <View className='order-card__foot'>
          {others.length > 0 ? (
            <Pressable className='order-card__more' label={copy.more} onClick={() => tools.openSheet('more', order)}>
              <Icon name='more' />
            </Pressable>
          ) : null}
          <Button
            kind={PRIMARY_ACTIONS.includes(first.action) ? 'primary' : 'secondary'}
            size='s'
            onClick={first.onClick}
          >
            {first.text}
          </Button>
        </View>
      ) : null}
    </Card>
  )
}
