import { View } from '@tarojs/components'
import { useState } from 'react'
import { useCall } from '@/api/useCall'
import { usePayStatus } from '@/api/usePayStatus'
import { manualLevelText, modeText } from '@/contract/labels'
import { isFreeRevaluation, orderActionText } from '@/contract/orderStatus'
import { momentInPastText } from '@/contract/timeText'
import type { Order } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { nav } from '@/router/nav'
import { appState } from '@/session/store'
import { Button } from '@/ui/Button/Button'
import { Cell } from '@/ui/Cell/Cell'
import { CopyCell } from '@/ui/Cell/CopyCell'
import { Sheet } from '@/ui/Sheet/Sheet'
import { Steps } from '@/ui/Steps/Steps'
import { copy } from '../copy'
import { refillFrom } from '../orderButtons'
import { statusTextOf } from './OrderCard'
import { SupplySheet } from './SupplySheet'
import './sheets.scss'

interface Props {
  order: Order
  /** false in native apps that may not show prices */
  prices: boolean
  onClose: () => void
}

/** What an ended order leads to: the form with its answers. */
function againOf(order: Order) {
  const again = order.actions.includes('REVALUE') && !isFreeRevaluation(order)
  return again ? { text: orderActionText.REVALUE, onClick: () => refillFrom(order) } : undefined
}

function amountText({ payStatus, payFen }: Order): string | undefined {
  if (payStatus === 'UNPAID') return undefined
  if (payFen === 0) return copy.noMoney
  if (payStatus === 'REFUNDED') return copy.refunded(payFen)
  return payStatus === 'REFUNDING' ? copy.refunding(payFen) : copy.paid(payFen)
}

function OrderDetails({ order, prices }: Pick<Props, 'order' | 'prices'>) {
  const { orderNo, mode, level, gameName, title, createdAt, cancelReason, payStatus, discountFen } = order
  const sum = prices ? amountText(order) : undefined
  const givesBack = prices && discountFen > 0 && (payStatus === 'REFUNDING' || payStatus === 'REFUNDED')
  return (
    <>
      <Cell
        title={title || gameName}
        value={[modeText[mode], level && manualLevelText[level]].filter(Boolean).join(' · ')}
      />
      <CopyCell title={copy.orderNo} text={orderNo} action={copy.copyNo} />
      <Cell title={copy.orderedAt} value={momentInPastText(createdAt, serverTime())} />
      {cancelReason ? <Cell title={copy.reasonWas} note={cancelReason} /> : null}
      {sum ? <Cell title={copy.sum} value={sum} /> : null}
      {givesBack ? <Cell title={copy.coupon} note={copy.couponBack[payStatus]} /> : null}
    </>
  )
}

/** State of an order that has no page: its number, the reason it ended and the progress of its refund. */
export function OrderSheet({ order, prices, onClose }: Props) {
  const { orderId, status, mode, payFen, notice } = order
  const refund = status === 'REFUNDING' || status === 'REFUNDED'
  const isPriced = prices && payFen > 0
  const [ofReport, ofOrder] = isPriced
    ? [copy.reportRefundSteps, copy.refundSteps]
    : [copy.reportCancelSteps, copy.cancelSteps]
  const steps = mode === 'AI' ? ofReport : ofOrder
  const { text, onClick } = againOf(order) ?? { text: copy.close, onClick: onClose }
  return (
    <Sheet
      open
      onClose={onClose}
      title={statusTextOf(order, prices)}
      foot={
        <View className='order-sheet__row'>
          <Button kind='secondary' block onClick={() => void nav.to('chat', { orderId })}>
            {copy.contact}
          </Button>
          <Button block onClick={onClick}>
            {text}
          </Button>
        </View>
      }
    >
      {order.late ? <View className='order-sheet__note'>{copy.late(order, serverTime(), prices)}</View> : null}
      {notice ? <View className='order-sheet__note'>{notice}</View> : null}
      {refund ? (
        <View className='order-sheet__text'>
          <Steps items={steps} current={status === 'REFUNDED' ? steps.length : 1} />
        </View>
      ) : null}
      <OrderDetails order={order} prices={prices} />
    </Sheet>
  )
}

/**
 * The order that a message or the payment result links to; one that waits for information asks for it at once. If it cannot be
 * loaded, only the list is shown.
 */
export function LinkedOrder({ orderId, onDone }: { orderId: string; onDone: () => void }) {
  const { data } = useCall('pay', 'getInfo', { orderId })
  const { loaded, paymentsEnabled } = usePayStatus(appState().platform)
  const [closed, setClosed] = useState(false)
  if (!data || !loaded || closed) return null
  const close = () => setClosed(true)
  const shown = { order: data, prices: paymentsEnabled, onClose: close }
  if (data.actions.includes('SUPPLY')) return <SupplySheet {...shown} kind='supply' onDone={onDone} />
  return <OrderSheet {...shown} />
}
