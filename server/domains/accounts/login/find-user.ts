import type { OpenCtx } from '../../../core/context'
import type { UserSettings } from '../../../db/columns'
import type { Db } from '../../../db/database'
import { lockName } from '../../shared/locks'
import { newId, randomDigits } from '../../shared/secrets'
import { hadAccountDeleted } from '../account-deletion'

/** Settings that reveal or send more are off by default. */
const firstSettings: UserSettings = {
  pushReport: true,
  pushActivity: false,
  showAsExample: false,
  fontScale: 1,
  reduceMotion: false,
  personalised: false,
}

export interface MatchedUser {
  userId: string
  newUser: boolean
}

/** Newcomer gifts, once per number (a WeChat account gets them with its first); not to one whose account was deleted within a year. */
async function welcome(tx: Db, { encryption, clock, events }: OpenCtx, userId: string, mobile: string): Promise<void> {
  const now = clock.now()
  if (!(await hadAccountDeleted(tx, encryption, mobile, now))) await events.newcomer(tx, userId, now)
}

/** `invitedBy` is stored for a new user if that record exists. */
export async function makeUser(tx: Db, by: OpenCtx, mobile: string | null, invitedBy = ''): Promise<string> {
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

/** Owner of the number; stable while the caller holds the `mobile:` lock. */
export const userIdOf = async (tx: Db, mobile: string): Promise<string | undefined> =>
  (await tx.selectFrom('users').select('id').where('mobile', '=', mobile).executeTakeFirst())?.id

/** The user of a number, created at the first login. */
export async function userOfMobile(tx: Db, by: OpenCtx, mobile: string, invitedBy?: string): Promise<MatchedUser> {
  await lockName(tx, `mobile:${mobile}`)
  const existing = await userIdOf(tx, mobile)
  if (existing) return { userId: existing, newUser: false }
  return { userId: await makeUser(tx, by, mobile, invitedBy), newUser: true }
}

/**
 * Assigns a number to an account without one.
 * @returns the number's account: another one if the number was already taken, in which case nothing was changed
 */
export async function assignMobile(tx: Db, by: OpenCtx, userId: string, mobile: string): Promise<string> {
  await lockName(tx, `mobile:${mobile}`)
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
