/** Measures how long deleting an account with many orders takes (docs/scale.md). */
import { randomBytes } from 'node:crypto'
import { createEncryption } from '../server/core/encryption.ts'
import { openDatabase } from '../server/db/database.ts'
import { TOOL_LIMITS } from '../server/db/pool-limits.ts'
import { deletePersonalData } from '../server/domains/accounts/account-deletion.ts'

class Undo extends Error {}

/** Rounds, because the first one also reads the rows from disk. */
const ROUNDS = 3

/**
 * Deletes the data of the user with the most orders, as the job does after the cooling-off period, and undoes it.
 * @returns ms of each round; the user's orders, and the rows of the tables from which theirs are picked
 */
export async function measureErasure(databaseUrl) {
  const { db, close } = await openDatabase({ dataDir: '', databaseUrl }, { limits: TOOL_LIMITS })
  const encryption = createEncryption([{ id: 'load', secret: randomBytes(32) }])
  try {
    const { user_id: userId, n: orders } = await db
      .selectFrom('orders')
      .select(({ fn }) => ['user_id', fn.countAll().as('n')])
      .groupBy('user_id')
      .orderBy('n', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const count = async (table) =>
      (
        await db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n
    const { mobile } = await db.selectFrom('users').select('mobile').where('id', '=', userId).executeTakeFirstOrThrow()
    const ms = []
    for (let round = 0; round < ROUNDS; round += 1)
      await db
        .transaction()
        .execute(async (tx) => {
          const started = performance.now()
          await deletePersonalData(tx, encryption, { userId, mobile, now: Date.now() })
          ms.push(Math.round(performance.now() - started))
          throw new Undo()
        })
        .catch((error) => {
          if (!(error instanceof Undo)) throw error
        })
    return { orders, of: { orders: await count('orders'), ledger: await count('ledger') }, ms }
  } finally {
    await close()
  }
}
