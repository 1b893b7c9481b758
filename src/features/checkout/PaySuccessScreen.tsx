import { View } from '@tarojs/components'
import type { ComponentProps } from 'react'
import { usePayStatus } from '@/api/usePayStatus'
import { momentInPastText } from '@/contract/timeText'
import type { Order } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { nav } from '@/router/nav'
import { openFormWithAnswers } from '@/router/openFormWithAnswers'
import type { ScreenProps } from '@/router/page'
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
import { usePayableOrder } from './useOrder'
import { usePayResult } from './usePayResult'
import './PaySuccessScreen.scss'

const view = (orderId: string) => void nav.redirect('report', { orderId })
/** The form for what the appraiser has asked for. */
const supply = (orderId: string) => void nav.redirect('mineEvaluationRecords', { orderId })
// the tab with all orders: the order leaves 进行中 as soon as its report is ready
const records = () => void nav.redirect('mineEvaluationRecords')

const isRefund = ({ status }: Order) => status === 'REFUNDED' || status === 'REFUNDING'

/** The current state of a paid order: the page is also opened from old messages and from the browser's history. */
function outcomeOf(order: Order, prices: boolean): ComponentProps<typeof Outcome> {
  const { mode, status, payFen, reportedAt, supplyUntil } = order
  const paid = prices && payFen > 0
  if (isRefund(order)) {
    const icon = status === 'REFUNDED' ? 'check' : 'clock'
    // amounts are unknown where prices are hidden
    if (!paid) return { icon, tone: 'blue', title: copy.cancelledTitle, note: prices ? copy.couponBack : undefined }
    const [title, note] =
      status === 'REFUNDED' ? [copy.refunded, copy.refundedNote] : [copy.refunding, copy.refundingNote]
    return { icon, tone: 'blue', title, note }
  }
  if (mode === 'AI') return { icon: 'unlock', tone: 'ok', title: copy.unlockedTitle, note: copy.unlockedNote }
  if (order.late)
    return { icon: 'clock', tone: 'blue', title: copy.late, note: copy.lateNote(order, serverTime(), prices) }
  if (status === 'REVALUING') return { icon: 'clock', tone: 'blue', title: copy.rechecking, note: copy.recheckingNote }
  if (status === 'WAIT_INFO') {
    const until = paid ? copy.infoUntil : copy.infoUntilFree
    const note = supplyUntil === undefined ? undefined : until(supplyUntil, serverTime())
    return { icon: 'edit', tone: 'blue', title: copy.infoNeeded, note }
  }
  if (status === 'REPORTED' || status === 'DONE')
    return { icon: 'check', tone: 'ok', title: copy.reported, note: momentInPastText(reportedAt, serverTime()) }
  return { icon: 'check', tone: 'ok', title: paid ? copy.success : copy.freeSuccess }
}

export function ResultHeader({ order, prices }: { order: Order; prices: boolean }) {
  const { payFen } = order
  return (
    <View className='paid-head'>
      <Outcome {...outcomeOf(order, prices)}>
        {prices && payFen > 0 ? (
          <View className='paid-head__sum'>
            <View className='paid-head__note'>{isRefund(order) ? copy.refundAmount : copy.amount}</View>
            <Price fen={payFen} kind='paid' size='l' />
          </View>
        ) : null}
      </Outcome>
    </View>
  )
}

const stepOf = ({ status, assignedAt }: Order) => (status === 'PAID' ? 0 : assignedAt ? 1 : 0)

/** Next steps of the order, with times from the server. */
export function OrderProgress({ order }: { order: Order }) {
  const now = Date.now()
  const [accept, value, report] = copy.nextSteps
  const ready = order.actions.includes('VIEW')
  const waiting = order.status === 'WAIT_INFO'
  const reportAt = order.late ? copy.nextLate : copy.nextReport(order.dueAt, now)
  // hide the estimate once the report is ready
  const items = ready
    ? [{ title: accept }, { title: value }, { title: report, note: copy.nextReady }]
    : [
        { title: accept, note: copy.nextAccept(order, now) },
        { title: value, note: waiting ? copy.nextWaiting : copy.nextValue },
        { title: report, note: waiting ? copy.nextAfterInfo : reportAt },
      ]
  return (
    <Card title={ready ? copy.progress : copy.next}>
      <Steps items={items} current={ready ? 3 : stepOf(order)} />
    </Card>
  )
}

function nextOf(order: Order) {
  const { orderId, status, mode, actions } = order
  if (actions.includes('VIEW')) return { text: copy.view, onClick: () => view(orderId) }
  if (actions.includes('SUPPLY')) return { text: copy.supply, onClick: () => supply(orderId) }
  if (status === 'REFUNDED')
    return { text: copy.again[mode], onClick: () => void openFormWithAnswers(order, 'redirect') }
  return { text: copy.viewOrder, onClick: records }
}

function PaidOrder({ order }: { order: Order }) {
  const { loaded, paymentsEnabled } = usePayStatus(appState().platform)
  const { orderId, mode, status, actions, notice } = order
  const refund = isRefund(order)
  // whether payment wording is allowed is not known yet
  if (!loaded) return <SkeletonReport />
  return (
    <>
      <ResultHeader order={order} prices={paymentsEnabled} />
      {notice ? <Notice tone={status === 'WAIT_INFO' ? 'warn' : 'info'} text={notice} /> : null}
      {mode === 'MANUAL' && !refund && status !== 'REVALUING' ? <OrderProgress order={order} /> : null}
      {mode === 'MANUAL' ? <StaffContact orderId={orderId} /> : null}
      {refund || actions.includes('VIEW') ? null : <Notify about='report' />}
      <ActionBar
        primary={nextOf(order)}
        secondary={
          mode === 'MANUAL' ? { text: copy.contact, onClick: () => void nav.to('chat', { orderId }) } : undefined
        }
      />
    </>
  )
}

/** The status is the server's, never the URL's. */
function ConfirmedPayment({ orderId }: { orderId: string }) {
  const load = usePayableOrder(orderId)
  return (
    <LoadBoundary load={load} skeleton={<SkeletonReport />}>
      {(order) => <PaidOrder order={order} />}
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
  if (status === 'PAID') return <ConfirmedPayment orderId={orderId} />
  if (status === 'CLOSED') {
    return (
      <Empty
        art='box'
        text={copy.closedTitle}
        note={copy.closedNote}
        action={{ text: copy.goRecords, onClick: records }}
      />
    )
  }
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
