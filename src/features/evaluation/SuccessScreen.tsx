import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { SkeletonReport } from '@/ui/Skeleton/SkeletonPages'
import { copy } from './copy'
import { NoPrice } from './parts/NoPrice'
import { ValuationProgress } from './parts/ValuationProgress'
import { isUnderWay, stageOf, useOrderProgress } from './useOrder'

const toRecords = { text: copy.records, onClick: () => void nav.redirect('mineEvaluationRecords') }

function Result({ orderId }: { orderId: string }) {
  const { load, visible } = useOrderProgress(orderId)
  if (!load.data && load.error?.status === 404)
    return <Empty art='search' text={copy.unknownOrder} action={toRecords} />
  return (
    <LoadBoundary load={load} skeleton={<SkeletonReport />}>
      {(order) => {
        const stage = stageOf(order)
        if (isUnderWay(stage) || stage === 'ready') return <ValuationProgress {...{ order, stage, visible }} />
        return <NoPrice order={order} stage={stage} />
      }}
    </LoadBoundary>
  )
}

/** After submitting: what happens next; the report opens on its own when it is ready. */
export function SuccessScreen({ params }: ScreenProps<'evaluationFillInInfoSuccess'>) {
  if (params.orderId) return <Result orderId={params.orderId} />
  return <Empty art='report' text={copy.noOrder} action={toRecords} />
}
