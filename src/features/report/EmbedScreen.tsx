import { useState } from 'react'
import { hasBack } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { Empty } from '@/ui/Empty/Empty'
import { Loaded } from '@/ui/Loaded/Loaded'
import { SkeletonReport } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import { VisitorNext } from './parts/Next'
import { ReportContent } from './ReportScreen'
import { useReport } from './useReport'

function Embedded({ params }: ScreenProps<'reportWxIframe'>) {
  const load = useReport(params)
  const [inApp] = useState(hasBack)
  const { data, error } = load
  // over, wrong or unknown: which one is nobody's business
  if (!data && (error?.code === 'SHARE_REVOKED' || error?.status === 404))
    return <Empty art='report' text={error.msg} note={copy.embedOver} />
  return (
    <Loaded load={load} skeleton={<SkeletonReport />}>
      {(report) => (
        <>
          <ReportContent report={report} readOnly />
          {inApp ? <VisitorNext /> : null}
        </>
      )}
    </Loaded>
  )
}

/**
 * A report inside somebody else's page or a web-view: to be read, without a login, and with no way out of it.
 * Opened from a page of ours it has a way back and a next step.
 */
export function EmbedScreen({ params }: ScreenProps<'reportWxIframe'>) {
  if (params.shareToken) return <Embedded params={params} />
  return <Empty art='report' text={copy.notFound} note={copy.embedOver} />
}
