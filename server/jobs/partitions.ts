import { type RawBuilder, sql } from 'kysely'
import { createPartitions, defaultOf, dropPartitions, type MonthlyTable } from '../db/partitions'
import { MESSAGE_RETENTION_MS } from '../domains/notifications/list'
import { changeDueRows } from '../domains/shared/due-rows'
import type { Job } from '../domains/shared/job'
import { RECORDS_KEPT_MS } from '../domains/shared/retention'

/** SQL: whether one of these orders may still change. Not a join, so each is found by its id. */
const anyOpen = (orderIds: RawBuilder<unknown>) => sql<boolean>`coalesce((select bool_or(
    o.status not in ('DONE', 'EXPIRED', 'REFUNDED', 'CANCELED', 'CLOSED'))
  from orders o where o.id = any (array(${orderIds}))), false)`

const messages: MonthlyTable = { table: 'messages', column: 'created_at' }

/** Records of orders and money, kept for `RECORDS_KEPT_MS` and until their order has ended. */
const records: readonly MonthlyTable[] = [
  {
    ...{ table: 'order_events', column: 'order_at' },
    needed: (t) => anyOpen(sql`select ${t}.order_id`),
  },
  {
    ...{ table: 'provider_notices', column: 'payment_at' },
    needed: (t) =>
      anyOpen(sql`select order_id from payments where id = ${t}.subject
        union all select order_id from refunds where id = ${t}.subject`),
  },
  { table: 'desk_log', column: 'at' },
]

/**
 * Creates the partitions of the next months, and drops those whose rows have all expired. Expired records that are in no
 * month are deleted by rows; messages likewise by `purgeMessages`.
 */
export const partitions: Job = {
  name: 'partitions',
  async run(deps, now) {
    const { db } = deps
    let changed = await createPartitions(db, messages, now)
    changed += await dropPartitions(db, messages, now - MESSAGE_RETENTION_MS)
    const before = now - RECORDS_KEPT_MS
    for (const monthly of records) {
      const rest = defaultOf(monthly)
      const needed: RawBuilder<boolean> = monthly.needed?.(sql.table(rest)) ?? sql`false`
      changed += await createPartitions(db, monthly, now)
      changed += await dropPartitions(db, monthly, before)
      changed += await changeDueRows(deps, now, {
        job: `partitions: ${monthly.table}`,
        table: rest,
        id: sql`${sql.table(rest)}.id::text`,
        due: sql`${sql.ref(`${rest}.${monthly.column}`)} <= ${before}::bigint and not ${needed}`,
        change: sql`delete from ${sql.table(rest)}`,
      })
    }
    return changed
  },
}
