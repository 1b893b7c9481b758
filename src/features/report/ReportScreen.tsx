import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { api } from '@/api'
import { waysToUnlock } from '@/api/unlock'
import { type Load, useLoad } from '@/api/useLoad'
import { usePayStatus } from '@/api/usePayStatus'
import type { Report } from '@/contract/types'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { usePageMeta } from '@/router/pageContext'
import type { ParamsOf } from '@/router/routes'
import { appState } from '@/session/store'
import { Card } from '@/ui/Card/Card'
import { Empty } from '@/ui/Empty/Empty'
import { Loaded } from '@/ui/Loaded/Loaded'
import { Notice } from '@/ui/Notice/Notice'
import { SkeletonReport } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import { lockedParts, shareMeta, validity } from './model'
import { About } from './parts/About'
import { Breakdown } from './parts/Breakdown'
import { Comparables } from './parts/Comparables'
import { Confidence } from './parts/Confidence'
import { Locked, Raise, Risk, TopItems } from './parts/Extras'
import { Changed, History } from './parts/History'
import { Next } from './parts/Next'
import { NoPrice } from './parts/NoPrice'
import { Other } from './parts/Other'
import { PriceCard } from './parts/PriceCard'
import { ThreePrices } from './parts/ThreePrices'
import './ReportScreen.scss'

/** A part that stands only when it holds something. */
const given = <T,>(list: readonly T[] | undefined, draw: (list: T[]) => ReactNode) =>
  list && list.length > 0 ? draw([...list]) : null

function Warnings({ report }: { report: Report }) {
  const { expired } = validity(report, Date.now())
  return (
    <>
      {report.status === 'REVOKED' ? <Notice tone='bad' text={copy.revokedNote} /> : null}
      {expired ? <Notice tone='warn' icon='clock' text={copy.expiredNote} /> : null}
      {report.model?.synthetic ? <Notice tone='info' text={copy.synthetic} /> : null}
    </>
  )
}

function Appraiser({ report }: { report: Report }) {
  const both = [report.appraiser, report.second].filter((one) => one !== undefined)
  return (
    <>
      {both.map(({ name, no, years, comment, priceFen }) => (
        <Card key={no} title={copy.appraiser(name, years)} extra={no}>
          {priceFen === undefined ? null : <View className='rp-own'>{copy.ownPrice(priceFen)}</View>}
          {comment ? <View className='rp-comment'>{comment}</View> : null}
        </Card>
      ))}
      {both.length > 1 ? <View className='rp-two'>{copy.twoPeople}</View> : null}
    </>
  )
}

export function ReportContent({ report }: { report: Report }) {
  const locked = lockedParts(report)
  const { platform } = appState()
  const ways = waysToUnlock(usePayStatus(platform).status, platform)
  return (
    <View className='rp'>
      <PriceCard report={report} />
      <Warnings report={report} />
      <Appraiser report={report} />
      <Other report={report} />
      <Confidence report={report} />
      <ThreePrices price={report.price} />
      {report.breakdown.length > 0 ? <Breakdown report={report} /> : null}
      {given(report.topItems, (list) => (
        <TopItems list={list} />
      ))}
      <Comparables report={report} />
      {given(report.raise, (list) => (
        <Raise list={list} />
      ))}
      {report.risk ? <Risk risk={report.risk} /> : null}
      <Changed report={report} />
      <History report={report} />
      {locked.length > 0 ? <Locked parts={locked} soon={ways.length === 0} /> : null}
      <About report={report} />
      <Next report={report} ways={ways} />
    </View>
  )
}

function Missing({ text, note }: { text: string; note?: string }) {
  const action = { text: copy.goRecords, onClick: () => void nav.redirect('mineEvaluationRecords') }
  return <Empty art='report' text={text} note={note} action={action} />
}

function useReport({ orderId, reportNo, shareToken }: ParamsOf<'report'>): Load<Report> {
  return useLoad(`report:${orderId}:${reportNo}:${shareToken}`, (scope) =>
    api.evaluation.reportGet({ orderId, reportNo, shareToken }, { quiet: true, scope }),
  )
}

/** The refusal names the game, so that a person can be asked about the same account. */
const gameOf = (data: unknown) => (data as { gameId?: string } | null | undefined)?.gameId

function Found({ params }: ScreenProps<'report'>) {
  const load = useReport(params)
  usePageMeta(load.data && shareMeta(load.data, appState().shareDefaultImage))
  if (!load.data && load.error?.code === 'SAMPLE_INSUFFICIENT') return <NoPrice gameId={gameOf(load.error.data)} />
  if (!load.data && load.error?.status === 404) return <Missing text={copy.notFound} note={copy.notFoundNote} />
  return (
    <Loaded load={load} skeleton={<SkeletonReport />}>
      {(report) => <ReportContent report={report} />}
    </Loaded>
  )
}

/** A valuation report: the price and its range first, then why, then what is held back. */
export function ReportScreen({ params }: ScreenProps<'report'>) {
  return params.orderId || params.reportNo ? <Found params={params} /> : <Missing text={copy.missing} />
}
