import { sql, type UpdateObject } from 'kysely'
import { keysOf, sharedPriceText } from '@/contract/labels'
import type { Encryption } from '../../core/encryption'
import type { Db } from '../../db/database'
import type { SaleChannel } from '../../db/sale-channels'
import type { DB } from '../../db/tables'

/** The hashes of a person under every key, the one in use first. */
const hashesOf = (encryption: Encryption, userId: string) => encryption.hashes(`reporter:${userId}`)
const deviceHashesOf = (encryption: Encryption, client: string) => encryption.hashes(`reporter-device:${client}`)

/** Keyed hash by which the sales of one person are counted without naming the person. */
export const reporterOf = (encryption: Encryption, userId: string): string => hashesOf(encryption, userId)[0]

/**
 * The hashes of a person and of the device of their last sign-in by code, so that one of them with many accounts counts
 * once.
 */
export async function reporterHashesOf(db: Db, encryption: Encryption, userId: string) {
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

/** Prices of these kinds that a person lets us use, those that wait too. */
async function pricesOf(db: Db, encryption: Encryption, userId: string, kinds: readonly SaleChannel[]) {
  const hashes = await allReporterHashesOf(db, encryption, userId)
  const read = (table: 'sales' | 'held_sales') =>
    db
      .selectFrom(table)
      .select(['channel', 'game_id', 'price_fen', 'at', 'attributes'])
      .where('channel', 'in', kinds)
      .where('reporter', 'in', hashes)
  return read('sales').unionAll(read('held_sales')).orderBy('at').orderBy('price_fen').execute()
}

/** Prices of pasted listings that a person let us use; no other table names them. */
export const listingPricesOf = async (db: Db, encryption: Encryption, userId: string) =>
  (await pricesOf(db, encryption, userId, ['LISTING'])).map(({ channel: _, ...price }) => price)

/** Kinds of prices that a person lets us use for the market: stored, held, or of a collection that is not valued yet. */
export async function sharedPricesOf(db: Db, encryption: Encryption, userId: string) {
  const kinds = keysOf(sharedPriceText)
  const given = new Set((await pricesOf(db, encryption, userId, kinds)).map(({ channel }) => channel))
  const collected = db.selectFrom('collection_tasks').select('id').where('user_id', '=', userId)
  if (await collected.where('listing_fen', 'is not', null).limit(1).executeTakeFirst()) given.add('LISTING')
  return kinds.filter((kind) => given.has(kind))
}

const setReporter = async (tx: Db, hashes: readonly string[], to: UpdateObject<DB, 'sales' | 'held_sales'>) => {
  // held ones first: one that staff accept meanwhile is then found among the sales
  for (const table of ['held_sales', 'sales'] as const)
    await tx.updateTable(table).set(to).where('reporter', 'in', hashes).execute()
}

/**
 * Removes the links from sales to a person whose account is deleted, and to their orders, of whose ids anybody can compute
 * the hash; the sales are kept anonymously. To be called before the person's former ids are deleted.
 */
export async function unlinkReporter(tx: Db, encryption: Encryption, userId: string): Promise<void> {
  const external_id = sql<string>`gen_random_uuid()::text`
  await setReporter(tx, await allReporterHashesOf(tx, encryption, userId), {
    reporter: null,
    device: null,
    external_id,
  })
}

/**
 * Stores all sales of a person under the same hash, so that limits count them together: those under an earlier key, and of the
 * accounts that were merged into theirs. To be called after the former ids are those of the person.
 */
export const unifyReporter = async (tx: Db, encryption: Encryption, userId: string): Promise<void> =>
  setReporter(tx, await allReporterHashesOf(tx, encryption, userId), { reporter: reporterOf(encryption, userId) })

const BATCH = 500

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
    const pairs = users
      .flatMap(({ id, client }) => [hashesOf(encryption, id), ...(client ? [deviceHashesOf(encryption, client)] : [])])
      .flatMap(([fresh, ...stale]) => stale.map((old) => ({ old, fresh })))
    for (const table of ['held_sales', 'sales'] as const)
      for (const column of ['reporter', 'device'] as const) {
        const { numAffectedRows = 0n } = await sql`update ${sql.table(table)} s set ${sql.ref(column)} = m.fresh
          from json_to_recordset(${JSON.stringify(pairs)}::json) as m(old text, fresh text)
          where s.${sql.ref(column)} = m.old`.execute(db)
        n += Number(numAffectedRows)
      }
    last = users.at(-1)?.id
  }
  return n
}
