import { sql } from 'kysely'
import type { Db } from '../../db/database'
import type { SaleRow } from '../../db/sales'
import type { Encryption } from '../../encryption'

/** Under every key, the one in use first. */
const hashesOf = (encryption: Encryption, userId: string) => encryption.hashes(`reporter:${userId}`)
const deviceHashesOf = (encryption: Encryption, client: string) => encryption.hashes(`reporter-device:${client}`)

/** Keyed hash by which the sales of one person are counted without naming the person. */
export const reporterOf = (encryption: Encryption, userId: string): string => hashesOf(encryption, userId)[0]

/**
 * The hashes of a person and of the device of their last sign-in by code, so that one of them with many accounts counts
 * once.
 */
export async function reporterHashesOf(
  db: Db,
  encryption: Encryption,
  userId: string,
): Promise<Required<Pick<SaleRow, 'reporter'>> & Pick<SaleRow, 'device'>> {
  const user = await db.selectFrom('users').select('code_client').where('id', '=', userId).executeTakeFirst()
  const client = user?.code_client
  return {
    reporter: reporterOf(encryption, userId),
    ...(client && { device: deviceHashesOf(encryption, client)[0] }),
  }
}

/** All hashes under which sales of a person may be stored: under each key, and of the accounts that were merged into theirs. */
export async function allReporterHashesOf(db: Db, encryption: Encryption, userId: string): Promise<string[]> {
  const former = await db.selectFrom('former_ids').select('former_id').where('user_id', '=', userId).execute()
  return [userId, ...former.map((row) => row.former_id)].flatMap((id) => hashesOf(encryption, id))
}

/**
 * Prices of pasted listings that a person let us use, those that wait or were refused too; no other table names them.
 * An accepted one is in both tables and listed once.
 */
export async function listingPricesOf(db: Db, encryption: Encryption, userId: string) {
  const hashes = await allReporterHashesOf(db, encryption, userId)
  const read = (table: 'sales' | 'held_sales') =>
    db
      .selectFrom(table)
      .select(['game_id', 'price_fen', 'at', 'attributes'])
      .where('channel', '=', 'LISTING')
      .where('reporter', 'in', hashes)
  return read('sales').union(read('held_sales')).orderBy('at').orderBy('price_fen').execute()
}

/**
 * Changes who reported the sales of a person, held ones first: one that staff accept meanwhile is then found among the
 * sales.
 */
async function setReporter(
  tx: Db,
  { encryption, of, to }: { encryption: Encryption; of: string; to: { reporter: string | null; device?: null } },
): Promise<void> {
  const hashes = await allReporterHashesOf(tx, encryption, of)
  for (const table of ['held_sales', 'sales'] as const)
    await tx.updateTable(table).set(to).where('reporter', 'in', hashes).execute()
}

/**
 * Removes the link from sales to a person whose account is deleted; the sales are kept anonymously. To be called before
 * the person's former ids are deleted.
 */
export const unlinkReporter = (tx: Db, encryption: Encryption, userId: string): Promise<void> =>
  setReporter(tx, { encryption, of: userId, to: { reporter: null, device: null } })

/**
 * Stores all sales of a person under the same hash, so that limits count them together: those under an earlier key, and of the
 * accounts that were merged into theirs. To be called after the former ids are those of the person.
 */
export const unifyReporter = (tx: Db, encryption: Encryption, userId: string): Promise<void> =>
  setReporter(tx, { encryption, of: userId, to: { reporter: reporterOf(encryption, userId) } })

const BATCH = 500

/** A hash under which sales of a person are stored, and the one under which they should be. */
interface Rehash {
  column: 'reporter' | 'device'
  old: string
  fresh: string
}

async function rehash(db: Db, hashes: readonly Rehash[]): Promise<number> {
  let n = 0
  for (const table of ['held_sales', 'sales'] as const)
    for (const column of ['reporter', 'device'] as const) {
      const pairs = hashes.filter((one) => one.column === column)
      if (pairs.length === 0) continue
      const { numAffectedRows = 0n } = await sql`update ${sql.table(table)} s set ${sql.ref(column)} = m.fresh
        from json_to_recordset(${JSON.stringify(pairs)}::json) as m(old text, fresh text)
        where s.${sql.ref(column)} = m.old`.execute(db)
      n += Number(numAffectedRows)
    }
  return n
}

/**
 * Stores sales that are under hashes of earlier keys under those of the first one, because one person would otherwise count
 * as several. @returns how many hashes were changed
 */
export async function rehashReporters(db: Db, encryption: Encryption): Promise<number> {
  let n = 0
  let last: string | undefined = ''
  while (last !== undefined) {
    const users = await db
      .selectFrom('users')
      .select(['id', 'code_client as client'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH)
      .execute()
    n += await rehash(
      db,
      users.flatMap(({ id, client }): Rehash[] => {
        const [fresh, ...stale] = hashesOf(encryption, id)
        const [freshDevice, ...staleDevices] = client ? deviceHashesOf(encryption, client) : ['']
        return [
          ...stale.map((old) => ({ column: 'reporter', old, fresh }) as const),
          ...staleDevices.map((old) => ({ column: 'device', old, fresh: freshDevice }) as const),
        ]
      }),
    )
    last = users.at(-1)?.id
  }
  return n
}
