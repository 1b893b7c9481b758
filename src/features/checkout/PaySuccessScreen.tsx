import { View } from '@tarojs/components'
import type { ComponentProps } from 'react'
import { useCall } from '@/api/useCall'
import { usePayStatus } from '@/api/usePayStatus'
import { lateText, supplyUntilText } from '@/contract/orderStatus'
import { momentInPastText } from '@/contract/timeText'
import type { Order } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { nav } from '@/router/nav'
import { openFormWithAnswers } from '@/router/openFormWithAnswers'
import type { ScreenProps } from '@/router/page'
import { useDidReturn } from '@/router/useDidReturn'
import { appState } from '@/session/store'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Notice } from '@/ui/Notice/Notice'
import { Notify } from '@/ui/Notify/Notify'
import { Price } from '@/ui/Price/Price'
import { Result as Outcome } from '@/ui/Result/Result'
import { SkeletonReport } from '@/ui/Skeleton/SkeletonPages'
import { Steps } from '@/ui/Steps/Steps'
import { copy } from './copy'
import { OrderNotFound } from './parts/PayableOrder'
import { StaffContact } from './parts/StaffContact'
import { usePayResult } from './usePayResult'
import './PaySuccessScreen.scss'

/** The form for what the appraiser has asked for. */
const supply = (orderId: string) => void nav.redirect('mineEvaluationRecords', { orderId })
// the tab with all orders: the order leaves 进行中 as soon as its report is ready
const records = () => void nav.redirect('mineEvaluationRecords')

const isRefund = ({ status }: Order) => status === 'REFUNDED' || status === 'REFUNDING'
/** Not yet valued for the first time. */
const isWaiting = ({ mode, status, late }: Order) =>
  mode === 'MANUAL' && (status === 'PAID' || status === 'ASSIGNED') && !late

interface Shown {
  order: Order
  /** whether payment wording is allowed */
  prices: boolean
  /** ended without a payment */
  closed?: boolean
}

/** The current state of an order: the page is also opened from the records, old messages and the browser's history. */
function outcomeOf({ order, prices, closed }: Shown): ComponentProps<typeof Outcome> {
  const { mode, status, payFen, reportedAt, supplyUntil } = order
  const paid = prices && payFen > 0
  const now = serverTime()
  if (isRefund(order)) {
    const [icon, end] = status === 'REFUNDED' ? (['check', 'DONE'] as const) : (['clock', 'OPEN'] as const)
    if (paid)
      return {
        icon,
        tone: 'blue',
        title: copy.refund[end],
        note: end === 'DONE' ? copy.refundDone : copy.refundOpen[mode],
      }
    // amounts are unknown where prices are hidden
    return { icon, tone: 'blue', title: copy.cancel[end], note: prices ? copy.couponBack : undefined }
  }
  if (mode === 'AI' && (status === 'UNLOCKED' || !closed))
    return { icon: 'unlock', tone: 'ok', title: copy.unlockedTitle, note: copy.unlockedNote }
  if (closed)
    return { icon: 'clock', tone: 'blue', title: copy.closedTitle, note: prices ? copy.closedNote : undefined }
  if (order.late) return { icon: 'clock', tone: 'blue', title: copy.late, note: lateText(order, now, prices) }
  if (status === 'REVALUING') return { icon: 'clock', tone: 'blue', title: copy.rechecking, note: copy.recheckingNote }
  if (status === 'WAIT_INFO') {
    const note = supplyUntil === undefined ? undefined : supplyUntilText(supplyUntil, now, paid)
    return { icon: 'edit', tone: 'blue', title: copy.infoNeeded, note }
  }
  if (isWaiting(order)) return { icon: 'check', tone: 'ok', title: paid ? copy.success : copy.freeSuccess }
  return { icon: 'check', tone: 'ok', title: copy.reported, note: momentInPastText(reportedAt, now) }
}

export function ResultHeader(shown: Shown) {
  const { order, prices, closed } = shown
  return (
    <View className='paid-head'>
      <Outcome {...outcomeOf(shown)}>
        {prices && order.payFen > 0 && !closed ? (
          <View className='paid-head__sum'>
            <View className='paid-head__note'>{isRefund(order) ? copy.refundAmount : copy.amount}</View>
            <Price fen={order.payFen} kind='paid' size='l' />
          </View>
        ) : null}
      </Outcome>
    </View>
  )
}

/** What happens next, with times from the server. */
export function OrderProgress({ order }: { order: Order }) {
  const { assignedAt, dueAt } = order
  const now = serverTime()
  const items = [
    { title: copy.nextAccept, note: copy.accepted(order, now) },
    { title: copy.nextValue, note: copy.nextValueNote },
    { title: copy.nextReport, ...(dueAt && { note: copy.before(dueAt, now) }) },
  ]
  return (
    <Card title={copy.next}>
      <Steps items={items} current={assignedAt ? 1 : 0} />
    </Card>
  )
}

function nextOf({ order, closed }: Shown) {
  const { orderId, status, mode, actions } = order
  if (actions.includes('VIEW')) return { text: copy.view, onClick: () => void nav.redirect('report', { orderId }) }
  if (actions.includes('SUPPLY')) return { text: copy.supply, onClick: () => supply(orderId) }
  if (closed || status === 'REFUNDED')
    return { text: copy.again[mode], onClick: () => void openFormWithAnswers(order, 'redirect') }
  return { text: copy.viewOrder, onClick: records }
}

function SettledOrder({ order, closed }: Omit<Shown, 'prices'>) {
  const { loaded, paymentsEnabled: prices } = usePayStatus(appState().platform)
  const { orderId, mode, status, notice } = order
  const person = mode === 'MANUAL' && !closed
  // whether payment wording is allowed is not known yet
  if (!loaded) return <SkeletonReport />
  return (
    <>
      <ResultHeader order={order} prices={prices} closed={closed} />
      {notice ? <Notice tone={status === 'WAIT_INFO' ? 'warn' : 'info'} text={notice} /> : null}
      {isWaiting(order) ? <OrderProgress order={order} /> : null}
      {person ? <StaffContact orderId={orderId} /> : null}
      {isWaiting(order) ? <Notify about='report' /> : null}
      <ActionBar
        primary={nextOf({ order, prices, closed })}
        secondary={person ? { text: copy.contact, onClick: () => void nav.to('chat', { orderId }) } : undefined}
      />
    </>
  )
}

/** Its state is the server's, never the URL's. Reloaded when the page is shown again. */
function LoadedOrder({ orderId, closed }: { orderId: string; closed: boolean }) {
  const load = useCall('pay', 'getInfo', { orderId })
  useDidReturn(() => void load.reload())
  return (
    <LoadBoundary load={load} skeleton={<SkeletonReport />}>
      {(order) => <SettledOrder order={order} closed={closed} />}
    </LoadBoundary>
  )
}

interface ConfirmingProps {
  slow: boolean
  loading: boolean
  onRefresh: () => void
  /** absent where nothing can be paid */
  onPay: (() => void) | undefined
}

/** Not confirmed yet. Who has not paid can continue at once: the same payment goes on, or another way ends it. */
export function ConfirmingPayment({ slow, loading, onRefresh, onPay }: ConfirmingProps) {
  return (
    <>
      <View className='paid-head'>
        <Outcome icon='clock' tone='blue' title={copy.confirming} note={slow ? copy.slow : copy.confirmingNote}>
          {slow ? (
            <Button kind='ghost' loading={loading} onClick={onRefresh}>
              {copy.refresh}
            </Button>
          ) : null}
        </Outcome>
      </View>
      <ActionBar
        primary={{ text: copy.viewOrder, onClick: records }}
        secondary={onPay && { text: copy.askNot, onClick: onPay }}
      />
    </>
  )
}

function Result({ orderId }: { orderId: string }) {
  const { status, pending, slow, loading, error, again } = usePayResult(orderId)
  const { paymentsEnabled } = usePayStatus(appState().platform)
  if (error?.status === 404) return <OrderNotFound />
  if (status === 'PAID' || status === 'CLOSED') return <LoadedOrder orderId={orderId} closed={status === 'CLOSED'} />
  const pay = () => void nav.redirect('payment', { orderId })
  if (status === 'FAILED') {
    return (
      <Empty art='box' text={copy.payFailed} note={copy.payFailedNote} action={{ text: copy.retry, onClick: pay }} />
    )
  }
  return pending ? (
    <ConfirmingPayment slow={slow} loading={loading} onRefresh={again} onPay={paymentsEnabled ? pay : undefined} />
  ) : (
    <SkeletonReport />
  )
}

/** Payment result: confirmed or pending, next steps and contact. Survives a reload. */
export function PaySuccessScreen({ params }: ScreenProps<'humanPaySuccess'>) {
  return params.orderId ? <Result orderId={params.orderId} /> : <OrderNotFound />
}
