import { View } from '@tarojs/components'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { unlockMethods } from '@/api/unlock'
import type { Load } from '@/api/useLoad'
import { usePayStatus } from '@/api/usePayStatus'
import type { Report } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { countUp } from '@/platform/countUp'
import { firstScreen } from '@/platform/firstScreen'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { usePageMeta } from '@/router/pageContext'
import { shareImages } from '@/router/share'
import { appState } from '@/session/store'
import { cx } from '@/ui/cx'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { SkeletonReport } from '@/ui/Skeleton/SkeletonPages'
import { AfterDelivery } from './appraisal/AfterDelivery'
import { AppraisalSections } from './appraisal/AppraisalSections'
import { IncludedAiReport } from './appraisal/IncludedAi'
import { Reconciliation } from './appraisal/Reconciliation'
import { Revised } from './appraisal/Revised'
import { copy } from './copy'
import { canShare, lockedParts, shareMeta } from './model'
import { Comparables } from './parts/Comparables'
import { Confidence } from './parts/Confidence'
import { ExportCard } from './parts/ExportCard'
import { ModelVersusAppraiser } from './parts/ModelVersusAppraiser'
import { NoPrice } from './parts/NoPrice'
import { PriceAction } from './parts/PriceAction'
import { ReportActions } from './parts/ReportActions'
import { ReportDetails } from './parts/ReportDetails'
import { LockedParts, PriceImprovements, Risk } from './parts/ReportSections'
import { VisitorActions } from './parts/VisitorActions'
import { ReportTop } from './ReportTop'
import { useReport } from './useReport'
import { requestShare, type ShareState } from './useSharing'

/** A section that is rendered only if it has content. */
const whenNonEmpty = <T,>(list: readonly T[] | undefined, draw: (list: T[]) => ReactNode) =>
  list && list.length > 0 ? draw([...list]) : null

/** `methods`: undefined while the server has not yet said which it offers */
function useUnlockMethods() {
  const { status, loaded } = usePayStatus(appState().platform)
  const methods = loaded ? unlockMethods(status) : undefined
  return { methods, isUnavailable: status !== undefined && methods?.length === 0 }
}

/** Actions of the owner. */
function OwnerSections({ report, onChanged }: Required<Pick<ContentProps, 'report' | 'onChanged'>>) {
  const locked = lockedParts(report)
  const { isUnavailable } = useUnlockMethods()
  return (
    <>
      {locked.length > 0 ? <LockedParts parts={locked} isUnavailable={isUnavailable} /> : null}
      <ExportCard report={report} />
      <ReportDetails report={report} onNamed={onChanged} />
    </>
  )
}

function OwnerActions({ report, onShared, onChanged }: Required<Omit<ContentProps, 'readOnly'>>) {
  const { methods } = useUnlockMethods()
  return <ReportActions report={report} methods={methods} onShared={onShared} onUnlocked={onChanged} />
}

interface ContentProps {
  report: Report
  /** read-only: no links and no actions */
  readOnly?: boolean
  onShared?: (share: ShareState) => void
  /** called after the report was unlocked or renamed */
  onChanged?: () => void
}

const nothing = () => undefined

export function ReportContent({ report, readOnly = false, onShared = nothing, onChanged = nothing }: ContentProps) {
  const mine = report.mine !== false
  const [opens] = useState(() => !firstScreen.isVisible())
  useEffect(() => (opens ? countUp('.taro_page_show .rp--opens .ui-price--hero') : undefined), [opens])
  return (
    <View className={cx('rp', opens && 'rp--opens')}>
      <ReportTop
        report={report}
        now={serverTime()}
        readOnly={readOnly}
        action={<PriceAction report={report} />}
        other={<ModelVersusAppraiser report={report} />}
        end={
          <>
            {whenNonEmpty(report.raise, (list) => (
              <PriceImprovements list={list} />
            ))}
            {mine ? (
              <OwnerSections report={report} onChanged={onChanged} />
            ) : (
              <ReportDetails report={report} plain={readOnly} />
            )}
          </>
        }
      >
        <Revised report={report} />
        <Reconciliation report={report} />
        <AppraisalSections report={report} />
        {readOnly ? null : <AfterDelivery report={report} />}
        <IncludedAiReport report={report} />
        <Comparables report={report} />
        <Confidence report={report} />
        {report.risk ? <Risk risk={report.risk} /> : null}
      </ReportTop>
      {mine ? <OwnerActions report={report} onShared={onShared} onChanged={onChanged} /> : null}
      {mine || readOnly ? null : <VisitorActions />}
    </View>
  )
}

function ReportNotFound({ text, note }: { text: string; note?: string }) {
  const action = { text: copy.goRecords, onClick: () => void nav.redirect('mineEvaluationRecords') }
  return <Empty art='report' text={text} note={note} action={action} />
}

/** For a share that has ended or never existed. */
function ShareUnavailable({ text, note }: { text: string; note: string }) {
  const action = { text: copy.valueMine, onClick: () => void nav.redirect('evaluationChooseGame') }
  return <Empty art='report' text={text} note={note} action={action} />
}

/** The error names the game, so that the manual service can be offered for the same account. */
const gameIdOf = (data: unknown) => (data as { gameId?: string } | null | undefined)?.gameId

/** The report with its current share token: that of the response, until the owner starts or ends the share here. */
function useReportWithShare(load: Load<Report>) {
  const [now, setNow] = useState<ShareState>()
  const { data } = load
  const report = useMemo(() => (data && now ? { ...data, shareToken: now.token } : data), [data, now])
  return { report, image: now?.image, onShared: setNow }
}

/** For the host's menu: makes the link of the owner's report that has none. */
function useShareOnDemand(report: Report | undefined, onShared: (share: ShareState) => void) {
  const makeShare = useCallback(async () => {
    if (!report) throw new Error('there is no report to share')
    const { token, image } = await requestShare(report.orderId)
    onShared({ token, image })
    return shareMeta({ ...report, shareToken: token }, image)
  }, [report, onShared])
  return report && report.mine !== false && !report.shareToken && canShare(report, serverTime()) ? makeShare : undefined
}

/** The report of a URL: the owner's own, or the shared view of a link. */
export function LoadedReport({ params }: ScreenProps<'report'>) {
  const load = useReport(params)
  const { data, error } = load
  const { report, image, onShared } = useReportWithShare(load)
  const makeShare = useShareOnDemand(report, onShared)
  // a reader who opened a share link shares the same link
  const token = report?.mine === false ? params.shareToken : report?.shareToken
  const shared = report && shareMeta({ ...report, shareToken: token }, image ?? (token && shareImages.report(token)))
  usePageMeta(shared && { ...shared, makeShare })
  if (!data && error?.code === 'SAMPLE_INSUFFICIENT') return <NoPrice gameId={gameIdOf(error.data)} />
  if (!data && error?.code === 'SHARE_REVOKED')
    return <ShareUnavailable text={copy.shareRevoked} note={copy.shareRevokedNote} />
  if (!data && error?.status === 404)
    return params.shareToken ? (
      <ShareUnavailable text={copy.notFound} note={copy.shareUnknownNote} />
    ) : (
      <ReportNotFound text={copy.notFound} note={copy.notFoundNote} />
    )
  return (
    <LoadBoundary load={load} skeleton={<SkeletonReport />}>
      {(first) => <ReportContent report={report ?? first} onShared={onShared} onChanged={() => void load.reload()} />}
    </LoadBoundary>
  )
}

/** A valuation report: price and range, then the reasons, then the locked parts. */
export function ReportScreen({ params }: ScreenProps<'report'>) {
  const { orderId, reportNo, shareToken } = params
  return orderId || reportNo || shareToken ? <LoadedReport params={params} /> : <ReportNotFound text={copy.missing} />
}
