import type { Updateable } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import { validateField } from '@/contract/form/validate'
import type { AutoTask, Req } from '@/contract/types'
import { AppError, invalid, orderNotFound } from '../../../core/app-error'
import { chinaDayStart } from '../../../core/clock'
import type { UserCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import type { CollectionTasks } from '../../../db/tables'
import { configForMode } from '../../games/repository'
import { transitionOrder } from '../../orders/order-transitions'
import { selectOwnOrder } from '../../orders/own-order'
import { queueDeletion } from '../../shared/deletion-outbox'
import { CLOCK_TOLERANCE_MS } from '../../shared/due'
import { lockUser } from '../../shared/locks'
import { newId } from '../../shared/secrets'
import { TASK_SEQUENCE } from '../../shared/task-sequence'
import { requireWithinDailyLimit } from '../daily-limit'
import { cancelTask, revokeAuthorisation } from './cancel-task'
import { newQr, refreshTask } from './refresh-task'
import { ownTask, QR_LIFETIME_MS, TASK_TIMEOUT_MS, type TaskRow, toTask } from './task'
import { AWAITING_RESULT, isRunning, transitionTask } from './task-status'

type TaskRequest = Req<'evaluation', 'taskCreate'>

/** collections begun per user and day */
const MAX_READS_PER_DAY = 30

/** Server and public id, validated as in the form; the collector gets no other answers. */
function lookupOf(config: FormConfig, answers: Answers): Answers {
  const manualFields = config.fields.filter((f) => !f.autoFill && (f.role === 'lookup' || f.role === 'factor'))
  const given = manualFields.filter((f) => answers[f.key] !== undefined)
  const issues = given.flatMap((f) => validateField(config, f, answers[f.key], 'AI') ?? [])
  if (issues.length > 0) throw invalid(issues.map(({ path, msg }) => ({ path: `answers.${path}`, msg })))
  return Object.fromEntries(given.map((f) => [f.key, answers[f.key]]))
}

const runningTask = (db: Db, userId: string, gameId: string): Promise<TaskRow | undefined> =>
  db
    .selectFrom('collection_tasks')
    .selectAll()
    .where('user_id', '=', userId)
    .where('game_id', '=', gameId)
    .where('status', 'in', [...TASK_SEQUENCE])
    .executeTakeFirst()

/** The order that awaits a repeated collection. @throws AppError NOT_FOUND, ORDER_STATUS_CHANGED, FREE_QUOTA_USED */
async function waitingOrder(
  tx: Db,
  ctx: UserCtx,
  { orderId, gameId }: TaskRequest,
  now: number,
): Promise<string | null> {
  if (!orderId) return null
  const { userId } = ctx
  // a failed collection does not count, so repeating it for its order must be checked against the daily limit again
  await requireWithinDailyLimit(tx, ctx, now, false)
  const order = await selectOwnOrder(tx, userId, orderId)
    .select('status')
    .where('game_id', '=', gameId)
    .where('mode', '=', 'AI')
    .executeTakeFirstOrThrow(orderNotFound)
  const again = { orderId, from: 'FAILED', to: 'WAIT_AUTH', now, actor: `user:${userId}` } as const
  if (order.status !== 'WAIT_AUTH' && !(await transitionOrder(tx, again))) throw new AppError('ORDER_STATUS_CHANGED')
  return orderId
}

/** Failed reads cost the user nothing, but the collector. @throws AppError FREE_QUOTA_USED */
async function requireReadsLeft(tx: Db, userId: string, now: number): Promise<void> {
  const { n } = await tx
    .selectFrom('collection_tasks')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('user_id', '=', userId)
    .where('created_at', '>=', chinaDayStart(now))
    .where('created_at', '<=', now + CLOCK_TOLERANCE_MS)
    .executeTakeFirstOrThrow()
  if (n >= MAX_READS_PER_DAY) throw new AppError('FREE_QUOTA_USED', { msg: '今天的授权读取次数已用完，请明天再来' })
}

/** undefined: a concurrent request has created the running task. @throws AppError NOT_LOGGED_IN, FREE_QUOTA_USED */
async function insert(tx: Db, ctx: UserCtx, req: TaskRequest, config: FormConfig, lookup: Answers) {
  const now = ctx.clock.now()
  await lockUser(tx, ctx.userId)
  await requireReadsLeft(tx, ctx.userId, now)
  const row = await tx
    .insertInto('collection_tasks')
    .values({
      id: newId(),
      user_id: ctx.userId,
      game_id: config.gameId,
      login_type: config.aiMode === 'PUBLIC_ID' ? 'PUBLIC_ID' : req.loginType,
      schema_version: config.schemaVersion,
      status: 'CREATED',
      lookup: JSON.stringify(lookup),
      order_id: await waitingOrder(tx, ctx, req, now),
      created_at: now,
      changed_at: now,
      expire_at: now + TASK_TIMEOUT_MS,
    })
    .onConflict((c) => c.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (row)
    await tx
      .insertInto('collection_task_events')
      .values({ task_id: row.id, at: now, from_status: null, to_status: 'CREATED' })
      .execute()
  return row
}

/**
 * Stores what the collector answered after its first events, or after the user's cancellation. After a cancellation it
 * also requests the deletion at the collector, which was impossible before the collector's reference was known.
 */
async function storeLate(ctx: UserCtx, taskId: string, patch: { ref: string } & Updateable<CollectionTasks>) {
  const stored = await ctx.db
    .updateTable('collection_tasks')
    .set(patch)
    .where('id', '=', taskId)
    .where('ref', 'is', null)
    .where('status', 'not in', ['CANCELED', 'EXPIRED', 'FAILED'])
    .where('forgotten_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (stored) return
  // a concurrent request stores the same number
  const { ref } = await ownTask(ctx.db, ctx.userId, taskId)
  if (ref !== patch.ref) await queueDeletion(ctx.db, 'READ', [patch.ref], ctx.clock.now())
}

/**
 * Starts the collection at the collector unless another request did. If it does not answer, the task ends; retry
 * allowed.
 */
async function begin(ctx: UserCtx, task: TaskRow): Promise<TaskRow> {
  if (task.status !== 'CREATED') return task
  const { id: taskId, game_id: gameId, login_type: loginType, lookup } = task
  const from = 'CREATED' as const
  try {
    const begun = await ctx.providers.collector.begin({ taskId, gameId, loginType, lookup, origin: ctx.origin })
    const now = ctx.clock.now()
    const patch = {
      ref: begun.ref,
      webview_url: begun.webviewUrl ?? null,
      ...(begun.qr !== undefined && { qr: begun.qr, qr_expire_at: now + QR_LIFETIME_MS }),
    }
    const to = begun.qr === undefined ? 'COLLECTING' : 'WAIT_SCAN'
    if (!(await transitionTask(ctx.db, { taskId, from, to, now, patch }))) await storeLate(ctx, taskId, patch)
  } catch (err) {
    if (err instanceof AppError) throw err
    ctx.log.warn({ err }, 'collector did not begin a read')
    await transitionTask(ctx.db, {
      taskId,
      from,
      to: 'FAILED',
      now: ctx.clock.now(),
      patch: { fail_code: 'READ_TIMEOUT' },
    })
  }
  return ownTask(ctx.db, ctx.userId, taskId)
}

async function create(ctx: UserCtx, req: TaskRequest): Promise<AutoTask> {
  const config = configForMode(await ctx.repositories.games.find(req.gameId), 'AI')
  if (config.aiMode === 'MANUAL_FORM') throw invalid([{ path: 'gameId', msg: '该游戏暂不支持授权读取，请自己填写' }])
  const lookup = lookupOf(config, req.answers ?? {})
  const now = ctx.clock.now()
  const before = await runningTask(ctx.db, ctx.userId, config.gameId)
  const running = before && (await refreshTask(ctx, before))
  const task =
    running && isRunning(running.status)
      ? running
      : ((await ctx.db.transaction().execute((tx) => insert(tx, ctx, req, config, lookup))) ??
        (await runningTask(ctx.db, ctx.userId, config.gameId)))
  if (!task) throw new AppError('ORDER_STATUS_CHANGED', { msg: '授权状态已变化，请重试' })
  return toTask(await begin(ctx, task), now)
}

/** Acts on an existing task. Posted here because reading the status must have no side effects. */
async function act(ctx: UserCtx, taskId: string, action: NonNullable<TaskRequest['action']>): Promise<AutoTask> {
  const task = await refreshTask(ctx, await ownTask(ctx.db, ctx.userId, taskId))
  if (action === 'FORGET') await revokeAuthorisation(ctx, task)
  else if (!AWAITING_RESULT.includes(task.status)) throw new AppError('AUTH_TASK_EXPIRED', { msg: '这次授权已经结束' })
  else if (action === 'CANCEL') await cancelTask(ctx, task)
  else await newQr(ctx, task)
  return toTask(await ownTask(ctx.db, ctx.userId, taskId), ctx.clock.now())
}

/**
 * Starts a collection of the user's account, or returns the running one (one per user and game). With `taskId` and
 * `action` it cancels, renews the QR code or deletes the data.
 * @throws AppError NOT_FOUND, GAME_OFFLINE, VALIDATION_FAILED, AUTH_TASK_EXPIRED, ORDER_STATUS_CHANGED,
 * FREE_QUOTA_USED also after 30 a day, SERVICE_UNAVAILABLE without a collector
 */
export const taskCreate = (ctx: UserCtx, req: TaskRequest): Promise<AutoTask> =>
  req.taskId && req.action ? act(ctx, req.taskId, req.action) : create(ctx, req)
