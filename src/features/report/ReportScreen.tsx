import { View } from '@tarojs/components'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Report } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { countUp } from '@/platform/countUp'
import { firstScreen } from '@/platform/firstScreen'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { usePageMeta } from '@/router/pageContext'
import { cx } from '@/ui/cx'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { SkeletonReport } from '@/ui/Skeleton/SkeletonPages'
import { AppraisalSections } from './appraisal/AppraisalSections'
import { IncludedAiReport } from './appraisal/IncludedAi'
import { copy } from './copy'
import { canShare, shareMeta } from './model'
import { Comparables } from './parts/Comparables'
import { Confidence } from './parts/Confidence'
import { NoPrice } from './parts/NoPrice'
import { PriceAction } from './parts/PriceAction'
import { ReportActions } from './parts/ReportActions'
import { ReportDetails } from './parts/ReportDetails'
import { ExportCard, LockedParts, OtherValuation, PriceImprovements, Risk } from './parts/ReportSections'
import { VisitorActions } from './parts/VisitorActions'
import { ReportTop } from './ReportTop'
import { useReport } from './useReport'
import { requestShare, type ShareState } from './useSharing'

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
        other={<OtherValuation report={report} />}
        end={
          <>
            <PriceImprovements list={report.raise} />
            {mine ? (
              <>
                <LockedParts report={report} />
                <ExportCard report={report} />
                <ReportDetails report={report} onNamed={onChanged} />
              </>
            ) : (
              <ReportDetails report={report} plain={readOnly} />
            )}
          </>
        }
      >
        <AppraisalSections report={report} readOnly={readOnly} />
        <IncludedAiReport report={report} />
        <Comparables report={report} />
        <Confidence report={report} />
        {report.risk ? <Risk risk={report.risk} /> : null}
      </ReportTop>
      {mine ? <ReportActions report={report} onShared={onShared} onUnlocked={onChanged} /> : null}
      {mine || readOnly ? null : <VisitorActions />}
    </View>
  )
}

/** @param mine an own report, not one behind a link */
function Unavailable({ text, note, mine }: { text: string; note?: string; mine: boolean }) {
  const action = mine
    ? { text: copy.goRecords, onClick: () => void nav.redirect('mineEvaluationRecords') }
    : { text: copy.valueMine, onClick: () => void nav.redirect('evaluationChooseGame') }
  return <Empty art='report' text={text} note={note} action={action} />
}

/** The error names the game, so that the manual service can be offered for the same account. */
const gameIdOf = (data: unknown) => (data as { gameId?: string } | null | undefined)?.gameId

/** The report of a URL: the owner's own, or the shared view of a link. */
export function LoadedReport({ params }: ScreenProps<'report'>) {
  const load = useReport(params)
  const { data, error } = load
  // the share is that of the response, until the owner starts or ends it here
  const [share, setShare] = useState<ShareState>()
  const report = useMemo(() => (data && share ? { ...data, shareToken: share.token } : data), [data, share])
  const mine = report?.mine !== false
  // a reader who opened a share link shares the same link
  const token = mine ? report?.shareToken : params.shareToken
  /** for the host's menu: makes the link of the owner's report that has none */
  const makeShare = useCallback(async () => {
    if (!data) throw new Error('there is no report to share')
    const made = await requestShare(data.orderId)
    setShare(made)
    return shareMeta({ ...data, shareToken: made.token }, made.image)
  }, [data])
  usePageMeta(
    report && {
      ...shareMeta({ ...report, shareToken: token }, share?.image),
      makeShare: mine && !token && canShare(report, serverTime()) ? makeShare : undefined,
    },
  )
  if (!data && error?.code === 'SAMPLE_INSUFFICIENT') return <NoPrice gameId={gameIdOf(error.data)} />
  if (!data && error?.code === 'SHARE_REVOKED')
    return <Unavailable text={copy.shareRevoked} note={copy.shareRevokedNote} mine={false} />
  if (!data && error?.status === 404) {
    const shared = params.shareToken !== undefined
    return <Unavailable text={copy.notFound} note={shared ? copy.shareUnknownNote : copy.notFoundNote} mine={!shared} />
  }
  return (
    <LoadBoundary load={load} skeleton={<SkeletonReport />}>
      {(first) => <ReportContent report={report ?? first} onShared={setShare} onChanged={() => void load.reload()} />}
    </LoadBoundary>
  )
}

/** A valuation report: price and range, then the reasons, then the locked parts. */
export function ReportScreen({ params }: ScreenProps<'report'>) {
  const { orderId, reportNo, shareToken } = params
  return orderId || reportNo || shareToken ? <LoadedReport params={params} /> : <Unavailable text={copy.missing} mine />
}
