import { sql } from 'kysely'
import { AppError } from '../../app-error'
import type { Db } from '../../db/database'

/** ms in which wrong passwords are counted, and as long nothing more is taken after the last */
const WINDOW = 15 * 60_000

/**
 * Counts a try before it is looked at, so that parallel guesses cannot all pass. Numbers without an account are counted
 * alike: the lock tells nothing about them.
 * @throws AppError ACCOUNT_LOCKED
 */
export async function takeAttempt(db: Db, key: string, max: number, now: number): Promise<void> {
  const old = sql<boolean>`password_tries.since <= ${now - WINDOW}`
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

/** A right password shows that the wrong ones were slips. */
export const clearAttempts = (db: Db, key: string) => db.deleteFrom('password_tries').where('key', '=', key).execute()

/** The tries of a number from every network. */
export const forgetMobile = (db: Db, mobile: string) =>
  db
    .deleteFrom('password_tries')
    .where((e) => e.or([e('key', '=', mobile), e('key', 'like', `${mobile}@%`)]))
    .execute()

/** Takes back a try that turned out right, where the wrong ones stay: others may be guessing from the same address. */
export const returnAttempt = (db: Db, key: string) =>
  db
    .updateTable('password_tries')
    .set({ wrong: sql<number>`wrong - 1` })
    .where('key', '=', key)
    .where('wrong', '>', 0)
    .execute()
