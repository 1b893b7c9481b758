import type { Answers, FormConfig } from '@/contract/form/types'
import type { Req, Res } from '@/contract/types'
import { AppError } from '../../../core/app-error'
import type { UserCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import { requireAnsweredPictures } from '../../games/answered-pictures'
import { canonicalAnswers, requireAnswersWithout } from '../../games/answers'
import { refreshTask } from '../../games/collection/refresh-task'
import { ANSWERS_LIFETIME_MS, lockedTask, ownTask, ownTasks, type TaskRow } from '../../games/collection/task'
import { isRunning } from '../../games/collection/task-status'
import { configForMode } from '../../games/repository'
import { logInitialStatus } from '../../orders/order-transitions'
import { requireAskingPrice } from '../../orders/reviewing/sold-price'
import { lockUser } from '../../shared/locks'
import { requireWithinDailyLimit } from '../daily-limit'
import { requestKey, sameOrder, submissionOf, type ValuationSubmission } from '../idempotency'
import { submitAi } from '../submit'
import { insertValuation } from '../value-order'
import { mergeAnswers, sourceOf } from './finish-task'

type Request = Req<'evaluation', 'submitAi'> & { taskId: string }
type Submitted = Res<'evaluation', 'submitAi'>

/**
 * The answers given before the collection, without fields it will provide: typed answers would count as collected ones.
 */
const answersBeforeRead = (config: FormConfig, req: Request): Answers =>
  requireAnswersWithout(config, req, new Set(config.fields.flatMap((f) => (f.autoFill ? f.key : []))))

/** The order that awaits the running collection; later answers, and the price of a listing, replace earlier ones. */
async function wait(
  tx: Db,
  ctx: UserCtx,
  s: ValuationSubmission,
  { taskId, listing }: Request,
): Promise<Submitted | undefined> {
  await lockUser(tx, ctx.userId)
  const now = await lockedTask(tx, taskId).executeTakeFirstOrThrow()
  if (!isRunning(now.status)) return undefined
  const price = { listing_fen: (listing?.consent && listing.askFen) ?? null }
  await tx.updateTable('collection_tasks').set(price).where('id', '=', taskId).execute()
  if (now.order_id !== null) {
    const set = { answers: JSON.stringify(s.answers), ask_fen: s.askFen ?? null, request_key: requestKey(s) }
    const order = await tx
      .updateTable('orders')
      .set(set)
      .where('id', '=', now.order_id)
      .where('status', '=', 'WAIT_AUTH')
      .returning('id')
      .executeTakeFirst()
    if (order) return { orderId: order.id, status: 'WAIT_AUTH' }
  }
  const same = await sameOrder(tx, ctx.userId, s)
  const orderId = same?.id ?? (await begin(tx, ctx, s))
  if (!same) await tx.updateTable('collection_tasks').set({ order_id: orderId }).where('id', '=', taskId).execute()
  return { orderId, status: (same?.status ?? 'WAIT_AUTH') as Submitted['status'] }
}

async function begin(tx: Db, ctx: UserCtx, s: ValuationSubmission): Promise<string> {
  await requireWithinDailyLimit(tx, ctx, s.now, false)
  const orderId = await insertValuation(tx, ctx.userId, s, 'WAIT_AUTH')
  await logInitialStatus(tx, { orderId, to: 'WAIT_AUTH', now: s.now, actor: `user:${ctx.userId}` })
  return orderId
}

const differs = (config: FormConfig, key: string, a: Answers, b: Answers) =>
  JSON.stringify(canonicalAnswers(config, { [key]: a[key] })) !==
  JSON.stringify(canonicalAnswers(config, { [key]: b[key] }))

/** Submits collected answers. Corrections by the user are stored separately, and the whole then counts as typed. */
async function handIn(ctx: UserCtx, config: FormConfig, task: TaskRow, req: Request): Promise<Submitted> {
  const { features, read_at } = task
  if (!features || (read_at ?? 0) + ANSWERS_LIFETIME_MS <= ctx.clock.now()) throw new AppError('AUTH_TASK_EXPIRED')
  const answers = mergeAnswers(config, features, req.answers)
  const wrong = Object.keys(features).filter(
    (key) => req.answers[key] !== undefined && differs(config, key, features, answers),
  )
  const source = wrong.length > 0 ? 'TYPED' : sourceOf(task)
  const linkTask = async (tx: Db, orderId: string) => {
    await tx.updateTable('orders').set({ collection_task_id: task.id }).where('id', '=', orderId).execute()
    const bound = await tx
      .updateTable('collection_tasks')
      .set((e) => ({
        order_id: e.fn.coalesce('order_id', e.val(orderId)),
        ...(wrong.length > 0 && {
          corrections: JSON.stringify(Object.fromEntries(wrong.map((key) => [key, features[key]]))),
        }),
      }))
      .where('id', '=', task.id)
      .where('features', 'is not', null)
      .where('forgotten_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    // its data was deleted after it was read above
    if (!bound) throw new AppError('AUTH_TASK_EXPIRED')
  }
  return submitAi(ctx, req, { answers, source, linkTask })
}

/**
 * Values an account that is being read, or was read, with its owner's consent. During the collection the order waits
 * and is valued automatically at its end; afterwards the collected answers are submitted, with the user's corrections.
 * @throws AppError NOT_FOUND, GAME_OFFLINE, FORM_CHANGED, VALIDATION_FAILED, FREE_QUOTA_USED, AUTH_TASK_EXPIRED
 */
export async function submitRead(ctx: UserCtx, req: Request): Promise<Submitted> {
  const config = configForMode(await ctx.repositories.games.find(req.gameId), 'AI')
  const found = await ownTasks(ctx).where('id', '=', req.taskId).where('game_id', '=', config.gameId).executeTakeFirst()
  if (!found) throw new AppError('AUTH_TASK_EXPIRED')
  const task = await refreshTask(ctx, found)
  if (isRunning(task.status)) {
    await requireAnsweredPictures(ctx, config, req.answers)
    if (req.listing) requireAskingPrice(req.listing.askFen)
    const answers = answersBeforeRead(config, req)
    const s = submissionOf({ config, answers, source: sourceOf(task), now: ctx.clock.now() }, req)
    const waiting = await ctx.db.transaction().execute((tx) => wait(tx, ctx, s, req))
    if (waiting) return waiting
  }
  // the task may have ended meanwhile
  const ended = await ownTask(ctx, task.id)
  if (ended.status === 'SUCCESS' || ended.status === 'INSUFFICIENT') return handIn(ctx, config, ended, req)
  throw new AppError('AUTH_TASK_EXPIRED')
}
