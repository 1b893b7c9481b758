import { sql } from 'kysely'
import { DAY_MS } from '@/contract/time'
import { changeDueRows } from '../shared/due-rows'
import type { Job } from '../shared/job'

/** ms; no limit looks further back */

/** Keys are numbers of people and networks: hashed, they may stand among the failures of jobs. */
const tables = [
  { table: 'sms_codes', id: sql<string>`sms_codes.id::text`, at: sql`sms_codes.sent_at` },
  { table: 'password_tries', id: sql<string>`md5(password_tries.key)`, at: sql`password_tries.since` },
  { table: 'turns', id: sql<string>`md5(turns.key)`, at: sql`turns.since` },
]

/**
 * Takes away what only limits needed: numbers that asked for a code or were tried with a password, and networks. Most of
 * them never became users.
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
