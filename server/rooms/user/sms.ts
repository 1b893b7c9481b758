import { sql } from 'kysely'
import { mobileIssue, normaliseMobile } from '@/contract/rules'
import type { OpenCtx } from '../../context'
import type { Db } from '../../db/database'
import { invalid, Refusal } from '../../refusal'
import { randomDigits, sha256 } from '../secrets'

/** product 2.10, "Send" */
const RESEND_AFTER = 60_000
const VALID_FOR = 600_000
const DAY = 86_400_000
const PER_MOBILE = 10
const PER_ADDRESS = 20
const MAX_WRONG = 5

/** The number in one spelling. @throws Refusal VALIDATION_FAILED */
export function mobileOf(text: string): string {
  const issue = mobileIssue(text)
  if (issue) throw invalid([{ path: 'mobile', msg: issue }])
  return normaliseMobile(text)
}

const hashOf = (mobile: string, scene: number, code: string) => sha256(`${mobile}:${scene}:${code}`)

/** One sender at a time per number and per address, so that parallel requests cannot all pass the count. */
async function countRecent(tx: Db, mobile: string, ip: string, since: number) {
  await sql`select pg_advisory_xact_lock(hashtext(${`sms:${mobile}`}))`.execute(tx)
  await sql`select pg_advisory_xact_lock(hashtext(${`sms-ip:${ip}`}))`.execute(tx)
  const { rows } = await sql<{ newest: number | null; by_mobile: number; by_ip: number }>`
    select max(sent_at) filter (where mobile = ${mobile}) as newest,
      count(*) filter (where mobile = ${mobile}) as by_mobile, count(*) filter (where ip = ${ip}) as by_ip
    from sms_codes where (mobile = ${mobile} or ip = ${ip}) and sent_at > ${since}`.execute(tx)
  return rows[0] ?? { newest: null, by_mobile: 0, by_ip: 0 }
}

/**
 * Sends a code and says when the next may be asked for.
 * @throws Refusal SMS_TOO_FAST, SMS_DAILY_LIMIT, VALIDATION_FAILED
 */
export async function sendCode(ctx: OpenCtx, text: string, scene: number): Promise<{ nextAt: number }> {
  const mobile = mobileOf(text)
  const now = ctx.clock.now()
  const code = randomDigits(6)
  const id = await ctx.db.transaction().execute(async (tx) => {
    const recent = await countRecent(tx, mobile, ctx.ip, now - DAY)
    const wait = (recent.newest ?? 0) + RESEND_AFTER - now
    if (wait > 0)
      throw new Refusal('SMS_TOO_FAST', { vars: { n: Math.ceil(wait / 1000) }, data: { nextAt: now + wait } })
    if (recent.by_mobile >= PER_MOBILE || recent.by_ip >= PER_ADDRESS) throw new Refusal('SMS_DAILY_LIMIT')
    const row = await tx
      .insertInto('sms_codes')
      .values({
        mobile,
        scene,
        code_hash: hashOf(mobile, scene, code),
        ip: ctx.ip,
        sent_at: now,
        expires_at: now + VALID_FOR,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  })
  try {
    await ctx.sms.sendCode({ mobile, code, scene })
  } catch (e) {
    // nothing arrived: it counts neither as a try nor as a minute to wait
    await ctx.db.deleteFrom('sms_codes').where('id', '=', id).execute()
    throw e
  }
  return { nextAt: now + RESEND_AFTER }
}

/** Uses up the newest code of a number. The fifth wrong try kills it. */
async function useCode(tx: Db, mobile: string, scene: number, code: string, now: number) {
  const row = await tx
    .selectFrom('sms_codes')
    .select(['id', 'code_hash', 'expires_at', 'wrong', 'used'])
    .where('mobile', '=', mobile)
    .where('scene', '=', scene)
    .orderBy('sent_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (!row || row.used || row.expires_at <= now || row.wrong >= MAX_WRONG) return 'SMS_CODE_EXPIRED' as const
  const right = row.code_hash === hashOf(mobile, scene, code)
  await tx
    .updateTable('sms_codes')
    .set(right ? { used: true } : { wrong: row.wrong + 1 })
    .where('id', '=', row.id)
    .execute()
  return right ? undefined : ('SMS_CODE_WRONG' as const)
}

/**
 * Checks a code and, when it is right, does `then` in the same transaction: a code works once even for parallel tries.
 * @throws Refusal SMS_CODE_WRONG, SMS_CODE_EXPIRED
 */
export async function withCode<T>(
  ctx: OpenCtx,
  { mobile, scene, code }: { mobile: string; scene: number; code: string },
  then: (tx: Db) => Promise<T>,
): Promise<T> {
  const result = await ctx.db.transaction().execute(async (tx) => {
    const wrong = await useCode(tx, mobile, scene, code, ctx.clock.now())
    // a refusal thrown in here would take the counted try back
    return wrong ? { refused: true as const, wrong } : { refused: false as const, value: await then(tx) }
  })
  if (result.refused) throw new Refusal(result.wrong)
  return result.value
}
