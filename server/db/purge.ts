import type { Kysely } from 'kysely'
import { DAY_MS } from '@/contract/time'
import type { Tables } from './tables'

/** ms codes are kept: longer than every limit that counts them */
const KEEP_CODES = 2 * DAY_MS
/** ms password attempts are kept: longer than any lock */
const KEEP_TRIES = DAY_MS

/** Deletes obsolete rows: expired sessions of staff, old codes, wrong password attempts. */
export async function purgeExpiredRows(db: Kysely<Tables>, now: number): Promise<void> {
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
