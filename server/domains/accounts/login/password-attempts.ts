import { sql } from 'kysely'
import { AppError } from '../../../core/app-error'
import type { Db } from '../../../db/database'
import { CLOCK_TOLERANCE_MS } from '../../shared/due'

/** ms in which wrong passwords are counted, and the duration of the lockout after the last one */
const WINDOW = 15 * 60_000

/** the latest attempt of each key in this process, for the next one to wait for */
const queues = new Map<string, Promise<unknown>>()

/**
 * Runs attempts of the same key one after the other: each is counted before it is verified, so concurrent attempts with
 * the correct password would lock each other out.
 */
export async function runSequentially<T>(key: string, attempt: () => Promise<T>): Promise<T> {
  const before = queues.get(key)
  const result = before ? before.then(attempt, attempt) : attempt()
  queues.set(key, result)
  try {
    return await result
  } finally {
    if (queues.get(key) === result) queues.delete(key)
  }
}

/**
 * Counts an attempt before verification, so that concurrent guesses cannot exceed the limit. Unknown numbers are
 * counted alike, so the lockout does not reveal which accounts exist.
 * @throws AppError ACCOUNT_LOCKED
 */
export async function countAttempt(db: Db, key: string, max: number, now: number): Promise<void> {
  const old = sql<boolean>`(password_tries.since <= ${now - WINDOW} or password_tries.since > ${now + CLOCK_TOLERANCE_MS})`
  const last = sql<boolean>`password_tries.wrong + 1 >= ${max}`
  const taken = await db
    .insertInto('password_tries')
    .values({ key, wrong: 1, since: now })
    .onConflict((c) =>
      c
        .column('key')
        .doUpdateSet({
          wrong: sql<number>`case when ${old} then 1 else password_tries.wrong + 1 end`,
          since: sql<number>`case when ${old} or ${last} then ${now} else password_tries.since end`,
        })
        .where((e) => e.or([old, e('password_tries.wrong', '<', max)])),
    )
    .returning('wrong')
    .executeTakeFirst()
  if (taken) return
  const row = await db.selectFrom('password_tries').select('since').where('key', '=', key).executeTakeFirst()
  const left = Math.max(1, Math.ceil(((row?.since ?? now) + WINDOW - now) / 60_000))
  throw new AppError('ACCOUNT_LOCKED', { vars: { n: left } })
}

/** Resets the counter after a correct password. */
export const clearAttempts = (db: Db, key: string) => db.deleteFrom('password_tries').where('key', '=', key).execute()

/** Deletes the attempts of a number from all networks. */
export const deleteMobileAttempts = (db: Db, mobile: string) =>
  db
    .deleteFrom('password_tries')
    .where((e) => e.or([e('key', '=', mobile), e('key', 'like', `${mobile}@%`)]))
    .execute()

/** Uncounts the attempt of a correct password, but no wrong ones: others may be guessing from the same address. */
export const returnAttempt = (db: Db, key: string) =>
  db
    .updateTable('password_tries')
    .set({ wrong: sql<number>`wrong - 1` })
    .where('key', '=', key)
    .where('wrong', '>', 0)
    .execute()
