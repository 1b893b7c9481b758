import { type RawBuilder, sql } from 'kysely'
import type { Deps } from '../context'
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

async function renew(deps: Deps, monthly: MonthlyTable, now: number, kept: number): Promise<number> {
  const { db } = deps
  return (await createPartitions(db, monthly, now)) + (await dropPartitions(db, monthly, now - kept))
}

/** Deletes expired records in the default partition. */
function purgeDefault(deps: Deps, monthly: MonthlyTable, now: number): Promise<number> {
  const rest = defaultOf(monthly)
  const needed: RawBuilder<boolean> = monthly.needed?.(sql.table(rest)) ?? sql`false`
  return changeDueRows(deps, now, {
    job: `partitions: ${monthly.table}`,
    table: rest,
    id: sql`${sql.table(rest)}.id::text`,
    due: sql`${sql.ref(`${rest}.${monthly.column}`)} <= ${now - RECORDS_KEPT_MS}::bigint and not ${needed}`,
    change: sql`delete from ${sql.table(rest)}`,
  })
}

/**
 * Creates the partitions of the next months, and drops those whose rows have all expired. Expired records that are in no
 * month are deleted by rows; messages likewise by `purgeMessages`. A table that is locked keeps no other from its months.
 * @throws the first error, after all tables
 */
export const partitions: Job = {
  name: 'partitions',
  lowPriority: true,
  async run(deps, now) {
    let changed = 0
    const errors: unknown[] = []
    const attempt = async (work: Promise<number>) => {
      try {
        changed += await work
      } catch (err) {
        errors.push(err)
      }
    }
    await attempt(renew(deps, messages, now, MESSAGE_RETENTION_MS))
    for (const monthly of records) {
      await attempt(renew(deps, monthly, now, RECORDS_KEPT_MS))
      await attempt(purgeDefault(deps, monthly, now))
    }
    if (errors.length > 0) throw errors[0]
    return changed
  },
}
