import { sql } from 'kysely'
import type { OpenCtx } from '../../context'
import type { Db } from '../../db/database'
import type { UserSettings } from '../../db/tables'
import { giveFor } from '../coupons/grant'
import { newId, randomDigits } from '../shared/secrets'
import { hasLeft } from './account-erasure'

/** Everything that tells others or us more about the user is off until switched on. */
const firstSettings: UserSettings = {
  pushReport: true,
  pushActivity: false,
  showAsExample: false,
  fontScale: 1,
  reduceMotion: false,
  personalised: false,
}

export interface Found {
  userId: string
  newUser: boolean
}

/** Whoever else decides about this number or this WeChat waits until the transaction ends. */
export const hold = (tx: Db, what: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${what}, 0))`.execute(tx)

type By = Pick<OpenCtx, 'encryption' | 'clock' | 'channel'>

/** Once per number, so a WeChat account gets it with its first one; not for leaving and coming back. */
async function welcome(tx: Db, { encryption, clock }: By, userId: string, mobile: string): Promise<void> {
  const now = clock.now()
  if (!(await hasLeft(tx, encryption, mobile, now))) await giveFor(tx, 'NEWCOMER', userId, now)
}

/** `invitedBy`: kept of a new user, if there is such a record. */
export async function makeUser(tx: Db, by: By, mobile: string | null, invitedBy = ''): Promise<string> {
  const { id } = await tx
    .insertInto('users')
    .values({
      id: newId(),
      mobile,
      nickname: `玩家${randomDigits(4)}`,
      avatar: '',
      settings: JSON.stringify(firstSettings),
      created_at: by.clock.now(),
      channel: by.channel,
      invited_by: tx.selectFrom('unlock_records').select('id').where('id', '=', invitedBy),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (mobile !== null) await welcome(tx, by, id, mobile)
  return id
}

/** Who has the number; stays true for whoever holds `mobile:` of it. */
export const userIdOf = async (tx: Db, mobile: string): Promise<string | undefined> =>
  (await tx.selectFrom('users').select('id').where('mobile', '=', mobile).executeTakeFirst())?.id

/** The user of a number, made on first sight. */
export async function userOfMobile(tx: Db, by: By, mobile: string, invitedBy?: string): Promise<Found> {
  await hold(tx, `mobile:${mobile}`)
  const known = await userIdOf(tx, mobile)
  if (known) return { userId: known, newUser: false }
  return { userId: await makeUser(tx, by, mobile, invitedBy), newUser: true }
}

/**
 * Gives a number to an account that has none.
 * @returns the account that has it now: another one when the number was somebody's already, and nothing was changed then
 */
export async function takeMobile(tx: Db, by: By, userId: string, mobile: string): Promise<string> {
  await hold(tx, `mobile:${mobile}`)
  const owner = await userIdOf(tx, mobile)
  if (owner) return owner
  const taken = await tx
    .updateTable('users')
    .set({ mobile })
    .where('id', '=', userId)
    .where('mobile', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (taken) await welcome(tx, by, userId, mobile)
  return userId
}
