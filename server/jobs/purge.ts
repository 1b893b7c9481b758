import { type RawBuilder, sql } from 'kysely'
import { DAY_MS } from '@/contract/time'
import type { DB } from '../db/tables'
import { MESSAGE_RETENTION_MS } from '../domains/accounts/notifications/list'
import { changeDueRows } from '../domains/shared/due-rows'
import type { Job } from '../domains/shared/job'
import { RECORDS_KEPT_MS } from '../domains/shared/retention'

interface Retention {
  table: keyof DB
  /** SQL of a row's id. Keys with mobile numbers, network addresses or text of visitors are hashed: failures show the id. */
  id: RawBuilder<string>
  /** column of the time (ms) from which a row is kept for `keptMs` */
  from: string
  keptMs: number
}

/** Rate-limit records are kept longer than the window of every limit; most numbers in them never belonged to a user. */
const ATTEMPTS_KEPT_MS = DAY_MS
/** Expired sessions are kept so that a returning user sees that the login expired, not that it was ended elsewhere. */
const EXPIRED_SESSIONS_KEPT_MS = 90 * DAY_MS

const retentions: readonly Retention[] = [
  { table: 'messages', id: sql`messages.id`, from: 'created_at', keptMs: MESSAGE_RETENTION_MS },
  { table: 'deleted_receipts', id: sql`deleted_receipts.order_id`, from: 'at', keptMs: MESSAGE_RETENTION_MS },
  { table: 'order_events', id: sql`order_events.id::text`, from: 'at', keptMs: RECORDS_KEPT_MS },
  { table: 'payment_notifications', id: sql`payment_notifications.id::text`, from: 'at', keptMs: RECORDS_KEPT_MS },
  { table: 'desk_log', id: sql`desk_log.id::text`, from: 'at', keptMs: RECORDS_KEPT_MS },
  { table: 'sms_codes', id: sql`sms_codes.id::text`, from: 'sent_at', keptMs: ATTEMPTS_KEPT_MS },
  { table: 'password_tries', id: sql`md5(password_tries.key)`, from: 'since', keptMs: ATTEMPTS_KEPT_MS },
  { table: 'throttles', id: sql`md5(throttles.key)`, from: 'since', keptMs: ATTEMPTS_KEPT_MS },
  { table: 'sessions', id: sql`sessions.id`, from: 'expires_at', keptMs: EXPIRED_SESSIONS_KEPT_MS },
  { table: 'staff_sessions', id: sql`staff_sessions.token_hash`, from: 'expires_at', keptMs: 0 },
]

/** Deletes rows past their retention, in bounded batches; a table that fails keeps no other from its turn. */
export const purge: Job = {
  name: 'purge',
  lowPriority: true,
  async run(deps, now) {
    let deleted = 0
    for (const { table, id, from, keptMs } of retentions)
      deleted += await changeDueRows(deps, now, {
        job: `purge: ${table}`,
        table,
        id,
        due: sql`${sql.ref(`${table}.${from}`)} <= ${now - keptMs}::bigint`,
        change: sql`delete from ${sql.table(table)}`,
      })
    return deleted
  },
}
