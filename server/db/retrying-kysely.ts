import { Kysely, NoResultError, type Transaction, type TransactionBuilder } from 'kysely'
import { isPlanOutdated } from './errors'
import type { DB } from './tables'

/** SQLSTATE: serialization_failure and deadlock_detected. The database has rolled back the whole transaction. */
const undone = new Set(['40001', '40P01'])
/** SQLSTATE foreign_key_violation */
const FOREIGN_KEY = '23503'
/** maximum number of attempts of a transaction */
const ATTEMPTS = 4

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code

/**
 * Whether a statement failed because a row it refers to is gone, such as the user whose account was merged into another
 * after the request was authenticated.
 */
export const isMissingRow = (error: unknown): boolean => error instanceof NoResultError || codeOf(error) === FOREIGN_KEY

/**
 * Kysely with transactions that are retried when the database rolled them back because of a deadlock or conflict. The
 * callback runs again from its beginning, so it must have no effects outside the database.
 *
 * This is the safety net. To keep deadlocks rare, locks are taken in one order: advisory locks on names (WeChat, then
 * mobile number), then users (`lockUsers`: lower id first), then everything that belongs to them.
 */
export class RetryingKysely extends Kysely<DB> {
  override transaction(): TransactionBuilder<DB> {
    const builder = super.transaction()
    const once = builder.execute.bind(builder)
    const execute = async <T>(callback: (tx: Transaction<DB>) => Promise<T>): Promise<T> => {
      for (let attempt = 1; ; attempt += 1)
        try {
          return await once(callback)
        } catch (error) {
          if (attempt >= ATTEMPTS || !(undone.has(String(codeOf(error))) || isPlanOutdated(error))) throw error
        }
    }
    return Object.assign(builder, { execute })
  }
}
