import type { ReactNode } from 'react'
import type { Order, PreOrder } from '@/contract/types'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Notice } from '@/ui/Notice/Notice'
import { SkeletonForm } from '@/ui/Skeleton/SkeletonPages'
import { identityErrorOf } from '../usePayment'
import { useQuote } from '../useQuote'
import { IdentityNotice } from './IdentityNotice'

/** Data and callbacks with which a screen shows and changes the price of an order. */
export interface OrderQuote {
  quote: PreOrder
  /** device time in ms until which it can be paid */
  until: number | undefined
  choosing: boolean
  onChoose: (couponId: string) => void
  /** order and price are outdated: loads both again */
  onStale: () => void
}

interface Props {
  order: Order
  couponId: string | undefined
  reload: () => void
  children: (quoted: OrderQuote) => ReactNode
}

/** Loads the price of an order. A buyer without a verified identity sees a notice instead. */
export function QuotedOrder({ order, couponId, reload, children }: Props) {
  const { load, quote, until, choose, choosing, failure } = useQuote(order, couponId)
  const refused = identityErrorOf(load.error)
  if (!quote && refused) return <IdentityNotice code={refused} />
  const onStale = () => {
    reload()
    // an unlock order gets another 15 minutes, possibly without the coupon
    void load.reload()
  }
  return (
    <LoadBoundary load={load} skeleton={<SkeletonForm fields={5} />}>
      {(given) => (
        <>
          {failure ? <Notice tone='warn' text={failure} /> : null}
          {children({ quote: given, until, choosing, onChoose: (next) => void choose(next), onStale })}
        </>
      )}
    </LoadBoundary>
  )
}
