import type { Kysely } from 'kysely'
import { DAY_MS } from '@/contract/time'
import type { Tables } from './tables'

/** ms a code is kept: longer than every limit that counts codes */
const KEEP_CODES = 2 * DAY_MS
/** ms tries of a password are kept: longer than any lock */
const KEEP_TRIES = DAY_MS

/** ms an expired login is remembered: whoever comes back with it is told that it ran out, and not that it was ended */
const KEEP_SESSIONS = 90 * DAY_MS

/** Removes what has no use any more: expired sessions, old codes, wrong passwords of yesterday. */
export async function tidy(db: Kysely<Tables>, now: number): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('expires_at', '<=', now - KEEP_SESSIONS)
    .execute()
  await db.deleteFrom('staff_sessions').where('expires_at', '<=', now).execute()
  await db
    .deleteFrom('sms_codes')
    .where('sent_at', '<', now - KEEP_CODES)
    .execute()
  await db
    .deleteFrom('password_tries')
    .where('since', '<', now - KEEP_TRIES)
    .execute()
}
