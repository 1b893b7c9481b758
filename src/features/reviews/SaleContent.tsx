import { useState } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { estimate } from '@/contract/format'
import { pastDayText } from '@/contract/timeText'
import type { SaleFollowUp } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Empty } from '@/ui/Empty/Empty'
import { GameTile } from '@/ui/GameTile/GameTile'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Notice } from '@/ui/Notice/Notice'
import { SkeletonForm } from '@/ui/Skeleton/SkeletonPages'
import { copy } from './copy'
import { SaleForm } from './parts/SaleForm'

const words = copy.sale
const day = (at: number) => pastDayText(at, serverTime())

/** The follow-up of one valuation: what was reported is in the form, and can be changed. */
export function SaleContent({ followUp: loaded }: { followUp: SaleFollowUp }) {
  const [reported, setReported] = useState<SaleFollowUp>()
  const followUp = reported ?? loaded
  const { gameId, gameName, title, predictFen, reportedAt, answer, thanked } = followUp
  return (
    <>
      <Card flush>
        <Cell
          lead={<GameTile gameId={gameId} size='s' />}
          title={title || gameName}
          note={words.report(estimate(predictFen), day(reportedAt))}
        />
      </Card>
      {answer ? <Notice tone='ok' text={thanked ? words.thanked : words.told(day(answer.toldAt))} /> : null}
      <SaleForm key={answer?.toldAt} followUp={followUp} onReported={setReported} />
    </>
  )
}

/** 卖出回访: asked for 7, 14 and 30 days after a report. */
export function LoadedSale({ orderId }: { orderId: string }) {
  const load = useLoad(`sale:${orderId}`, (signal) => api.sale.followUp({ orderId }, { quiet: true, signal }))
  if (!load.data && load.error?.status === 404) return <Empty art='report' text={copy.notFound} />
  return (
    <LoadBoundary load={load} skeleton={<SkeletonForm fields={3} />}>
      {(followUp) => <SaleContent followUp={followUp} />}
    </LoadBoundary>
  )
}
