import { FEATURED_REPORT_TOKEN, isEmbedToken } from '@/contract/constants'
import type { ScreenProps } from '@/router/page'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { SkeletonReport } from '@/ui/Skeleton/SkeletonPages'
import { copy } from './copy'
import { VisitorActions } from './parts/VisitorActions'
import { LoadedReport, ReportContent } from './ReportScreen'
import { useReport } from './useReport'

/** Embedded in another site: read-only. */
export const isEmbedded = ({ shareToken = '' }: ScreenProps<'reportWxIframe'>['params']) => isEmbedToken(shareToken)

/** Identical for every reader, including the owner. */
function ReadOnlyReport({ params }: ScreenProps<'reportWxIframe'>) {
  const load = useReport(params)
  const { data, error } = load
  // does not reveal whether the token expired, is wrong or never existed
  if (!data && (error?.code === 'SHARE_REVOKED' || error?.status === 404))
    return <Empty art='report' text={error.status === 404 ? copy.notFound : error.msg} note={copy.embedOver} />
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
 * A report that is read without a login: by a share link, from the featured reports, or embedded in another site or web view,
 * where it has no links.
 */
export function EmbedScreen({ params }: ScreenProps<'reportWxIframe'>) {
  const { shareToken } = params
  if (!shareToken) return <Empty art='report' text={copy.notFound} note={copy.embedOver} />
  if (shareToken === FEATURED_REPORT_TOKEN || isEmbedded(params)) return <ReadOnlyReport params={params} />
  return <LoadedReport params={params} />
}
