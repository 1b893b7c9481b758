import { type RawBuilder, sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '@/contract/time'
import type { DB } from '../db/tables'
import { KEEP_MOBILE_HASH } from '../domains/accounts/account-deletion'
import { MESSAGE_RETENTION_MS } from '../domains/accounts/notifications/list'
import { changeDueRows } from '../domains/shared/due-rows'
import type { Job } from '../domains/shared/job'
import { RECORDS_KEPT_MS } from '../domains/shared/retention'

interface Retention {
  table: keyof DB
  /** column of the time (ms) from which a row is kept for `keptMs` */
  from: string
  keptMs: number
  /** SQL: rows that are deleted; default all */
  only?: RawBuilder<boolean>
}

/** Rate-limit records are kept longer than the window of every limit; most numbers in them never belonged to a user. */
const ATTEMPTS_KEPT_MS = DAY_MS
/** Expired sessions are kept so that a returning user sees that the login expired, not that it was ended elsewhere. */
const EXPIRED_SESSIONS_KEPT_MS = 90 * DAY_MS

const retentions: readonly Retention[] = [
  { table: 'messages', from: 'created_at', keptMs: MESSAGE_RETENTION_MS },
  { table: 'deleted_receipts', from: 'at', keptMs: MESSAGE_RETENTION_MS },
  { table: 'order_events', from: 'at', keptMs: RECORDS_KEPT_MS },
  { table: 'payment_notifications', from: 'at', keptMs: RECORDS_KEPT_MS },
  { table: 'desk_log', from: 'at', keptMs: RECORDS_KEPT_MS },
  { table: 'sms_codes', from: 'sent_at', keptMs: ATTEMPTS_KEPT_MS },
  { table: 'password_tries', from: 'since', keptMs: ATTEMPTS_KEPT_MS },
  { table: 'throttles', from: 'since', keptMs: ATTEMPTS_KEPT_MS },
  { table: 'sessions', from: 'expires_at', keptMs: EXPIRED_SESSIONS_KEPT_MS },
  { table: 'staff_sessions', from: 'expires_at', keptMs: 0 },
  { table: 'left_mobiles', from: 'left_at', keptMs: KEEP_MOBILE_HASH },
  // of rows that are no longer due; quarantined ones stay until staff release them
  { table: 'job_failures', from: 'last_at', keptMs: 7 * DAY_MS, only: sql`quarantined_at is null` },
]

/** Delete rows past their retention, in bounded batches: a job of its own for each table, so that none depends on another. */
export const purges = retentions.map(
  ({ table, from, keptMs, only = sql`true` }): Job => ({
    name: `purge ${table}`,
    lowPriority: true,
    every: HOUR_MS,
    run: (deps, now) =>
      changeDueRows(
        deps,
        table,
        sql`${sql.ref(from)} <= ${now - keptMs}::bigint and ${only}`,
        sql`delete from ${sql.table(table)}`,
      ),
  }),
)
