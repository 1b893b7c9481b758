import { isIPv4, isIPv6 } from 'node:net'
import { sql } from 'kysely'
import { AppError } from '../../app-error'
import type { Db } from '../../db/database'
import type { Encryption } from '../../encryption'

/**
 * Groups addresses by network for rate limits. A household or phone owns a whole /64 of IPv6 and can use a new address
 * for every request.
 */
export function netOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip
  if (isIPv4(mapped) || !isIPv6(mapped)) return mapped
  const [head = '', tail] = (mapped.split('%')[0] ?? '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/**
 * Keyed hashes of a caller's network, the newest key's first: limits are counted by them, so that no table and no key
 * of a cache says where somebody was.
 */
export const netHashesOf = ({ encryption, ip }: { encryption: Encryption; ip: string }): [string, ...string[]] =>
  encryption.hashes(`net:${netOf(ip)}`)

/**
 * Locks rows of users until the transaction ends, in ascending order of id. All callers use this order, which prevents
 * deadlocks. Must be taken before any other row lock.
 * @param how `REMOVE` when one of them will be deleted: also blocks new references to it
 * @returns those that exist
 */
export const lockUsers = (tx: Db, ids: readonly string[], how: 'CHANGE' | 'REMOVE' = 'CHANGE') =>
  tx
    .selectFrom('users')
    .select(['id', 'mobile', 'off_at', 'erased'])
    .where('id', 'in', ids)
    .orderBy('id')
    .$if(how === 'CHANGE', (q) => q.forNoKeyUpdate())
    .$if(how === 'REMOVE', (q) => q.forUpdate())
    .execute()

/** Serialises decisions about this user until the transaction ends. @returns false: account being cancelled or gone */
export async function tryLockUser(tx: Db, userId: string): Promise<boolean> {
  const [row] = await lockUsers(tx, [userId])
  return row !== undefined && row.off_at === null
}

/**
 * Serialises operations of a user: rows counted or read after this cannot be changed by a concurrent request, and
 * nothing is created for an account that was cancelled concurrently. Must be taken before any other lock.
 * @throws AppError NOT_LOGGED_IN
 */
export async function lockUser(tx: Db, userId: string): Promise<void> {
  if (!(await tryLockUser(tx, userId))) throw new AppError('NOT_LOGGED_IN')
}

interface ThrottledUse {
  key: string
  max: number
  /** ms */
  window: number
  /** ms */
  now: number
}

/**
 * Rate limit: counts one of `max` uses in `window`, in one statement, so that concurrent requests cannot share a use.
 * @returns false when the limit is reached
 */
export async function tryThrottle(db: Db, { key, max, window, now }: ThrottledUse): Promise<boolean> {
  const over = sql<boolean>`turns.since <= ${now - window}`
  const taken = await db
    .insertInto('turns')
    .values({ key, n: 1, since: now })
    .onConflict((c) =>
      c
        .column('key')
        .doUpdateSet({
          n: sql<number>`case when ${over} then 1 else turns.n + 1 end`,
          since: sql<number>`case when ${over} then ${now}::bigint else turns.since end`,
        })
        .where((e) => e.or([over, e('turns.n', '<', max)])),
    )
    .returning('n')
    .executeTakeFirst()
  return taken !== undefined
}

/** `tryThrottle` for calls that may be repeated later. @throws AppError REQUEST_TOO_BUSY_PLEASE_WAIT */
export async function throttle(db: Db, use: ThrottledUse): Promise<void> {
  if (!(await tryThrottle(db, use))) throw new AppError('REQUEST_TOO_BUSY_PLEASE_WAIT')
}
