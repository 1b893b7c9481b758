import { View } from '@tarojs/components'
import { useState } from 'react'
import { FREE_PAY_TYPE } from '@/api/unlock'
import { useCall } from '@/api/useCall'
import { usePayStatus } from '@/api/usePayStatus'
import { manualLevelText } from '@/contract/labels'
import type { Order, PreOrder } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { payments } from '@/platform/pay'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { appState, isInIosApp } from '@/session/store'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Countdown } from '@/ui/Countdown/Countdown'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Notice } from '@/ui/Notice/Notice'
import { Pressable } from '@/ui/Pressable/Pressable'
import { Price } from '@/ui/Price/Price'
import { SkeletonForm } from '@/ui/Skeleton/SkeletonPages'
import { copy } from './copy'
import { ChannelSheet } from './parts/ChannelSheet'
import { CouponPicker } from './parts/CouponPicker'
import { IdentityNotice } from './parts/IdentityNotice'
import { OrderNotFound, PayableOrder } from './parts/PayableOrder'
import { RefundConsent, useConsent } from './parts/RefundConsent'
import { ReturnSheet } from './parts/ReturnSheet'
import { ServiceTiles } from './parts/ServiceTiles'
import { useLevelChange } from './useLevelChange'
import { identityErrorOf, usePayment } from './usePayment'
import { useQuote } from './useQuote'
import './CheckoutScreen.scss'

interface ReadyProps {
  order: Order
  quote: PreOrder
  /** device time in ms until which it can be paid */
  until: number | undefined
  choosing: boolean
  onChoose: (couponId: string) => void
  /** order and price are outdated: loads both again */
  onStale: () => void
  /** the cashier: the service was chosen before */
  brief: boolean
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

/** The whole way to pay: service, coupon, consent, total, and the payment itself. */
export function CheckoutContent({ order, quote, until, choosing, onChoose, onStale, brief }: ReadyProps) {
  const { orderId, mode } = order
  const { payFen } = quote
  const free = payFen === 0
  const consent = useConsent(quote, order)
  const change = useLevelChange(order, onStale)
  const busy = choosing || change.busy
  const paying = usePayment({ order, couponId: quote.couponId ?? '', onStale })
  // in the iOS app only Apple's in-app purchase is allowed
  const env = isInIosApp() ? 'IOS_APP' : payments.env()
  const channels = useCall('pay', 'payType', { orderId, env })
  const { virtual } = usePayStatus(appState().platform)
  const [sheet, setSheet] = useState(false)
  // paid at once where nothing or only one channel is to be chosen
  const only = channels.data?.length === 1 ? channels.data[0]?.type : undefined
  const type = free ? FREE_PAY_TYPE[env] : only
  const apple = virtual || only === 'APPLE'
  const isUnpayable = !free && channels.data?.length === 0
  const pay = () => (type ? void paying.pay(type) : setSheet(true))
  return (
    <>
      <Head order={order} quote={quote} brief={brief} />
      {mode === 'MANUAL' && !brief ? (
        <>
          <ServiceTiles order={order} quote={quote} busy={busy} onPick={change.pick} />
          {change.failure ? <Notice tone='warn' text={change.failure} /> : null}
          <Pressable role='link' className='checkout-more' onClick={() => void nav.url(quote.agreeUrl)}>
            {copy.about}
          </Pressable>
          {quote.pictures === 0 ? <Notice tone='warn' text={copy.noPictures} /> : null}
        </>
      ) : null}
      <Card flush>
        <CouponPicker quote={quote} busy={busy} onChoose={onChoose} />
        <Cell title={copy.total} value={<Price fen={payFen} kind='paid' size='m' />} />
      </Card>
      {apple && !free ? <View className='checkout-note'>{copy.virtualNote}</View> : null}
      {isUnpayable ? <Notice tone='warn' text={copy.noChannel} /> : null}
      {paying.refused ? <IdentityNotice code={paying.refused} /> : null}
      {paying.note ? <Notice tone='bad' text={paying.note} /> : null}
      <RefundConsent consent={consent} quote={quote} />
      <ActionBar
        primary={{
          text: free ? copy.confirmFree[mode] : copy.pay(payFen),
          loading: busy || paying.busy,
          disabled: isUnpayable,
          kind: mode === 'MANUAL' ? 'celebrate' : 'primary',
          onClick: () => (consent.agreed ? pay() : consent.remind()),
        }}
        note={
          consent.isMissed ? (
            <View className='consent-need'>{copy.tickNeed}</View>
          ) : until && !free ? (
            <>
              {`${copy.payLeft} `}
              <Countdown until={until} onEnd={onStale} />
            </>
          ) : undefined
        }
      />
      <ChannelSheet
        open={sheet}
        load={channels}
        apple={apple}
        busy={paying.busy}
        onPick={(picked) => void paying.pay(picked)}
        onClose={() => setSheet(false)}
      />
      <ReturnSheet paying={paying} />
    </>
  )
}

/** With its price. A buyer without a verified identity sees a notice instead. */
function QuotedOrder({ order, reload, brief }: Pick<ReadyProps, 'order' | 'brief'> & { reload: () => void }) {
  const { load, until, choose, choosing, failure } = useQuote(order)
  const refused = identityErrorOf(load.error)
  if (!load.data && refused) return <IdentityNotice code={refused} />
  const onStale = () => {
    reload()
    // an unlock order gets another 15 minutes, possibly without the coupon
    void load.reload()
  }
  return (
    <LoadBoundary load={load} skeleton={<SkeletonForm fields={5} />}>
      {(quote) => (
        <>
          {failure ? <Notice tone='warn' text={failure} /> : null}
          <CheckoutContent
            {...{ order, quote, until, choosing, onStale, brief }}
            onChoose={(next) => void choose(next)}
          />
        </>
      )}
    </LoadBoundary>
  )
}

function Checkout({ orderId, brief = false }: { orderId: string | undefined; brief?: boolean }) {
  if (!orderId) return <OrderNotFound />
  return (
    <PayableOrder orderId={orderId}>
      {(order, reload) => <QuotedOrder order={order} reload={reload} brief={brief} />}
    </PayableOrder>
  )
}

/** After the form of a human valuation. */
export const CheckoutScreen = ({ params }: ScreenProps<'humanCheckout'>) => <Checkout orderId={params.orderId} />

/** For an unpaid order of the records, a report to be unlocked, and the way back from a cashier. */
export const PaymentScreen = ({ params }: ScreenProps<'payment'>) => <Checkout orderId={params.orderId} brief />
