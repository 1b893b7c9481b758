import { type ReactNode, useEffect } from 'react'
import { usePayStatus } from '@/api/usePayStatus'
import { isForSale } from '@/contract/sale'
import type { Order } from '@/contract/types'
import { payments } from '@/platform/pay'
import { nav } from '@/router/nav'
import { openFormWithAnswers } from '@/router/openFormWithAnswers'
import { appState } from '@/session/store'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { SkeletonForm } from '@/ui/Skeleton/SkeletonPages'
import { copy } from '../copy'
import { externalCashier } from '../externalCashier'
import { type PayStage, payStageOf } from '../model'
import { usePayableOrder } from '../useOrder'

const goRecords = { text: copy.goRecords, onClick: () => void nav.redirect('mineEvaluationRecords') }

/** Payments are switched off: shows neither price nor payment wording, leads to the free service. */
export function PaymentsUnavailable() {
  const action = { text: copy.offGo, onClick: () => void nav.tab('evaluation') }
  return <Empty art='report' text={copy.offTitle} note={copy.offNote} action={action} />
}

export const OrderNotFound = () => (
  <Empty art='report' text={copy.notFound} note={copy.notFoundNote} action={goRecords} />
)

/** After returning from an external cashier, continues directly if the server already has the payment. */
function useRedirectWhenPaid(orderId: string, paid: boolean) {
  useEffect(() => {
    if (!paid || !externalCashier.isLeft(orderId) || payments.leaveBehind()) return
    externalCashier.clear()
    void nav.redirect('humanPaySuccess', { orderId })
  }, [orderId, paid])
}

/** An order that cannot be paid, with its next step. */
export function NotPayable({ order, stage }: { order: Order; stage: Exclude<PayStage, 'payable'> }) {
  const { orderId, payFen, mode } = order
  useRedirectWhenPaid(orderId, stage === 'paid')
  if (stage === 'refund')
    return <Empty art='report' text={payFen > 0 ? copy.refundTitle : copy.cancelledTitle} action={goRecords} />
  if (stage === 'closed') {
    const again = () => void openFormWithAnswers(order, 'redirect')
    return (
      <Empty
        art='box'
        text={copy.closedTitle}
        note={copy.closedNote}
        action={{ text: copy.again[mode], onClick: again }}
      />
    )
  }
  if (mode === 'AI') {
    const view = () => void nav.redirect('report', { orderId })
    return <Empty art='done' text={copy.unlockedTitle} action={{ text: copy.view, onClick: view }} />
  }
  const go = () => void nav.redirect('humanPaySuccess', { orderId })
  return <Empty art='done' text={copy.paidTitle} action={{ text: copy.paidGo, onClick: go }} />
}

interface Props {
  orderId: string
  children: (order: Order, reload: () => void) => ReactNode
}

/** Renders the page with a payable order, or explains why there is none. */
export function PayableOrder({ orderId, children }: Props) {
  const load = usePayableOrder(orderId)
  const { load: status } = usePayStatus(appState().platform)
  const skeleton = <SkeletonForm fields={5} />
  if (!load.data && load.error?.status === 404) return <OrderNotFound />
  return (
    <LoadBoundary load={load} skeleton={skeleton}>
      {(order) => {
        const stage = payStageOf(order)
        if (stage !== 'payable') return <NotPayable order={order} stage={stage} />
        return (
          <LoadBoundary load={status} skeleton={skeleton}>
            {(open) => (isForSale(open) ? children(order, () => void load.reload()) : <PaymentsUnavailable />)}
          </LoadBoundary>
        )
      }}
    </LoadBoundary>
  )
}
