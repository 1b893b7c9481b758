import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { cleanAnswers } from '@/contract/form/answers'
import type { Answers, FormConfig } from '@/contract/form/types'
import { REPORT_PAGE } from '@/contract/pages'
import type { Deps } from '../../../core/context'
import type { Db } from '../../../db/database'
import type { ScreenedSale } from '../../../db/sales'
import type { AnswerSource } from '../../../engine/types'
import type { CollectorEvent } from '../../../providers/collector/port'
import { notify } from '../../accounts/notifications/send'
import { accountOf } from '../../games/account-identity'
import { canonicalAnswers, titleOf } from '../../games/answers'
import { applyEvent } from '../../games/collection/collector-events'
import { lockedTask, type TaskRow } from '../../games/collection/task'
import { transitionTask } from '../../games/collection/task-status'
import { replaceOrderSale, screenOrderSale } from '../../market/follow-ups/order-sale'
import { type ActiveModel, isModelPending } from '../../models/repository'
import { transitionOrder } from '../../orders/order-transitions'
import { tryLockUser } from '../../shared/locks'
import { pageLink } from '../../shared/page-link'
import { requestKey, submissionOf } from '../idempotency'
import { valueOrder } from '../value-order'

/** Trust level of unchanged collected answers. */
export const sourceOf = ({ login_type }: Pick<TaskRow, 'login_type'>): AnswerSource =>
  login_type === 'PUBLIC_ID' ? 'PUBLIC_ID' : 'AUTH'

/** Collected answers merged with the user's, in canonical form. The user's take precedence. */
export const mergeAnswers = (config: FormConfig, read: Answers, typed: Answers): Answers =>
  canonicalAnswers(config, cleanAnswers(config, { ...read, ...typed }))

/** A task with what the user submitted for it: all that its asking price is screened with. */
const submittedOf = (db: Db, taskId: string) =>
  db
    .selectFrom('collection_tasks as t')
    .leftJoin('orders as o', 'o.id', 't.order_id')
    .select(['t.game_id', 't.user_id', 't.order_id', 't.features', 't.listing_fen', 'o.answers'])
    .where('t.id', '=', taskId)
    .executeTakeFirst()
type Submitted = NonNullable<Awaited<ReturnType<typeof submittedOf>>>

/** @returns false when other answers or another price were submitted meanwhile: nothing is changed */
async function tryFinish(deps: Deps, taskId: string): Promise<boolean> {
  const { db, clock } = deps
  const { games, models } = deps.repositories
  const submitted = await submittedOf(db, taskId)
  if (!submitted) return true
  const { config } = await games.find(submitted.game_id)
  const active = await models.active(config)
  const now = clock.now()
  const askingSale = await listedPrice(deps, config, submitted, now)
  return db.transaction().execute(async (tx) => {
    await tryLockUser(tx, submitted.user_id)
    const task = await lockedTask(tx, taskId).executeTakeFirst()
    if (task?.status !== 'VALUING') return true
    // the consent may have been withdrawn meanwhile: then no price is needed
    const isListed = task.listing_fen !== null
    if (isListed && !isDeepStrictEqual(await submittedOf(tx, taskId), submitted)) return false
    const ground = { config, active, now, askingSale: isListed ? askingSale : undefined }
    const to = task.order_id === null ? 'SUCCESS' : await valueFor(tx, task, task.order_id, ground)
    const patch = to === 'INSUFFICIENT' ? { fail_code: 'SAMPLE_INSUFFICIENT' } : {}
    if (!(await transitionTask(tx, { taskId, from: 'VALUING', to, now, patch })))
      throw new Error(`task ${taskId} moved`)
    return true
  })
}

/**
 * Completes a task whose data has arrived: values the waiting order; without one the task succeeds and the answers
 * await submission. Idempotent, also across processes; a job repeats it after a crash, when the user submitted
 * something else during both tries, and until the game has its first model. @returns false without a model
 */
export async function finish(deps: Deps, taskId: string): Promise<boolean> {
  try {
    if (!(await tryFinish(deps, taskId))) await tryFinish(deps, taskId)
    return true
  } catch (e) {
    if (!isModelPending(e)) throw e
    return false
  }
}

/** Processes an event of any collector; the only entry point for external data. @returns whether it was applied */
export async function onCollected(deps: Deps, taskId: string, event: CollectorEvent): Promise<boolean> {
  const applied = await applyEvent(deps, taskId, event)
  if (applied && event.kind === 'SUCCESS') await finish(deps, taskId)
  return applied
}

/** The price of the listing that the user let us use before the collection, as a sale of the account collected. */
async function listedPrice(
  deps: Deps,
  config: FormConfig,
  { user_id: userId, features, listing_fen: askFen, answers: typed }: Submitted,
  now: number,
): Promise<ScreenedSale | undefined> {
  if (typed === null || features === null || askFen === null) return undefined
  const answers = mergeAnswers(config, features, typed)
  return screenOrderSale(deps, {
    ...{ config, answers, userId },
    sale: { channel: 'LISTING', kind: 'ASKING', priceFen: askFen, at: now },
  })
}

interface Ground {
  config: FormConfig
  active: ActiveModel | undefined
  now: number
  askingSale: ScreenedSale | undefined
}

/** WAIT_AUTH → PROCESSING → REPORTED or INSUFFICIENT, with report and message, as the user may have left the page. */
async function valueFor(
  tx: Db,
  task: TaskRow,
  orderId: string,
  { config, active, now, askingSale }: Ground,
): Promise<'SUCCESS' | 'INSUFFICIENT' | 'CANCELED'> {
  const order = await tx
    .selectFrom('orders')
    .select(['answers', 'user_id', 'request_key'])
    .where('id', '=', orderId)
    .where('status', '=', sql.lit('WAIT_AUTH'))
    .executeTakeFirst()
  if (!order) return 'CANCELED'
  const userId = order.user_id
  const answers = mergeAnswers(config, task.features ?? {}, order.answers)
  const requestId = order.request_key.split(':')[1]
  const source = sourceOf(task)
  const request = submissionOf({ config, answers, source, now }, { taskId: task.id, requestId })
  const patch = {
    answers: JSON.stringify(answers),
    source,
    title: titleOf(config, answers),
    collection_task_id: task.id,
    // submitting the collected answers again finds this order by the key
    request_key: requestKey(request),
  }
  const step = { orderId, now, actor: 'system' } as const
  if (!(await transitionOrder(tx, { ...step, from: 'WAIT_AUTH', to: 'PROCESSING', patch }))) return 'CANCELED'
  const account = await accountOf(tx, userId, config, answers)
  const valued = await valueOrder(tx, { ...request, orderId, userId, account, active })
  if (valued.status === 'INSUFFICIENT') return 'INSUFFICIENT'
  if (askingSale) await replaceOrderSale(tx, { orderId, channel: 'LISTING', screened: askingSale, now })
  await notify(tx, {
    userId,
    type: 'REPORT_READY',
    title: '报告已出',
    summary: `“${patch.title}”的估价报告已生成`,
    bizType: 'REPORT',
    bizId: valued.reportNo,
    link: pageLink(REPORT_PAGE, { orderId }),
    now,
  })
  return 'SUCCESS'
}
