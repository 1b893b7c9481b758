import { useState } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { estimate, yuan } from '@/contract/format'
import { saleOutcomeText } from '@/contract/labels'
import { pastDayText } from '@/contract/timeText'
import type { SaleFollowUp } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Empty } from '@/ui/Empty/Empty'
import { GameTile } from '@/ui/GameTile/GameTile'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Notice } from '@/ui/Notice/Notice'
import { Notify } from '@/ui/Notify/Notify'
import { SkeletonForm } from '@/ui/Skeleton/SkeletonPages'
import { copy } from './copy'
import { SaleForm } from './parts/SaleForm'

const words = copy.sale
const day = (at: number) => pastDayText(at, serverTime())

function ReportedSale({ answer }: { answer: NonNullable<SaleFollowUp['answer']> }) {
  const { outcome, platform, listFen, listedAt, soldFen, soldAt, toldAt } = answer
  return (
    <Card flush>
      <Cell title={words.outcome} value={saleOutcomeText[outcome]} />
      {soldFen === undefined ? null : <Cell title={words.sold} value={yuan(soldFen)} note={soldAt && day(soldAt)} />}
      {listFen === undefined ? null : (
        <Cell title={words.list} value={yuan(listFen)} note={listedAt && day(listedAt)} />
      )}
      {platform ? <Cell title={words.platform} value={platform} /> : null}
      <Cell title={words.toldAt} value={day(toldAt)} />
    </Card>
  )
}

/** The follow-up of one valuation: the form, or what was reported with the way to change it. */
export function SaleContent({ followUp: loaded }: { followUp: SaleFollowUp }) {
  const [reported, setReported] = useState<SaleFollowUp>()
  const [changes, setChanges] = useState(false)
  const followUp = reported ?? loaded
  const { gameId, gameName, title, predictFen, reportedAt, answer, thanked } = followUp
  const report = words.report(estimate(predictFen), day(reportedAt))
  const onReported = (next: SaleFollowUp) => {
    setReported(next)
    setChanges(false)
  }
  return (
    <>
      <Card flush>
        <Cell lead={<GameTile gameId={gameId} size='s' />} title={title || gameName} note={report} />
      </Card>
      {thanked ? <Notice tone='ok' text={words.thanked} /> : null}
      {answer && !changes ? <ReportedSale answer={answer} /> : <SaleForm followUp={followUp} onReported={onReported} />}
      {answer && !changes ? (
        <ActionBar primary={{ text: words.update, onClick: () => setChanges(true) }} note={words.later} />
      ) : null}
      {answer?.outcome === 'LISTED' && !changes ? <Notify about='sale' /> : null}
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
