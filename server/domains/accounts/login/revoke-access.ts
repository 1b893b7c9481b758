import type { Db } from '../../../db/database'
import { endExports } from '../data-export/exports'

/** Ends the user's sessions, optionally except one. */
export async function endSessions(db: Db, userId: string, except?: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== undefined, (q) => q.where('id', '<>', except ?? ''))
    .execute()
}

interface Revocation {
  userId: string
  /** id of the session that confirmed the event; it stays valid */
  except?: string
  /** ms */
  now: number
}

/**
 * Ends everything that opens the account or its data without the number or the password: sessions, WeChat logins and
 * finished data exports. Called for a new password, a new number and a request to delete the account, after which no
 * former holder of a session may regain access. The owner can bind WeChat again after the next login.
 * @param tx a transaction that holds the lock on the user's row: logins by WeChat take it before they look for their
 * account, so one that is in progress is either ended here or finds none
 */
export async function revokeAccess(tx: Db, { userId, except, now }: Revocation): Promise<void> {
  await endSessions(tx, userId, except)
  await tx.deleteFrom('wechat_logins').where('user_id', '=', userId).execute()
  await endExports(tx, userId, now)
}
