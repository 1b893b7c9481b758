import { View } from '@tarojs/components'
import { useState } from 'react'
import { FREE_PAY_TYPE } from '@/api/unlock'
import { usePayStatus } from '@/api/usePayStatus'
import { manualLevelText } from '@/contract/labels'
import type { Order } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { appState } from '@/session/store'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Countdown } from '@/ui/Countdown/Countdown'
import { Notice } from '@/ui/Notice/Notice'
import { Pressable } from '@/ui/Pressable/Pressable'
import { Price } from '@/ui/Price/Price'
import { copy } from './copy'
import { couponIdFromParam } from './model'
import { ChannelSheet } from './parts/ChannelSheet'
import { CouponPicker } from './parts/CouponPicker'
import { IdentityNotice } from './parts/IdentityNotice'
import { MissingPictures } from './parts/MissingPictures'
import { OrderNotFound, PayableOrder } from './parts/PayableOrder'
import { type OrderQuote, QuotedOrder } from './parts/QuotedOrder'
import { ConsentMissing, RefundConsent, useConsent } from './parts/RefundConsent'
import { ReturnSheet } from './parts/ReturnSheet'
import { ServiceTiles } from './parts/ServiceTiles'
import { payEnv } from './payEnv'
import { useOrderChange } from './useOrderChange'
import { usePayment } from './usePayment'
import { usePaymentMethods } from './usePaymentMethods'
import './CheckoutScreen.scss'

interface ReadyProps extends OrderQuote {
  order: Order
  /** the cashier: the service was chosen before */
  brief?: boolean
}

/** What is bought, and until when it comes. */
function Head({ order, quote, brief }: Pick<ReadyProps, 'order' | 'quote' | 'brief'>) {
  const { mode, title, gameName, level } = order
  const { dueAt, now = serverTime(), pictures = 0 } = quote
  const account = [
    brief && level && manualLevelText[level],
    title || gameName,
    pictures > 0 && copy.pictureCount(pictures),
  ]
    .filter(Boolean)
    .join(' · ')
  return (
    <View className='checkout-head'>
      <View className='checkout-head__title'>{dueAt === undefined ? copy.what[mode] : copy.due(dueAt, now)}</View>
      <View className='checkout-head__note'>{account}</View>
      {mode === 'AI' ? <View className='checkout-head__note'>{copy.aiNote}</View> : null}
    </View>
  )
}

/** How the order is paid: at once where nothing or only one channel is to be chosen, else by a sheet of channels. */
function usePaying({ order, quote, onStale }: Pick<ReadyProps, 'order' | 'quote' | 'onStale'>) {
  const paying = usePayment({ order, couponId: quote.couponId ?? '', onStale })
  const methods = usePaymentMethods(order.orderId)
  const { virtual } = usePayStatus(appState().platform)
  const [choosing, setChoosing] = useState(false)
  const only = quote.payFen === 0 ? FREE_PAY_TYPE[payEnv()] : methods.only
  return {
    paying,
    /** channels, once they are known */
    list: methods.load.data,
    apple: virtual || methods.only === 'APPLE',
    isUnpayable: quote.payFen > 0 && methods.load.data?.length === 0,
    sheet: { open: choosing, load: methods.load, onClose: () => setChoosing(false) },
    begin: () => (only ? void paying.pay(only) : setChoosing(true)),
  }
}

/** The whole way to pay: service, coupon, consent, total, and the payment itself. */
export function CheckoutContent({ order, quote, until, choosing, onChoose, onStale, brief = false }: ReadyProps) {
  const { mode } = order
  const consent = useConsent(quote, order)
  const { paying, apple, isUnpayable, sheet, begin } = usePaying({ order, quote, onStale })
  const change = useOrderChange(order, onStale)
  const free = quote.payFen === 0
  const busy = choosing || change.busy
  const isMissed = consent.shakes > 0 && !consent.agreed
  return (
    <>
      <Head order={order} quote={quote} brief={brief} />
      {mode === 'MANUAL' && !brief ? (
        <>
          <ServiceTiles order={order} quote={quote} busy={busy} onPick={(level) => void change.change({ level })} />
          {change.failure ? <Notice tone='warn' text={change.failure} /> : null}
          <Pressable role='link' className='checkout-more' onClick={() => void nav.url(quote.agreeUrl)}>
            {copy.about}
          </Pressable>
          {quote.pictures === 0 ? <MissingPictures order={order} onAdded={onStale} /> : null}
        </>
      ) : null}
      <Card flush>
        <CouponPicker quote={quote} busy={busy} onChoose={onChoose} />
        <Cell title={copy.total} value={<Price fen={quote.payFen} kind='paid' size='m' />} />
      </Card>
      {apple && !free ? <View className='checkout-note'>{copy.virtualNote}</View> : null}
      {isUnpayable ? <Notice tone='warn' text={`${copy.noChannel}。${copy.noChannelNote}`} /> : null}
      {paying.refused ? <IdentityNotice code={paying.refused} /> : null}
      {paying.note ? <Notice tone='bad' text={paying.note} /> : null}
      <RefundConsent consent={consent} quote={quote} />
      <ActionBar
        primary={{
          text: free ? copy.confirmFree[mode] : copy.pay(quote.payFen),
          loading: busy || paying.busy,
          disabled: isUnpayable,
          kind: mode === 'MANUAL' ? 'celebrate' : 'primary',
          onClick: () => (consent.agreed ? begin() : consent.remind()),
        }}
        note={
          isMissed ? (
            <ConsentMissing />
          ) : until && !free ? (
            <>
              {`${copy.payLeft} `}
              <Countdown until={until} onEnd={onStale} />
            </>
          ) : undefined
        }
      />
      <ChannelSheet {...sheet} apple={apple} busy={paying.busy} onPick={(type) => void paying.pay(type)} />
      <ReturnSheet paying={paying} />
    </>
  )
}

interface PayableProps {
  orderId: string | undefined
  couponId?: string | undefined
  brief?: boolean
}

function Checkout({ orderId, couponId, brief = false }: PayableProps) {
  if (!orderId) return <OrderNotFound />
  return (
    <PayableOrder orderId={orderId}>
      {(order, reload) => (
        <QuotedOrder order={order} couponId={couponId ?? order.couponId} reload={reload}>
          {(quoted) => <CheckoutContent order={order} brief={brief} {...quoted} />}
        </QuotedOrder>
      )}
    </PayableOrder>
  )
}

/** After the form of a human valuation. */
export const CheckoutScreen = ({ params }: ScreenProps<'humanCheckout'>) => <Checkout orderId={params.orderId} />

/** For an unpaid order of the records, a report to be unlocked, and the way back from a cashier. */
export const PaymentScreen = ({ params }: ScreenProps<'payment'>) => (
  <Checkout orderId={params.orderId} couponId={couponIdFromParam(params.couponId)} brief />
)
