import { useState } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import type { Order, ValuationEvaluation } from '@/contract/types'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Empty } from '@/ui/Empty/Empty'
import { GameTile } from '@/ui/GameTile/GameTile'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { SkeletonForm } from '@/ui/Skeleton/SkeletonPages'
import { copy } from './copy'
import { ReviewForm } from './parts/ReviewForm'
import { SubmittedReview } from './parts/SubmittedReview'
import { LoadedSale } from './SaleContent'
import './ReviewScreen.scss'

const goRecords = { text: copy.goRecords, onClick: () => void nav.redirect('mineEvaluationRecords') }

interface OrderReview {
  order: Order
  review: ValuationEvaluation | null
}

/** @param onSent the order's status may have changed: a low score starts a revaluation, any other completes it */
export function ReviewContent({ order, review: first, onSent }: OrderReview & { onSent: () => void }) {
  const [later, setLater] = useState<ValuationEvaluation>()
  const review = later ?? first
  const sent = (saved: ValuationEvaluation) => {
    setLater(saved)
    onSent()
  }
  if (!review && !order.actions.includes('EVALUATE'))
    return <Empty art='report' text={copy.notYet} action={goRecords} />
  const { gameId, gameName, title, orderNo } = order
  return (
    <>
      <Card flush>
        <Cell lead={<GameTile gameId={gameId} size='s' />} title={title || gameName} note={orderNo} />
        <Cell
          icon='ticket'
          title={copy.sold}
          note={copy.soldNote}
          onClick={() => void nav.redirect('mineEvaluationEvaluate', { orderId: order.orderId, tab: 'sale' })}
        />
      </Card>
      {review ? (
        <SubmittedReview review={review} order={order} onChange={sent} />
      ) : (
        <ReviewForm order={order} onSent={sent} />
      )}
    </>
  )
}

function LoadedReview({ orderId }: { orderId: string }) {
  const load = useLoad(`evaluate:${orderId}`, async (signal): Promise<OrderReview> => {
    const options = { quiet: true, signal }
    const [order, review] = await Promise.all([
      api.pay.getInfo({ orderId }, options),
      api.evaluation.getEvaluation({ orderId }, options),
    ])
    return { order, review }
  })
  if (!load.data && load.error?.status === 404) return <Empty art='report' text={copy.notFound} action={goRecords} />
  return (
    <LoadBoundary load={load} skeleton={<SkeletonForm fields={4} />}>
      {(found) => <ReviewContent {...found} onSent={() => void load.reload()} />}
    </LoadBoundary>
  )
}

/** The owner's review of a valuation, or with `tab=sale` what became of the account. */
export function ReviewScreen({ params }: ScreenProps<'mineEvaluationEvaluate'>) {
  if (params.orderId && params.tab === 'sale') return <LoadedSale orderId={params.orderId} />
  if (params.orderId) return <LoadedReview orderId={params.orderId} />
  return <Empty art='report' text={copy.notFound} action={goRecords} />
}
