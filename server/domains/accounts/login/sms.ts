import { sql } from 'kysely'
import { mobileIssue, normaliseMobile } from '@/contract/rules'
import { DAY_MS, HOUR_MS } from '@/contract/time'
import type { Req } from '@/contract/types'
import { AppError, invalid } from '../../../core/app-error'
import type { OpenCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import { SmsRejected, type SmsRejection } from '../../../providers/sms/port'
import { CLOCK_TOLERANCE_MS } from '../../shared/due'
import { networkHashesOf } from '../../shared/network'
import { randomDigits, sha256 } from '../../shared/secrets'

/** ms between two codes */
const RESEND_AFTER = 60_000
const CODE_VALID_FOR = 600_000
/**
 * Codes per number and day. The network and device of the number's last sign-in by code have a separate allowance of
 * the same size, so strangers cannot use up the owner's codes.
 */
const PER_MOBILE = 10
const PER_NETWORK = 20
const PER_DEVICE = 10
/** wrong attempts per code from the requesting network, and the same number from all others together */
const MAX_WRONG = 5

/** Normalises a mobile number. @throws AppError VALIDATION_FAILED */
export function mobileOf(text: string): string {
  const issue = mobileIssue(text)
  if (issue) throw invalid([{ path: 'mobile', msg: issue }])
  return normaliseMobile(text)
}

/** Hash of a code that the carrier refused to send: counted, and passed over when an earlier code is entered. */
const NOT_SENT = ''

/** `scene` of a code for a login (`smsSceneText`); with the others there is no way around the code */
const LOGIN = 1
const hashOf = (mobile: string, scene: number, code: string) => sha256(`${mobile}:${scene}:${code}`)

interface From {
  /** keyed hash of the network */
  net: string
  /** keyed hash of the client's device id; null: none given */
  client: string | null
}

/** Whether the number's last sign-in by code was made on this network or device. */
async function isUsualOrigin(tx: Db, mobile: string, { net, client }: From): Promise<boolean> {
  const user = await tx
    .selectFrom('users')
    .select(['code_net', 'code_client'])
    .where('mobile', '=', mobile)
    .executeTakeFirst()
  return user !== undefined && (user.code_net === net || (client !== null && user.code_client === client))
}

/** Advisory locks per number, network and device, so that concurrent requests cannot exceed the limits. */
async function countRecent(tx: Db, mobile: string, from: From, now: number) {
  const { net, client } = from
  for (const key of [`sms:${mobile}`, `sms-ip:${net}`, ...(client ? [`sms-client:${client}`] : [])])
    await sql`select pg_advisory_xact_lock(hashtext(${key}))`.execute(tx)
  const isUsual = await isUsualOrigin(tx, mobile, from)
  const counted = sql`mobile = ${mobile} and (not ${isUsual}::boolean or ip = ${net} or client = ${client})`
  const { rows } = await sql<{ newest: number | null; by_mobile: number; by_net: number; by_client: number }>`
    select max(sent_at) filter (where ${counted}) as newest,
      count(*) filter (where ${counted}) as by_mobile, count(*) filter (where ip = ${net}) as by_net,
      count(*) filter (where client = ${client}) as by_client
    from sms_codes where (mobile = ${mobile} or ip = ${net} or client = ${client})
      and sent_at > ${now - DAY_MS} and sent_at <= ${now + CLOCK_TOLERANCE_MS}`.execute(tx)
  return { isUsual, ...(rows[0] ?? { newest: null, by_mobile: 0, by_net: 0, by_client: 0 }) }
}

/**
 * Limits the cost of codes when many numbers and networks are used. Owners are exempt where they last signed in, so that
 * others cannot lock them out.
 */
async function isWithinHour(tx: Db, { settings }: OpenCtx, now: number): Promise<boolean> {
  if (settings.smsPerHour === 0) return true
  await sql`select pg_advisory_xact_lock(hashtext('sms-hour'))`.execute(tx)
  const { n } = await tx
    .selectFrom('sms_codes')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('sent_at', '>', now - HOUR_MS)
    .where('sent_at', '<=', now + CLOCK_TOLERANCE_MS)
    .executeTakeFirstOrThrow()
  return n < settings.smsPerHour
}

/** Alarms staff, at most once an hour. @returns what the caller is told */
async function heldBack({ log, limits }: OpenCtx, scene: number): Promise<AppError> {
  if (await limits.take('codesAlarm', ''))
    log.error({ alarm: true }, 'codes are held back: the limit of an hour is reached')
  return new AppError('REQUEST_TOO_BUSY_PLEASE_WAIT', {
    msg: `现在要验证码的人太多，请过一会儿再试${scene === LOGIN ? '，或用密码登录' : ''}`,
  })
}

/** The newest code of a number for a scene that was not refused by the carrier. */
const newestCode = (tx: Db, { mobile, scene }: Omit<SubmittedCode, 'code'>) =>
  tx
    .selectFrom('sms_codes')
    .where('mobile', '=', mobile)
    .where('scene', '=', scene)
    .where('code_hash', '<>', NOT_SENT)
    .orderBy('id', 'desc')
    .limit(1)

/** The counter of wrong attempts that applies to this caller. */
const counterOf = ({ ip }: { ip: string }, caller: OpenCtx) =>
  networkHashesOf(caller).includes(ip) ? 'wrong' : 'wrong_elsewhere'

/**
 * Whether this device requested the newest code for a scene within the resend delay, the carrier accepted it, and it can
 * still be entered: the response may have been lost. Nobody else is told.
 */
async function hasNewCode(tx: Db, requested: Omit<SubmittedCode, 'code'>, client: string | null, caller: OpenCtx) {
  const newest = await newestCode(tx, requested)
    .select(['sent_at', 'accepted_at', 'client', 'used', 'ip', 'wrong', 'wrong_elsewhere'])
    .executeTakeFirst()
  return (
    newest !== undefined &&
    client !== null &&
    newest.client === client &&
    newest.accepted_at !== null &&
    !newest.used &&
    newest[counterOf(newest, caller)] < MAX_WRONG &&
    newest.sent_at + RESEND_AFTER > caller.clock.now()
  )
}

const rejectionOf = (err: unknown): SmsRejection => (err instanceof SmsRejected ? err.kind : 'OURS')

/** Maps refusals of the SMS provider to errors of the contract. */
function refusalOf(ctx: OpenCtx, err: unknown): unknown {
  if (err instanceof AppError) return err
  ctx.log.error({ err, alarm: !(err instanceof SmsRejected) || err.kind === 'OURS' }, 'a code was not sent')
  const kind = rejectionOf(err)
  if (kind === 'LIMIT') return new AppError('SMS_DAILY_LIMIT')
  if (kind === 'NUMBER') return invalid([{ path: 'mobile', msg: '这个号码暂时收不到短信，请换一个号码' }])
  return new AppError('SERVICE_UNAVAILABLE', { msg: '短信暂时发不出去，请稍后再试' })
}

/**
 * Sends a code and returns when the next may be requested. The response does not reveal whether the number has an
 * account. `sent` in the data of SMS_TOO_FAST: the carrier accepted a code that this device
 * requested, and it can be entered.
 * @throws AppError SMS_TOO_FAST, SMS_DAILY_LIMIT, REQUEST_TOO_BUSY_PLEASE_WAIT, VALIDATION_FAILED, SERVICE_UNAVAILABLE
 */
async function sendCode(
  ctx: OpenCtx,
  { mobile: text, scene, client: name }: { mobile: string; scene: number; client?: string | undefined },
): Promise<{ nextAt: number }> {
  const mobile = mobileOf(text)
  const now = ctx.clock.now()
  const code = randomDigits(6)
  const from: From = { net: networkHashesOf(ctx)[0], client: name ? ctx.encryption.hashes(`client:${name}`)[0] : null }
  const id = await ctx.db.transaction().execute(async (tx) => {
    const recent = await countRecent(tx, mobile, from, now)
    const wait = (recent.newest ?? 0) + RESEND_AFTER - now
    if (wait > 0) {
      const sent = await hasNewCode(tx, { mobile, scene }, from.client, ctx)
      const data = { nextAt: now + wait, ...(sent && { sent }) }
      throw new AppError('SMS_TOO_FAST', { vars: { n: Math.ceil(wait / 1000) }, data })
    }
    if (recent.by_mobile >= PER_MOBILE || recent.by_net >= PER_NETWORK || recent.by_client >= PER_DEVICE)
      throw new AppError('SMS_DAILY_LIMIT')
    if (!recent.isUsual && !(await isWithinHour(tx, ctx, now))) return undefined
    const row = await tx
      .insertInto('sms_codes')
      .values({
        mobile,
        scene,
        code_hash: hashOf(mobile, scene, code),
        ip: from.net,
        client: from.client,
        sent_at: now,
        expires_at: now + CODE_VALID_FOR,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  })
  // outside the transaction, whose lock all others wait for
  if (id === undefined) throw await heldBack(ctx, scene)
  try {
    await ctx.providers.sms.sendCode({ mobile, code, scene })
  } catch (e) {
    // our failure must not count towards the limits or the resend delay; a refused number must, or it costs nothing to try
    // number after number
    if (rejectionOf(e) === 'OURS') await ctx.db.deleteFrom('sms_codes').where('id', '=', id).execute()
    else await ctx.db.updateTable('sms_codes').set({ code_hash: NOT_SENT }).where('id', '=', id).execute()
    throw refusalOf(ctx, e)
  }
  const accepted = ctx.db.updateTable('sms_codes').set({ accepted_at: ctx.clock.now() }).where('id', '=', id)
  // the code has been sent anyway
  await accepted.execute().catch((err) => ctx.log.warn({ err }, 'an accepted code was not marked'))
  return { nextAt: now + RESEND_AFTER }
}

/** The caller's number, empty when not logged in, which no validator accepts. @throws AppError VALIDATION_FAILED for an account without one */
async function ownMobile(ctx: OpenCtx): Promise<string> {
  const userId = await ctx.viewer()
  if (!userId) return ''
  const row = await ctx.db.selectFrom('users').select('mobile').where('id', '=', userId).executeTakeFirst()
  if (row?.mobile === null) throw invalid([{ path: 'mobile', msg: '请先绑定手机号' }])
  return row?.mobile || ''
}

/** Sends a code to the given number, or to the caller's. @throws AppError as `sendCode` */
export const sendSmsCode = async (ctx: OpenCtx, req: Req<'user', 'sendSmsCode'>): Promise<{ nextAt: number }> =>
  sendCode(ctx, { ...req, mobile: req.mobile ?? (await ownMobile(ctx)) })

interface SubmittedCode {
  mobile: string
  scene: number
  code: string
}

/** The caller: attempts from the requesting network are counted separately. */

/**
 * Checks the newest code of a number. Five wrong attempts from the requesting network invalidate it there, five from
 * elsewhere invalidate it everywhere else, so a stranger cannot use up the owner's attempts.
 */
async function checkCode(tx: Db, { mobile, scene, code }: SubmittedCode, caller: OpenCtx) {
  const row = await newestCode(tx, { mobile, scene })
    .select(['id', 'code_hash', 'expires_at', 'wrong', 'wrong_elsewhere', 'used', 'ip'])
    .forUpdate()
    .executeTakeFirst()
  if (!row || row.used || row.expires_at <= caller.clock.now()) return { wrong: 'SMS_CODE_EXPIRED' as const }
  const counter = counterOf(row, caller)
  if (row[counter] >= MAX_WRONG) return { wrong: 'SMS_CODE_EXPIRED' as const }
  if (row.code_hash === hashOf(mobile, scene, code)) return { id: row.id }
  await tx
    .updateTable('sms_codes')
    .set({ [counter]: row[counter] + 1 })
    .where('id', '=', row.id)
    .execute()
  return { wrong: 'SMS_CODE_WRONG' as const }
}

/**
 * Consumes the codes if all are correct. Returns refusals instead of throwing: a rollback would undo the counted
 * attempt.
 * @returns the first wrong code and why; then none is consumed
 */
export async function consumeCodes<T extends SubmittedCode>(tx: Db, codes: readonly T[], trying: OpenCtx) {
  const right: number[] = []
  for (const submitted of codes) {
    const { id, wrong } = await checkCode(tx, submitted, trying)
    if (id === undefined) return { submitted, wrong }
    right.push(id)
  }
  await tx.updateTable('sms_codes').set({ used: true }).where('id', 'in', right).execute()
  return undefined
}

/** Stores the network in which the owner entered the code, and the device if the code was also requested there. */
async function rememberPlace(tx: Db, ctx: OpenCtx, { mobile, scene }: SubmittedCode): Promise<void> {
  const [net] = networkHashesOf(ctx)
  await sql`update users set code_net = ${net}, code_client = coalesce((
      select client from sms_codes where mobile = ${mobile} and scene = ${scene} and used and ip = ${net}
      order by sent_at desc, id desc limit 1), code_client)
    where mobile = ${mobile}`.execute(tx)
}

/**
 * Verifies a code and, if correct, runs `then` in the same transaction: a code works once even for concurrent requests.
 * @throws AppError SMS_CODE_WRONG, SMS_CODE_EXPIRED
 */
export async function withVerifiedCode<T>(
  ctx: OpenCtx,
  submitted: SubmittedCode,
  then: (tx: Db) => Promise<T>,
): Promise<T> {
  const result = await ctx.db.transaction().execute(async (tx) => {
    const issue = await consumeCodes(tx, [submitted], ctx)
    if (issue) return { refused: true as const, wrong: issue.wrong }
    const value = await then(tx)
    await rememberPlace(tx, ctx, submitted)
    return { refused: false as const, value }
  })
  if (result.refused) throw new AppError(result.wrong)
  return result.value
}
