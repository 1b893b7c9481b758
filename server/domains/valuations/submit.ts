import { sql } from 'kysely'
import { cleanAnswers, stopOf } from '@/contract/form/answers'
import type { Answers, FieldType, FormConfig, Mode } from '@/contract/form/types'
import { labelOf, validateAnswers } from '@/contract/form/validate'
import type { Req, Res } from '@/contract/types'
import { AppError, invalid } from '../../app-error'
import { chinaTime } from '../../clock'
import type { OpenCtx, UserCtx } from '../../context'
import type { Db } from '../../db/database'
import type { Valuation, Valued } from '../../engine/types'
import { valuate } from '../../engine/valuate'
import { whyChanged } from '../../engine/why-changed'
import { requirePictures } from '../../providers/storage/port'
import { type Account, accountOf } from '../games/account-identity'
import { openFor } from '../games/repository'
import type { ActiveModel } from '../models/repository'
import { type Asked, type StoredReport, storeComputed } from '../reports/store'
import { lockUser } from '../shared/locks'
import { newId, randomDigits, sha256 } from '../shared/secrets'
import { TASK_SEQUENCE } from '../shared/task-sequence'

type Submitted = Res<'evaluation', 'submitAi'>

/** ms in which the same answers are the same submission: a double tap, a second tab, a retry after a lost answer */
const SAME_SUBMIT = 600_000
/** What ends without a price costs no free valuation (product 2.5). */
const FREE_OF_CHARGE = ['INSUFFICIENT', 'FAILED', 'CANCELED', 'CLOSED', 'WAIT_AUTH']
/** AI orders of one user and day with or without a price: valuations that cost nothing must not be endless either */
const MOST_TRIES = 30

export interface Submission extends Asked {
  /** what was asked, and the client's own name for this try where it gives one: `<hash>:<id>` */
  asked: string
  requestId: string
}

export const requestKey = ({ asked, requestId }: Submission) => `${asked}:${requestId}`

/** What a list's entries are put in order by: tags by themselves, rows by the item they are about. */
const nameOf = (entry: unknown) => (typeof entry === 'string' ? entry : String((entry as { v?: unknown }).v))
const byName = (a: unknown, b: unknown) => (nameOf(a) < nameOf(b) ? -1 : 1)
/** Lists whose order says nothing: the same tags chosen in another order are the same answer. */
const unordered: readonly FieldType[] = ['multi', 'tags', 'tagsGrade', 'roster']

const sortedKeys = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) as T

/** Answers that say the same are written the same. */
export function canonical(config: FormConfig, answers: Answers): Answers {
  const lists = new Set(config.fields.filter(({ type }) => unordered.includes(type)).map(({ key }) => key))
  const entries = Object.entries(answers).map(([key, answer]) => {
    if (!lists.has(key) || !Array.isArray(answer)) return [key, answer]
    const rows: unknown[] = answer.map((row) => (typeof row === 'string' ? row : sortedKeys(row)))
    return [key, rows.sort(byName)]
  })
  return sortedKeys(Object.fromEntries(entries) as Answers)
}

/** The answers in the one form they are compared and stored in. @throws AppError FORM_CHANGED, VALIDATION_FAILED */
export function checked(
  config: FormConfig,
  { schemaVersion, answers }: Pick<Req<'evaluation', 'submitAi'>, 'schemaVersion' | 'answers'>,
  mode: Mode = 'AI',
): Answers {
  if (schemaVersion !== config.schemaVersion)
    throw new AppError('FORM_CHANGED', { data: { schemaVersion: config.schemaVersion } })
  const errors = validateAnswers(config, answers, mode).filter((issue) => issue.level === 'error')
  if (errors.length > 0) throw invalid(errors.map(({ path, msg }) => ({ path: `answers.${path}`, msg })))
  const stop = mode === 'AI' && stopOf(config, answers)
  if (stop) throw invalid([{ path: `answers.${stop.path}`, msg: stop.msg }])
  return canonical(config, cleanAnswers(config, answers))
}

/** `王者荣耀 · 安卓微信`: the game and the first thing that sets its prices apart. */
export function titleOf(config: FormConfig, answers: Answers): string {
  const field = config.fields.find((f) => f.role === 'factor' && answers[f.key] !== undefined)
  return field ? `${config.name} · ${labelOf(config, field, answers[field.key])}` : config.name
}

/** A draft that is sent again is the same order however much later; the same answers from anywhere, for ten minutes. */
export const sameOrder = (db: Db, userId: string, s: Submission) =>
  db
    .selectFrom('orders')
    .select(['id', 'status'])
    .where('user_id', '=', userId)
    .where('mode', '=', 'AI')
    .where((e) =>
      e.or([
        ...(s.requestId ? [e('request_key', '=', requestKey(s))] : []),
        e.and([e('request_key', 'like', `${s.asked}%`), e('created_at', '>', s.now - SAME_SUBMIT)]),
      ]),
    )
    .executeTakeFirst()

/** AI orders of the day in China: all of them, and those that cost a free valuation. */
const countToday = (db: Db, userId: string, now: number) =>
  db
    .selectFrom('orders')
    .select([
      sql<number>`count(*)`.as('tries'),
      // an order that waits for a read costs one while the read runs: many at once must not pass the limit together
      sql<number>`count(*) filter (where revalue_of is null and (status not in (${sql.join(FREE_OF_CHARGE)})
        or status = 'WAIT_AUTH' and exists (select 1 from auth_tasks t where t.order_id = orders.id
          and t.status in (${sql.join([...TASK_SEQUENCE])}) and t.expire_at > ${now}::bigint)))`.as('used'),
    ])
    .where('user_id', '=', userId)
    .where('mode', '=', 'AI')
    .where('created_at', '>=', chinaTime(now).dayStart)
    .executeTakeFirstOrThrow()

/** @param free an expired report is valued again, which the day's number does not limit. @throws AppError FREE_QUOTA_USED */
export async function withinLimits(tx: Db, { userId, settings }: UserCtx, now: number, free: boolean) {
  const { tries, used } = await countToday(tx, userId, now)
  if (!free && used >= settings.aiFreePerDay) throw new AppError('FREE_QUOTA_USED', { data: { used } })
  if (tries >= MOST_TRIES)
    throw new AppError('FREE_QUOTA_USED', { msg: '今日提交次数已达上限，请明天再来', data: { used } })
}

/** Whether any of the user's accounts of the game has a newest report that `expiredOf` would value again for free. */
async function anyExpired(db: Db, userId: string, gameId: string, now: number): Promise<boolean> {
  const newest = db
    .selectFrom('reports')
    .select(['report_no', 'valid_until'])
    .distinctOn('account_id')
    .where('user_id', '=', userId)
    .where('game_id', '=', gameId)
    .where('model_id', 'is not', null)
    .orderBy('account_id')
    .orderBy('created_at', 'desc')
    .as('newest')
  const row = await db
    .selectFrom(newest)
    .leftJoin('orders', 'orders.revalue_of', 'newest.report_no')
    .select('newest.report_no')
    .where('newest.valid_until', '<=', now)
    .where('orders.id', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Free AI valuations this user still has today; when none is left, whether an expired report may be valued again. */
export async function freeToday({ db, settings, clock }: OpenCtx, userId: string, gameId: string) {
  const now = clock.now()
  const { tries, used } = await countToday(db, userId, now)
  const left = tries >= MOST_TRIES ? 0 : Math.max(0, settings.aiFreePerDay - used)
  const again = left === 0 && tries < MOST_TRIES && (await anyExpired(db, userId, gameId, now))
  return { freeLeft: left, ...(again && { freeAgain: true }) }
}

/** Number of the account's newest report when it has expired and was not yet valued again: that is free, once. */
async function expiredOf(tx: Db, { latest }: Account, now: number): Promise<string | null> {
  if (!latest || latest.valid_until > now) return null
  const { report_no: no } = latest
  const used = await tx.selectFrom('orders').select('id').where('revalue_of', '=', no).executeTakeFirst()
  return used ? null : no
}

interface Begun {
  status: 'REPORTED' | 'INSUFFICIENT' | 'WAIT_AUTH'
  revalueOf?: string | null
}

export async function insertOrder(
  tx: Db,
  userId: string,
  s: Submission,
  { status, revalueOf }: Begun,
): Promise<string> {
  const { day, time } = chinaTime(s.now)
  for (;;) {
    const row = await tx
      .insertInto('orders')
      .values({
        id: newId(),
        order_no: `E${day}${time}${randomDigits(6)}`,
        user_id: userId,
        game_id: s.config.gameId,
        mode: 'AI',
        status,
        pay_status: 'UNPAID',
        title: titleOf(s.config, s.answers),
        source: s.source,
        schema_version: s.config.schemaVersion,
        answers: JSON.stringify(s.answers),
        request_key: requestKey(s),
        origin_fen: 0,
        discount_fen: 0,
        pay_fen: 0,
        report_no: null,
        created_at: s.now,
        reported_at: null,
        revalue_of: revalueOf ?? null,
      })
      .onConflict((c) => c.column('order_no').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row) return row.id
  }
}

const logEvent = (tx: Db, orderId: string, at: number, from: string | null, to: string) =>
  tx.insertInto('order_events').values({ order_id: orderId, at, from_status: from, to_status: to }).execute()

export function valuationOf(active: ActiveModel | undefined, { config, answers, now, source }: Asked): Valuation {
  return active
    ? valuate(active.model, config, answers, { now, source })
    : { ok: false, code: 'SAMPLE_INSUFFICIENT', n: 0 }
}

/** Against the account's report before, line by line. */
export function changedSince(before: NonNullable<Account['latest']>, { config, answers }: Asked, after: Valued) {
  const { breakdown, model } = before.body as unknown as StoredReport
  // the database has its own order of keys: both sides are written alike before they are compared
  const then = { answers: canonical(config, before.inputs.answers), breakdown, model }
  const lines = whyChanged(then, { ...after, answers: canonical(config, answers) })
  return { reportNo: before.report_no, at: before.created_at, beforeFen: before.predict_fen, lines }
}

interface Ground {
  active: ActiveModel | undefined
  account: Account
  revalueOf: string | null
}

/** Writes the order and, when there is a price, its report. */
async function store(
  tx: Db,
  userId: string,
  s: Submission,
  { active, account, revalueOf }: Ground,
): Promise<Submitted> {
  const valued = valuationOf(active, s)
  if (!valued.ok || !active) {
    const orderId = await insertOrder(tx, userId, s, { status: 'INSUFFICIENT' })
    await logEvent(tx, orderId, s.now, 'PROCESSING', 'INSUFFICIENT')
    return { orderId, status: 'INSUFFICIENT' }
  }
  const orderId = await insertOrder(tx, userId, s, { status: 'REPORTED', revalueOf })
  const { accountId, latest } = account
  const changed = latest && changedSince(latest, s, valued)
  const reportNo = await storeComputed(tx, s, { orderId, userId, accountId, valued, active, changed })
  await tx.updateTable('orders').set({ report_no: reportNo, reported_at: s.now }).where('id', '=', orderId).execute()
  await logEvent(tx, orderId, s.now, 'PROCESSING', 'REPORTED')
  return { orderId, status: 'REPORTED' }
}

export const askedOf = ({ config, answers, source }: Asked): string =>
  sha256(JSON.stringify([config.gameId, config.schemaVersion, answers, ...(source === 'TYPED' ? [] : [source])]))

/**
 * Values checked answers and writes their order and report, once.
 * @param bind what belongs to the new order, in its transaction
 * @throws AppError FREE_QUOTA_USED
 */
export async function submitChecked(
  ctx: UserCtx,
  s: Submission,
  bind: (tx: Db, orderId: string) => Promise<void> = async () => undefined,
): Promise<Submitted> {
  const active = await ctx.models.active(s.config)
  return ctx.db.transaction().execute(async (tx) => {
    // parallel doubles find the first one's order
    await lockUser(tx, ctx.userId)
    const same = await sameOrder(tx, ctx.userId, s)
    if (same) return { orderId: same.id, status: same.status as Submitted['status'] }
    const account = await accountOf(tx, ctx.userId, s.config, s.answers)
    const revalueOf = await expiredOf(tx, account, s.now)
    await withinLimits(tx, ctx, s.now, revalueOf !== null)
    const stored = await store(tx, ctx.userId, s, { active, account, revalueOf })
    await bind(tx, stored.orderId)
    return stored
  })
}

/**
 * An AI valuation of typed answers. The same try (`requestId` and answers), and the same answers within ten minutes, are
 * one order, however often they arrive.
 * @throws AppError NOT_FOUND, GAME_OFFLINE, FORM_CHANGED, VALIDATION_FAILED, FREE_QUOTA_USED
 */
export async function submitAi(ctx: UserCtx, req: Req<'evaluation', 'submitAi'>): Promise<Submitted> {
  const config = openFor(await ctx.games.find(req.gameId), 'AI')
  // without a read every answer counts as typed, whatever is claimed
  const answers = checked(config, req)
  for (const { key, type } of config.fields) {
    const pictures = type === 'image' ? answers[key] : undefined
    if (Array.isArray(pictures)) await requirePictures(ctx, pictures as string[], `answers.${key}`)
  }
  const asked: Asked = { config, answers, source: 'TYPED', now: ctx.clock.now() }
  return submitChecked(ctx, { ...asked, asked: askedOf(asked), requestId: req.requestId ?? '' })
}
