import { sql } from 'kysely'
import type { DeskContext } from './auth'
import { answeredBy, visibleOrders } from './visibility'

/** Work that waits, by the address of its page in the navigation. */
export type Counts = Readonly<Record<string, number>>

/** Orders to take or deliver, questions to answer, conversations without an answer, unanswered feedback. */
export async function countsOf({ deps: { db }, staff }: DeskContext): Promise<Counts> {
  const { rows } = await sql<{ href: string; n: number }>`
    select '/desk' as href, count(*)::int as n from orders where ${visibleOrders(staff)}
      and (status in ('PAID', 'ASSIGNED', 'REVALUING') or (status = 'REFUNDING' and refund_due_at is not null))
    union all select '/desk', count(*)::int from orders where asked_at is not null and ${answeredBy(staff)}
    union all select '/desk/chat', count(*)::int from chats where waiting_since is not null
    union all select '/desk/feedback', count(*)::int from feedback where status <> 'REPLIED'`.execute(db)
  const counts: Record<string, number> = {}
  for (const { href, n } of rows) counts[href] = (counts[href] ?? 0) + n
  return counts
}
