import type { Insertable, Updateable } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import { validateField } from '@/contract/form/validate'
import type { AutoTask, Req } from '@/contract/types'
import { AppError, invalid } from '../../../core/app-error'
import { CLOCK_TOLERANCE_MS, chinaDayStart } from '../../../core/clock'
import type { UserCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import type { CollectionTasks } from '../../../db/tables'
import { queueDeletion } from '../../shared/deletion-outbox'
import { lockUser } from '../../shared/locks'
import { newId } from '../../shared/secrets'
import { configForMode } from '../repository'
import { refreshTask } from './refresh-task'
import { ownTask, ownTasks, QR_LIFETIME_MS, TASK_TIMEOUT_MS, type TaskRow, toTask } from './task'
import { isRunning, TASK_SEQUENCE, transitionTask } from './task-status'

type TaskRequest = Req<'evaluation', 'taskCreate'>

type NewTask = Pick<Insertable<CollectionTasks>, 'game_id' | 'login_type' | 'schema_version' | 'lookup'>
/** The id of the order that awaits the new task; null: there is none yet. */
type WaitingOrder = (tx: Db, now: number) => Promise<string | null>

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

const runningTask = (ctx: UserCtx, gameId: string): Promise<TaskRow | undefined> =>
  ownTasks(ctx)
    .where('game_id', '=', gameId)
    .where('status', 'in', [...TASK_SEQUENCE])
    .executeTakeFirst()

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
async function insert(tx: Db, ctx: UserCtx, task: NewTask, waitingOrder: WaitingOrder) {
  const now = ctx.clock.now()
  await lockUser(tx, ctx.userId)
  await requireReadsLeft(tx, ctx.userId, now)
  const row = await tx
    .insertInto('collection_tasks')
    .values({
      ...task,
      id: newId(),
      user_id: ctx.userId,
      status: 'CREATED',
      order_id: await waitingOrder(tx, now),
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
  const { ref } = await ownTask(ctx, taskId)
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
  return ownTask(ctx, taskId)
}

/**
 * Starts a collection of the user's account, or returns the running one (one per user and game).
 * @throws AppError NOT_FOUND, GAME_OFFLINE, VALIDATION_FAILED, ORDER_STATUS_CHANGED, FREE_QUOTA_USED after 30 a day,
 * SERVICE_UNAVAILABLE without a collector
 */
export async function beginTask(ctx: UserCtx, req: TaskRequest, waitingOrder: WaitingOrder): Promise<AutoTask> {
  const config = configForMode(await ctx.repositories.games.find(req.gameId), 'AI')
  const { gameId, aiMode } = config
  if (aiMode === 'MANUAL_FORM') throw invalid([{ path: 'gameId', msg: '该游戏暂不支持授权读取，请自己填写' }])
  const wanted = {
    game_id: gameId,
    login_type: aiMode === 'PUBLIC_ID' ? aiMode : req.loginType,
    schema_version: config.schemaVersion,
    lookup: JSON.stringify(lookupOf(config, req.answers ?? {})),
  }
  const before = await runningTask(ctx, gameId)
  const running = before && (await refreshTask(ctx, before))
  const task =
    running && isRunning(running.status)
      ? running
      : ((await ctx.db.transaction().execute((tx) => insert(tx, ctx, wanted, waitingOrder))) ??
        (await runningTask(ctx, gameId)))
  if (!task) throw new AppError('ORDER_STATUS_CHANGED', { msg: '授权状态已变化，请重试' })
  return toTask(await begin(ctx, task), ctx.clock.now())
}
