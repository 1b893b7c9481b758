import type { AppError } from '@/api'
import { nav } from '@/router/nav'
import { Empty } from '@/ui/Empty/Empty'
import { copy } from '../copy'

/** There is no such report for this person, or it was taken back: the server's own sentence where it has one. */
export function Gone({ error }: { error?: AppError | undefined }) {
  const action = { text: copy.records, onClick: () => void nav.redirect('mineEvaluationRecords') }
  const text = error ? (error.serverMsg ?? copy.notFound) : copy.missing
  return <Empty art='report' text={text} note={error && copy.notFoundNote} action={action} />
}
