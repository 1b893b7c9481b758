import { sql } from 'kysely'
import { AppError } from '../../core/app-error'
import type { Db } from '../../db/database'

/** Advisory lock on what has no row, as a number or a WeChat id: serialises decisions about it until the transaction ends. */
export const lockName = (tx: Db, what: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${what}, 0))`.execute(tx)

/**
 * Locks rows of users until the transaction ends, in ascending order of id. All callers use this order, which prevents
 * deadlocks. Must be taken before any other row lock.
 * @param how `REMOVE` when one of them will be deleted: also blocks new references to it
 * @returns those that exist
 */
export const lockUsers = (tx: Db, ids: readonly string[], how: 'CHANGE' | 'REMOVE' = 'CHANGE') =>
  tx
    .selectFrom('users')
    .select(['id', 'mobile', 'deletion_at', 'erased'])
    .where('id', 'in', ids)
    .orderBy('id')
    .$if(how === 'CHANGE', (q) => q.forNoKeyUpdate())
    .$if(how === 'REMOVE', (q) => q.forUpdate())
    .execute()

/** Serialises decisions about this user until the transaction ends. @returns false: the account is deleted, or is about to be */
export async function tryLockUser(tx: Db, userId: string): Promise<boolean> {
  const [row] = await lockUsers(tx, [userId])
  return row !== undefined && row.deletion_at === null
}

/**
 * Serialises operations of a user: rows counted or read after this cannot be changed by a concurrent request, and
 * nothing is created for an account whose deletion was requested concurrently. Must be taken before any other lock.
 * @throws AppError NOT_LOGGED_IN
 */
export async function lockUser(tx: Db, userId: string): Promise<void> {
  if (!(await tryLockUser(tx, userId))) throw new AppError('NOT_LOGGED_IN')
}
