import type { ApiError } from '@/api'
import { nav } from '@/router/nav'
import { Empty } from '@/ui/Empty/Empty'
import { copy } from '../copy'

/** The report does not exist for this user or was revoked; shows the server's message if there is one. */
export function ReportUnavailable({ error }: { error?: ApiError | undefined }) {
  const action = { text: copy.records, onClick: () => void nav.redirect('mineEvaluationRecords') }
  const text = error ? (error.serverMsg ?? copy.notFound) : copy.missing
  return <Empty art='report' text={text} note={error && copy.notFoundNote} action={action} />
}
