import type { Report } from '@/contract/types'
import { nav } from '@/router/nav'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { copy } from '../copy'

/** The report as a picture and as a document, for its owner. */
export function ExportCard({ report: { orderId, status } }: { report: Report }) {
  if (status === 'REVOKED') return null
  return (
    <Card flush>
      <Cell icon='camera' title={copy.shareImage} onClick={() => void nav.to('reportScreenShot', { orderId })} />
      <Cell icon='download' title={copy.document} onClick={() => void nav.to('reportDownload', { orderId })} />
    </Card>
  )
}
