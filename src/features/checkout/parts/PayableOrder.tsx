import { type ReactNode, useEffect } from 'react'
import { useCall } from '@/api/useCall'
import { usePayStatus } from '@/api/usePayStatus'
import { isForSale } from '@/contract/sale'
import type { Order } from '@/contract/types'
import { payments } from '@/platform/pay'
import { nav } from '@/router/nav'
import { useDidReturn } from '@/router/useDidReturn'
import { appState } from '@/session/store'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { SkeletonForm } from '@/ui/Skeleton/SkeletonPages'
import { copy } from '../copy'
import { externalCashier } from '../externalCashier'

/** Payments are switched off: shows neither price nor payment wording, leads to the free service. */
export function PaymentsUnavailable() {
  const action = { text: copy.offGo, onClick: () => void nav.tab('evaluation') }
  return <Empty art='report' text={copy.offTitle} note={copy.offNote} action={action} />
}

export function OrderNotFound() {
  const action = { text: copy.goRecords, onClick: () => void nav.redirect('mineEvaluationRecords') }
  return <Empty art='report' text={copy.notFound} note={copy.notFoundNote} action={action} />
}

/** Only the server's status counts, not the URL or the cashier's result. */
const isPayable = ({ mode, actions }: Order) => actions.includes('PAY') || (mode === 'AI' && actions.includes('UNLOCK'))

/** The result page says why an order cannot be paid; one that left for an external cashier first goes back to before it. */
function ToResult({ orderId }: { orderId: string }) {
  useEffect(() => {
    if (externalCashier.isLeft(orderId) && payments.leaveBehind()) return
    externalCashier.clear()
    void nav.redirect('humanPaySuccess', { orderId })
  }, [orderId])
  return <SkeletonForm fields={5} />
}

interface Props {
  orderId: string
  children: (order: Order, reload: () => void) => ReactNode
}

/** Renders the page with a payable order. Reloaded when the page is shown again: the user may return from a cashier. */
export function PayableOrder({ orderId, children }: Props) {
  const load = useCall('pay', 'getInfo', { orderId })
  useDidReturn(() => void load.reload())
  const { load: status } = usePayStatus(appState().platform)
  const skeleton = <SkeletonForm fields={5} />
  if (!load.data && load.error?.status === 404) return <OrderNotFound />
  return (
    <LoadBoundary load={load} skeleton={skeleton}>
      {(order) =>
        isPayable(order) ? (
          <LoadBoundary load={status} skeleton={skeleton}>
            {(open) => (isForSale(open) ? children(order, () => void load.reload()) : <PaymentsUnavailable />)}
          </LoadBoundary>
        ) : (
          <ToResult orderId={orderId} />
        )
      }
    </LoadBoundary>
  )
}
