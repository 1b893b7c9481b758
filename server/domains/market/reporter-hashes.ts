import type { Db } from '../../db/database'
import type { SaleRow } from '../../db/sales'
import type { Encryption } from '../../encryption'

/** Keyed hash by which the sales of one person are counted without naming the person. */
export const reporterOf = (encryption: Encryption, userId: string): string => encryption.hashes(`reporter:${userId}`)[0]

/**
 * The marks of a person and of the device of their last sign-in by code, so that one of them with many accounts counts
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
    ...(client && { device: encryption.hashes(`reporter-device:${client}`)[0] }),
  }
}

/** All marks that sales of a person may bear: under each key, and of the accounts that were merged into theirs. */
export async function allReporterHashesOf(db: Db, encryption: Encryption, userId: string): Promise<string[]> {
  const former = await db.selectFrom('former_ids').select('former_id').where('user_id', '=', userId).execute()
  return [userId, ...former.map((row) => row.former_id)].flatMap((id) => encryption.hashes(`reporter:${id}`))
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

interface Merge {
  from: string
  into: string
  encryption: Encryption
}

/** Marks the sales of an account as those of the one that it is merged into, so that limits count them together. */
export const moveReporter = (tx: Db, { from, into, encryption }: Merge): Promise<void> =>
  setReporter(tx, { encryption, of: from, to: { reporter: reporterOf(encryption, into) } })
