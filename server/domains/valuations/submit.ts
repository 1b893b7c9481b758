import type { Answers } from '@/contract/form/types'
import type { Req, Res } from '@/contract/types'
import type { UserCtx } from '../../core/context'
import type { Db } from '../../db/database'
import type { AnswerSource } from '../../engine/types'
import { accountOf } from '../games/account-identity'
import { requireAnsweredPictures } from '../games/answered-pictures'
import { requireValidAnswers } from '../games/answers'
import { configForMode } from '../games/repository'
import { countShown, readingsOf } from '../games/shown-answers'
import { replaceOrderSale, screenOrderSale } from '../market/follow-ups/order-sale'
import { requireAskingPrice } from '../orders/reviewing/sold-price'
import { lockUser } from '../shared/locks'
import { expiredReportOf, requireWithinDailyLimit } from './daily-limit'
import { sameOrder, submissionOf } from './idempotency'
import { insertValuation, valueOrder } from './value-order'

type Submitted = Res<'evaluation', 'submitAi'>

/** What a collection adds to a submission. */
interface Collected {
  /** collected answers with the user's corrections */
  answers: Answers
  source: AnswerSource
  /** runs for the new order, in its transaction */
  linkTask(tx: Db, orderId: string): Promise<void>
}

/**
 * An AI valuation: checks answers and limits, values, explains and stores, once. Idempotent by `requestId` and answers,
 * and by equal answers within ten minutes.
 * @param collected without it all answers count as typed, whatever the client claims
 * @throws AppError NOT_FOUND, GAME_OFFLINE, FORM_CHANGED, VALIDATION_FAILED, FREE_QUOTA_USED
 */
export async function submitAi(
  ctx: UserCtx,
  req: Req<'evaluation', 'submitAi'>,
  collected?: Collected,
): Promise<Submitted> {
  const { userId } = ctx
  const config = configForMode(await ctx.repositories.games.find(req.gameId), 'AI')
  const answers = requireValidAnswers(config, collected ? { ...req, answers: collected.answers } : req)
  await requireAnsweredPictures(ctx, config, answers)
  const shown = collected ? 0 : countShown(config, answers, await readingsOf(ctx.db, { userId, gameId: config.gameId }))
  const s = submissionOf({ config, answers, source: collected?.source ?? 'TYPED', shown, now: ctx.clock.now() }, req)
  const active = await ctx.repositories.models.active(config)
  const { askFen } = s
  if (askFen !== undefined) requireAskingPrice(askFen)
  const isShared = askFen !== undefined && req.listing?.consent === true
  const listed = { channel: 'LISTING', kind: 'ASKING', at: s.now } as const
  const askingSale = isShared
    ? await screenOrderSale(ctx, { config, answers, userId, sale: { ...listed, priceFen: askFen } })
    : undefined
  return ctx.db.transaction().execute(async (tx) => {
    // concurrent duplicates then find the first one's order
    await lockUser(tx, userId)
    const same = await sameOrder(tx, userId, s)
    if (same) return { orderId: same.id, status: same.status as Submitted['status'] }
    const account = await accountOf(tx, userId, config, answers)
    const renewalOf = await expiredReportOf(tx, account, s.now)
    await requireWithinDailyLimit(tx, ctx, s.now, renewalOf !== null)
    const orderId = await insertValuation(tx, userId, s, 'PROCESSING')
    const { status } = await valueOrder(tx, { ...s, orderId, userId, account, active, renewalOf })
    if (askingSale && status === 'REPORTED')
      await replaceOrderSale(tx, { orderId, channel: 'LISTING', screened: askingSale, now: s.now })
    await collected?.linkTask(tx, orderId)
    return { orderId, status }
  })
}
