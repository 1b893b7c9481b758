import { View } from '@tarojs/components'
import { usePayStatus } from '@/api/usePayStatus'
import type { Order } from '@/contract/types'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { appState } from '@/session/store'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
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
// the tab with all orders: the order leaves 进行中 as soon as its report is ready
const records = () => void nav.redirect('mineEvaluationRecords')

export function ResultHeader({ order, prices }: { order: Order; prices: boolean }) {
  const { payFen, mode } = order
  const paid = prices && payFen > 0
  return (
    <View className='paid-head'>
      <Outcome
        {...(mode === 'AI'
          ? { icon: 'unlock', tone: 'pink', title: copy.unlockedTitle, note: copy.unlockedNote }
          : { icon: 'check', tone: 'ok', title: paid ? copy.success : copy.freeSuccess })}
      >
        {paid ? (
          <View className='paid-head__sum'>
            <View className='paid-head__note'>{copy.amount}</View>
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
  // hide the estimate once the report is ready
  const items = ready
    ? [{ title: accept }, { title: value }, { title: report, note: copy.nextReady }]
    : [
        { title: accept, note: copy.nextAccept(order.assignedAt, now) },
        { title: value, note: copy.nextValue },
        { title: report, note: copy.nextReport(order.dueAt, now) },
      ]
  return (
    <Card title={copy.next}>
      <Steps items={items} current={ready ? 3 : stepOf(order)} />
    </Card>
  )
}

function PaidOrder({ order }: { order: Order }) {
  const { paymentsEnabled } = usePayStatus(appState().platform)
  const { orderId, mode, actions } = order
  const ready = actions.includes('VIEW')
  return (
    <>
      <ResultHeader order={order} prices={paymentsEnabled} />
      {order.notice ? <Notice tone='info' text={order.notice} /> : null}
      {mode === 'MANUAL' ? <OrderProgress order={order} /> : null}
      {mode === 'MANUAL' ? <StaffContact orderId={orderId} /> : null}
      {ready ? null : <Notify />}
      <ActionBar
        primary={ready ? { text: copy.view, onClick: () => view(orderId) } : { text: copy.viewOrder, onClick: records }}
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

export function ConfirmingPayment({
  slow,
  loading,
  onRefresh,
}: {
  slow: boolean
  loading: boolean
  onRefresh: () => void
}) {
  return (
    <>
      <View className='paid-head'>
        <Outcome icon='clock' tone='blue' title={copy.confirming} note={slow ? copy.slow : copy.confirmingNote} />
      </View>
      {slow ? (
        <ActionBar
          primary={{ text: copy.refresh, loading, onClick: onRefresh }}
          secondary={{ text: copy.viewOrder, onClick: records }}
        />
      ) : null}
    </>
  )
}

function Result({ orderId }: { orderId: string }) {
  const { status, pending, slow, loading, error, again } = usePayResult(orderId)
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
  if (status === 'FAILED') {
    const retry = () => void nav.redirect('payment', { orderId })
    return (
      <Empty art='box' text={copy.payFailed} note={copy.payFailedNote} action={{ text: copy.retry, onClick: retry }} />
    )
  }
  return pending ? <ConfirmingPayment slow={slow} loading={loading} onRefresh={again} /> : <SkeletonReport />
}

/** Payment result: confirmed or pending, next steps and contact. Survives a reload. */
export function PaySuccessScreen({ params }: ScreenProps<'humanPaySuccess'>) {
  return params.orderId ? <Result orderId={params.orderId} /> : <OrderNotFound />
}
