import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { databaseTime } from './now'
import type { DB } from './tables'

/** ms: validity of a lease; a killed process blocks its work for that long at most */
const LEASE_TTL_MS = 30_000
/** share of its validity after which a lease is renewed; two renewals may fail */
const RENEWED_AFTER = 1 / 3

/**
 * Runs work unless another process on this database runs work of the same name. No connection is held meanwhile. A
 * lease avoids duplicate work but does not protect rows: a delayed process may continue after its lease has expired.
 * @returns undefined if another process holds the lease
 */
export async function underLease<T>(
  db: Kysely<DB>,
  name: string,
  work: () => Promise<T>,
  lasts = LEASE_TTL_MS,
): Promise<{ result: T } | undefined> {
  const holder = randomUUID()
  const until = sql<number>`${databaseTime} + ${sql.lit(lasts)}`
  const taken = await db
    .insertInto('leases')
    .values({ name, holder, until })
    .onConflict((c) =>
      c
        .column('name')
        .doUpdateSet({ holder, until })
        // a lease longer than its maximum was taken while the clock was wrong, and is replaced
        .where(sql<boolean>`leases.until <= ${databaseTime} or leases.until > ${until}`),
    )
    .returning('name')
    .executeTakeFirst()
  if (!taken) return undefined
  const renew = () =>
    db
      .updateTable('leases')
      .set({ until })
      .where('name', '=', name)
      .where('holder', '=', holder)
      .execute()
      // the database is unavailable: the next renewal succeeds, or the lease expires
      .catch(() => undefined)
  const timer = setInterval(() => void renew(), lasts * RENEWED_AFTER)
  timer.unref()
  try {
    return { result: await work() }
  } finally {
    clearInterval(timer)
    await db
      .deleteFrom('leases')
      .where('name', '=', name)
      .where('holder', '=', holder)
      .execute()
      // it expires on its own
      .catch(() => undefined)
  }
}

/** If one process owns the database, leases of earlier processes are void. */
export const endLeases = (db: Kysely<DB>) => db.deleteFrom('leases').execute()
