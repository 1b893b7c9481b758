import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { api } from '@/api'
import { type Load, useLoad } from '@/api/useLoad'
import { APP_VERSION } from '@/contract/constants'
import type { Report } from '@/contract/types'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { usePageMeta } from '@/router/pageContext'
import type { ParamsOf } from '@/router/routes'
import { appState } from '@/session/store'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { Card } from '@/ui/Card/Card'
import { Empty } from '@/ui/Empty/Empty'
import { Loaded } from '@/ui/Loaded/Loaded'
import { Notice } from '@/ui/Notice/Notice'
import { SkeletonReport } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import { canUnlock, lockedParts, shareMeta, validity } from './model'
import { About } from './parts/About'
import { Breakdown } from './parts/Breakdown'
import { Comparables } from './parts/Comparables'
import { Confidence } from './parts/Confidence'
import { History, Locked, Raise, Risk, TopItems } from './parts/Extras'
import { PriceCard } from './parts/PriceCard'
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
  const { appraiser } = report
  if (!appraiser) return null
  return (
    <Card title={copy.appraiser(appraiser.name, appraiser.years)} extra={appraiser.no}>
      <View className='rp-comment'>{appraiser.comment}</View>
    </Card>
  )
}

function useUnlockable() {
  const { data } = useLoad('status', (scope) =>
    api.app.openPayStatus({ platform: appState().platform, version: APP_VERSION }, { quiet: true, scope }),
  )
  return canUnlock(data)
}

/** The one thing to do next: unlock what is held back, value again what has run out, or value another account. */
function Next({ report, unlockable }: { report: Report; unlockable: boolean }) {
  const { orderId, gameId, mode, status } = report
  const records = { text: copy.records, onClick: () => void nav.to('mineEvaluationRecords') }
  const over = validity(report, Date.now()).expired || status === 'REVOKED'
  if (!over && status === 'LOCKED' && unlockable)
    return (
      <ActionBar
        primary={{
          text: copy.unlock,
          kind: 'celebrate',
          icon: 'unlock',
          onClick: () => void nav.to('reportUnlockInvite', { orderId }),
        }}
        secondary={records}
      />
    )
  const again = () => void nav.to('evaluationFillInInfo', { gameId, mode })
  return (
    <ActionBar
      primary={
        over
          ? { text: copy.again, onClick: again }
          : { text: copy.another, onClick: () => void nav.to('evaluationChooseGame') }
      }
      secondary={records}
    />
  )
}

export function ReportContent({ report }: { report: Report }) {
  const locked = lockedParts(report)
  const unlockable = useUnlockable()
  return (
    <View className='rp'>
      <PriceCard report={report} />
      <Warnings report={report} />
      <Confidence report={report} />
      <Breakdown report={report} />
      <Appraiser report={report} />
      {given(report.topItems, (list) => (
        <TopItems list={list} />
      ))}
      {given(report.comparables, (list) => (
        <Comparables list={list} />
      ))}
      {given(report.raise, (list) => (
        <Raise list={list} />
      ))}
      {report.risk ? <Risk risk={report.risk} /> : null}
      {given(report.history, (list) => (
        <History list={list} />
      ))}
      {locked.length > 0 ? <Locked parts={locked} soon={!unlockable} /> : null}
      <About report={report} />
      <Next report={report} unlockable={unlockable} />
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

function Found({ params }: ScreenProps<'report'>) {
  const load = useReport(params)
  usePageMeta(load.data && shareMeta(load.data, appState().shareDefaultImage))
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
