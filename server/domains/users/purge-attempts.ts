import { sql } from 'kysely'
import { DAY_MS } from '@/contract/time'
import { changeDueRows } from '../shared/due-rows'
import type { Job } from '../shared/job'

/** Row ids contain mobile numbers and network addresses, so they are hashed before they appear among job failures. */
const tables = [
  { table: 'sms_codes', id: sql<string>`sms_codes.id::text`, at: sql`sms_codes.sent_at` },
  { table: 'password_tries', id: sql<string>`md5(password_tries.key)`, at: sql`password_tries.since` },
  { table: 'turns', id: sql<string>`md5(turns.key)`, at: sql`turns.since` },
]

/**
 * Purges rate-limit records (SMS codes, password attempts, throttles) after one day, longer than the window of every
 * limit. Most of the numbers in them never belonged to a user.
 */
export const purgeAttempts: Job = {
  name: 'old codes and tries',
  async run(deps, now) {
    let gone = 0
    for (const { table, id, at } of tables)
      gone += await changeDueRows(deps, now, {
        job: `old codes and tries: ${table}`,
        table,
        id,
        due: sql`${at} <= ${now - DAY_MS}::bigint`,
        change: sql`delete from ${sql.table(table)}`,
      })
    return gone
  },
}
