import { FEATURED_REPORT_TOKEN, isEmbedToken } from '@/contract/constants'
import type { ScreenProps } from '@/router/page'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/Loaded/Loaded'
import { SkeletonReport } from '@/ui/Skeleton/SkeletonPages'
import { copy } from './copy'
import { VisitorActions } from './parts/VisitorActions'
import { LoadedReport, ReportContent } from './ReportScreen'
import { useReport } from './useReport'

/** Inside the page of another site, to be read and nothing else. */
export const isEmbedded = ({ shareToken = '' }: ScreenProps<'reportWxIframe'>['params']) => isEmbedToken(shareToken)

/** The same for everybody, its owner too. */
function ReadOnlyReport({ params }: ScreenProps<'reportWxIframe'>) {
  const load = useReport(params)
  const { data, error } = load
  // over, wrong or unknown: which one is nobody's business
  if (!data && (error?.code === 'SHARE_REVOKED' || error?.status === 404))
    return <Empty art='report' text={error.msg} note={copy.embedOver} />
  return (
    <LoadBoundary load={load} skeleton={<SkeletonReport />}>
      {(report) => (
        <>
          <ReportContent report={report} readOnly />
          {isEmbedded(params) ? null : <VisitorActions />}
        </>
      )}
    </LoadBoundary>
  )
}

/**
 * A report that is read without a login: by the link its owner has shared, from the gallery, or inside somebody else's
 * page or web-view, out of which nothing leads.
 */
export function EmbedScreen({ params }: ScreenProps<'reportWxIframe'>) {
  const { shareToken } = params
  if (!shareToken) return <Empty art='report' text={copy.notFound} note={copy.embedOver} />
  if (shareToken === FEATURED_REPORT_TOKEN || isEmbedded(params)) return <ReadOnlyReport params={params} />
  return <LoadedReport params={params} />
}
