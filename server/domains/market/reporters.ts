import type { Db } from '../../db/database'
import type { Encryption } from '../../encryption'

/** Keyed hash by which the sales of one person are counted without naming the person. */
export const reporterOf = (encryption: Encryption, userId: string): string => encryption.hashes(`reporter:${userId}`)[0]

/** Removes the link from sales to a person who leaves; the sales stay, nobody can tell whose they were. */
export async function forgetReporter(tx: Db, encryption: Encryption, userId: string): Promise<void> {
  const hashes = encryption.hashes(`reporter:${userId}`)
  for (const table of ['sales', 'held_sales'] as const)
    await tx.updateTable(table).set({ reporter: null }).where('reporter', 'in', hashes).execute()
}
