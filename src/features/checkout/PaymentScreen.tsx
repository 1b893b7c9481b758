import { View } from '@tarojs/components'
import { FREE_PAY_TYPE } from '@/api/unlock'
import { usePayStatus } from '@/api/usePayStatus'
import type { Order } from '@/contract/types'
import type { ScreenProps } from '@/router/page'
import { appState } from '@/session/store'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { Countdown } from '@/ui/Countdown/Countdown'
import { Notice } from '@/ui/Notice/Notice'
import { Price } from '@/ui/Price/Price'
import { copy } from './copy'
import { couponIdFromParam } from './model'
import { AmountCard } from './parts/AmountCard'
import { IdentityNotice } from './parts/IdentityNotice'
import { OrderSummary } from './parts/OrderSummary'
import { OrderNotFound, PayableOrder } from './parts/PayableOrder'
import { PaymentMethods } from './parts/PaymentMethods'
import { type OrderQuote, QuotedOrder } from './parts/QuotedOrder'
import { ConsentMissing, RefundConsent, useConsent } from './parts/RefundConsent'
import { ReturnSheet } from './parts/ReturnSheet'
import { payEnv } from './payEnv'
import { usePayment } from './usePayment'
import { usePaymentMethods } from './usePaymentMethods'
import './PaymentScreen.scss'

type CashierProps = OrderQuote & { order: Order }

/** Amount and deadline. */
export function AmountDue({ quote, until, onStale }: Pick<CashierProps, 'quote' | 'until' | 'onStale'>) {
  return (
    <View className='checkout-due'>
      <View className='checkout-due__word'>{copy.amountDue}</View>
      <Price fen={quote.payFen} kind='paid' size='xl' />
      {until ? (
        <View className='checkout-due__left'>
          {`${copy.payLeft} `}
          <Countdown until={until} onEnd={onStale} />
        </View>
      ) : null}
    </View>
  )
}

function Cashier({ order, quote, until, choosing, onChoose, onStale }: CashierProps) {
  const channels = usePaymentMethods(order.orderId)
  const consent = useConsent(quote, order)
  const paying = usePayment({ order, couponId: quote.couponId ?? '', onStale })
  const { virtual } = usePayStatus(appState().platform)
  const unlocks = order.mode === 'AI'
  const free = quote.payFen === 0
  const type = free ? FREE_PAY_TYPE[payEnv()] : channels.type
  const apple = virtual || type === 'APPLE'
  const submit = () => (consent.agreed ? type && void paying.pay(type) : consent.remind())
  return (
    <>
      {free ? null : <AmountDue quote={quote} until={until} onStale={onStale} />}
      <OrderSummary order={order} quote={quote} number={!unlocks} />
      {unlocks ? <AmountCard quote={quote} busy={choosing} onChoose={onChoose} /> : null}
      {free ? null : <PaymentMethods load={channels.load} type={type} onPick={channels.pick} apple={apple} />}
      <View className='checkout-note'>
        {free ? copy.freePromise[order.mode] : apple ? copy.virtualNote : unlocks ? copy.promiseAi : copy.promise}
      </View>
      {paying.refused ? <IdentityNotice code={paying.refused} /> : null}
      {paying.note ? <Notice tone='warn' text={paying.note} /> : null}
      <RefundConsent consent={consent} quote={quote} />
      <ActionBar
        primary={{
          text: free ? copy.confirmFree[order.mode] : copy.pay(quote.payFen),
          loading: paying.busy || choosing,
          disabled: type === undefined,
          onClick: submit,
        }}
        note={consent.shakes > 0 && !consent.agreed ? <ConsentMissing /> : undefined}
      />
      <ReturnSheet paying={paying} />
    </>
  )
}

/** Cashier: for a manual order after checkout; for unlocking a report it also shows the coupon. */
export function PaymentScreen({ params }: ScreenProps<'payment'>) {
  const { orderId, couponId } = params
  if (!orderId) return <OrderNotFound />
  return (
    <PayableOrder orderId={orderId}>
      {(order, reload) => (
        <QuotedOrder order={order} couponId={couponIdFromParam(couponId) ?? order.couponId} reload={reload}>
          {(quoted) => <Cashier order={order} {...quoted} />}
        </QuotedOrder>
      )}
    </PayableOrder>
  )
}
