import { sql } from 'kysely'
import { maskIdNo, maskName } from '@/contract/mask'
import { birthTimeOf, idNoIssue, normaliseIdNo, normaliseName, realNameIssue } from '@/contract/rules'
import { chinaDateTime } from '@/contract/time'
import type { Res, UserInfo } from '@/contract/types'
import { AppError, invalid } from '../../core/app-error'
import type { UserCtx } from '../../core/context'
import type { Encryption } from '../../core/encryption'
import type { Db } from '../../db/database'
import type { DB } from '../../db/tables'
import { lockName, lockUser } from '../shared/locks'

const TRIES_A_DAY = 3
const ACCOUNTS_PER_ID = 3
const ADULT_AGE = 18

/** The calendar day in China, for limits that reset at midnight there. */
const dayOf = (now: number) => chinaDateTime(now).day

type Answer = Res<'user', 'realNameAuth'>
type Person = { name: string; idNo: string }

const rowOf = (db: Db, userId: string) =>
  db.selectFrom('real_names').select(['status', 'reason']).where('user_id', '=', userId).executeTakeFirstOrThrow()

/**
 * Uses up one of the day's attempts, in one statement, so that concurrent requests are each counted.
 * @throws AppError REALNAME_LIMIT
 * @returns false when the user has already passed
 */
async function takeAttempt({ db, userId, clock }: UserCtx): Promise<boolean> {
  const now = clock.now()
  const day = dayOf(now)
  const taken = await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    return tx
      .insertInto('real_names')
      .values({ user_id: userId, status: 'PENDING', tries_on: day, tries: 1, updated_at: now })
      .onConflict((c) =>
        c
          .column('user_id')
          .doUpdateSet({
            status: 'PENDING',
            reason: null,
            tries: sql<number>`case when real_names.tries_on = ${day} then real_names.tries + 1 else 1 end`,
            tries_on: day,
            updated_at: now,
          })
          .where('real_names.status', '<>', 'PASSED')
          .where((e) => e.or([e('real_names.tries_on', '<>', day), e('real_names.tries', '<', TRIES_A_DAY)])),
      )
      .returning('user_id')
      .executeTakeFirst()
  })
  if (taken) return true
  const { status } = await rowOf(db, userId)
  if (status !== 'PASSED') throw new AppError('REALNAME_LIMIT')
  return false
}

/** Stores the result. Serialised per ID number, so that concurrent requests cannot exceed three accounts. */
async function storeResult(ctx: UserCtx, { name, idNo }: Person, matches: boolean): Promise<Answer> {
  const { encryption, userId, clock } = ctx
  const [hash, ...older] = encryption.hashes(idNo)
  return ctx.db.transaction().execute(async (tx) => {
    await lockName(tx, hash)
    const { n } = await tx
      .selectFrom('real_names')
      .select((e) => e.fn.countAll<number>().as('n'))
      .where('id_hash', 'in', [hash, ...older])
      .where('status', '=', 'PASSED')
      .where('user_id', '<>', userId)
      .executeTakeFirstOrThrow()
    const full = n >= ACCOUNTS_PER_ID
    // the number of uses is revealed only when name and number match
    const reason = matches ? `该身份证已认证 ${ACCOUNTS_PER_ID} 个账号` : '姓名与身份证号不一致'
    const result =
      matches && !full
        ? {
            status: 'PASSED' as const,
            reason: null,
            name_sealed: encryption.encrypt(name, userId),
            id_no_sealed: encryption.encrypt(idNo, userId),
            id_hash: hash,
            adult_at: birthTimeOf(idNo, ADULT_AGE),
          }
        : { status: 'FAILED' as const, reason }
    const kept = await tx
      .updateTable('real_names')
      .set({ ...result, updated_at: clock.now() })
      .where('user_id', '=', userId)
      .where('status', '<>', 'PASSED')
      .returning(['status', 'reason'])
      .executeTakeFirst()
    // a concurrent request of this user has passed; its result stays
    const { status, reason: why } = kept ?? (await rowOf(tx, userId))
    return { status, ...(why && { reason: why }) }
  })
}

/** Returns the attempt after an outage of the authority. */
async function returnDailyAttempt({ db, userId }: UserCtx) {
  await db
    .updateTable('real_names')
    .set((e) => ({ status: 'FAILED', reason: '认证服务暂不可用', tries: e('tries', '-', 1) }))
    .where('user_id', '=', userId)
    .where('status', '=', 'PENDING')
    .execute()
}

/**
 * Real-name check: 3 attempts a day, one ID number on at most 3 accounts, name and number encrypted at rest. A passed
 * result is final.
 * @throws AppError VALIDATION_FAILED, SERVICE_UNAVAILABLE, REALNAME_LIMIT, REALNAME_MISMATCH; the last two with status
 * and reason as data
 */
export async function realNameAuth(ctx: UserCtx, req: { name: string; idNo: string }): Promise<Answer> {
  const person = { name: normaliseName(req.name), idNo: normaliseIdNo(req.idNo) }
  const fields = [
    { path: 'name', msg: realNameIssue(person.name) },
    { path: 'idNo', msg: idNoIssue(person.idNo, ctx.clock.now()) },
  ].flatMap(({ path, msg }) => (msg ? [{ path, msg }] : []))
  if (fields.length > 0) throw invalid(fields)
  if (!(await takeAttempt(ctx))) return { status: 'PASSED' }
  const matches = await ctx.providers.realName.matches(person).catch(async (error) => {
    await returnDailyAttempt(ctx)
    if (error instanceof AppError) throw error
    ctx.log.error({ err: error, alarm: true }, 'the real-name check could not be asked')
    throw new AppError('SERVICE_UNAVAILABLE', { msg: '实名认证服务繁忙，请稍后再试，这次不计次数' })
  })
  const answer = await storeResult(ctx, person, matches)
  if (answer.status === 'FAILED') throw new AppError(matches ? 'REALNAME_LIMIT' : 'REALNAME_MISMATCH', { data: answer })
  return answer
}

type RealNameRow = Pick<DB['real_names'], 'status' | 'name_sealed' | 'id_no_sealed' | 'reason' | 'tries' | 'tries_on'>

/** The masked result for its owner; never the full number. */
export function realNameInfo(
  row: { [K in keyof RealNameRow]: RealNameRow[K] | null },
  { encryption, userId, now }: { encryption: Encryption; userId: string; now: number },
): UserInfo['realName'] {
  const used = row.tries_on === dayOf(now) ? (row.tries ?? 0) : 0
  const base = { status: row.status ?? 'NONE', triesLeft: TRIES_A_DAY - used } as const
  if (row.status !== 'PASSED' || !row.name_sealed || !row.id_no_sealed)
    return { ...base, ...(row.reason && { reason: row.reason }) }
  return {
    ...base,
    nameMasked: maskName(encryption.decrypt(row.name_sealed, userId)),
    idNoMasked: maskIdNo(encryption.decrypt(row.id_no_sealed, userId)),
  }
}

const adultAt = async (db: Db, userId: string) =>
  db
    .selectFrom('real_names')
    .select('adult_at')
    .where('user_id', '=', userId)
    .where('status', '=', 'PASSED')
    .executeTakeFirst()

/**
 * Required for manual orders: a passed real-name check of a person who is 18 by today.
 * @throws AppError REALNAME_REQUIRED, MINOR_NOT_ALLOWED
 */
export async function requireAdult({ db, userId, clock }: UserCtx): Promise<void> {
  const verified = await adultAt(db, userId)
  if (!verified) throw new AppError('REALNAME_REQUIRED')
  if ((verified.adult_at ?? Number.POSITIVE_INFINITY) > clock.now()) throw new AppError('MINOR_NOT_ALLOWED')
}

/**
 * AI reports can be paid for without a real-name check, but not by a known minor.
 * @throws AppError MINOR_NOT_ALLOWED
 */
export async function rejectMinor({ db, userId, clock }: UserCtx): Promise<void> {
  const verified = await adultAt(db, userId)
  if (verified && (verified.adult_at ?? Number.POSITIVE_INFINITY) > clock.now()) throw new AppError('MINOR_NOT_ALLOWED')
}
