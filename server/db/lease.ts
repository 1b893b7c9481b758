import { randomUUID } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from './tables'

/** ms a lease lasts unless it is renewed: so long a process that was killed keeps others from its work */
const LASTS = 30_000
/** of its time a lease is renewed; two renewals may fail */
const RENEWED_AFTER = 1 / 3

/** The database's own time: processes need not agree on theirs, and the sandbox's clock moves no lease. */
const now: RawBuilder<number> = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/**
 * Works while no other process on this database does work of the same name. No connection is held meanwhile. It is a
 * promise not to do the same work twice, no protection of rows: who was held up may go on after its lease has ended.
 * @returns undefined when another process holds the lease
 */
export async function underLease<T>(
  db: Kysely<Tables>,
  name: string,
  work: () => Promise<T>,
  lasts = LASTS,
): Promise<{ result: T } | undefined> {
  const holder = randomUUID()
  const until = sql<number>`${now} + ${sql.lit(lasts)}`
  const taken = await db
    .insertInto('leases')
    .values({ name, holder, until })
    .onConflict((c) =>
      c
        .column('name')
        .doUpdateSet({ holder, until })
        // one that ends later than any may was taken while the clock was wrong
        .where(sql<boolean>`leases.until <= ${now} or leases.until > ${until}`),
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
      // the database is away: tried again, or the lease ends
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
      // it ends by itself
      .catch(() => undefined)
  }
}

/** Where one process alone has the database, leases of earlier ones mean nothing. */
export const endLeases = (db: Kysely<Tables>) => db.deleteFrom('leases').execute()
