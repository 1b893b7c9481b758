import { View } from '@tarojs/components'
import { FREE_PAY_TYPE } from '@/api/unlock'
import type { Order } from '@/contract/types'
import { payments } from '@/platform/pay'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { Countdown } from '@/ui/Countdown/Countdown'
import { Notice } from '@/ui/Notice/Notice'
import { Price } from '@/ui/Price/Price'
import { copy } from './copy'
import { couponIdToParam } from './model'
import { AmountCard } from './parts/AmountCard'
import { IdentityNotice } from './parts/IdentityNotice'
import { MissingPictures } from './parts/MissingPictures'
import { OrderSummary } from './parts/OrderSummary'
import { OrderNotFound, PayableOrder } from './parts/PayableOrder'
import { type OrderQuote, QuotedOrder } from './parts/QuotedOrder'
import { ConsentMissing, RefundConsent, useConsent } from './parts/RefundConsent'
import { ReturnSheet } from './parts/ReturnSheet'
import { ServiceLevelPicker } from './parts/ServiceLevelPicker'
import { useOrderChange } from './useOrderChange'
import { usePayment } from './usePayment'
import { usePaymentMethods } from './usePaymentMethods'
import './CheckoutScreen.scss'

interface ReadyProps extends OrderQuote {
  order: Order
  /** the service or the pictures have changed, and with them the quote */
  onChanged: () => void
}

export function CheckoutContent({ order, quote, until, choosing, onChoose, onStale, onChanged }: ReadyProps) {
  const consent = useConsent(quote, order)
  const paying = usePayment({ order, couponId: quote.couponId ?? '', onStale })
  const { only } = usePaymentMethods(order.orderId)
  const level = useOrderChange(order, onChanged)
  const { orderId, mode } = order
  const free = quote.payFen === 0
  const submit = () => {
    if (!consent.agreed) return consent.remind()
    // skip the payment page if there is nothing to pay or to choose
    if (free) return void paying.pay(FREE_PAY_TYPE[payments.env()])
    if (only) return void paying.pay(only)
    void nav.to('payment', { orderId, couponId: couponIdToParam(quote.couponId) })
  }
  return (
    <>
      <OrderSummary order={order} quote={quote} note={false} />
      {quote.pictures === 0 ? <MissingPictures order={order} onAdded={onChanged} /> : null}
      <ServiceLevelPicker
        order={order}
        quote={quote}
        busy={level.busy}
        failure={level.failure}
        onPick={(one) => void level.change({ level: one })}
      />
      <AmountCard quote={quote} busy={choosing || level.busy} onChoose={onChoose} />
      <View className='checkout-promise'>{free ? copy.freePromise[mode] : copy.promise}</View>
      {paying.refused ? <IdentityNotice code={paying.refused} /> : null}
      {paying.note ? <Notice tone='bad' text={paying.note} /> : null}
      <RefundConsent consent={consent} quote={quote} />
      <ActionBar
        lead={<Price fen={quote.payFen} kind='paid' size='l' />}
        primary={{
          text: free ? copy.confirmFree[mode] : only ? copy.pay(quote.payFen) : copy.submit,
          loading: choosing || level.busy || paying.busy,
          onClick: submit,
        }}
        note={
          consent.shakes > 0 && !consent.agreed ? (
            <ConsentMissing />
          ) : until ? (
            <>
              {`${copy.payLeft} `}
              <Countdown until={until} onEnd={onStale} />
            </>
          ) : undefined
        }
      />
      <ReturnSheet paying={paying} />
    </>
  )
}

/** Checkout: order, amount, coupon and refund rules. */
export function CheckoutScreen({ params }: ScreenProps<'humanCheckout'>) {
  if (!params.orderId) return <OrderNotFound />
  return (
    <PayableOrder orderId={params.orderId}>
      {(order, reload) => (
        <QuotedOrder order={order} couponId={order.couponId} reload={reload}>
          {(quoted) => <CheckoutContent order={order} {...quoted} onChanged={quoted.onStale} />}
        </QuotedOrder>
      )}
    </PayableOrder>
  )
}
