import type { Req, Res } from '@/contract/types'
import type { UserCtx } from '../../context'
import type { Db } from '../../db/database'
import { screenListing, storeListing } from '../followups/listing-price'
import { accountOf } from '../games/account-identity'
import { requireAnsweredPictures } from '../games/answered-pictures'
import { requireValidAnswers } from '../games/answers'
import { configForMode } from '../games/repository'
import type { ValuationRequest } from '../reports/store'
import { lockUser } from '../shared/locks'
import { expiredReportOf, requireWithinDailyLimit } from './daily-limit'
import { contentHashOf, insertValuation, sameOrder, type ValuationSubmission } from './new-order'
import { valueOrder } from './value-order'

type Submitted = Res<'evaluation', 'submitAi'>

interface Extras {
  /** the price of the listing that the answers were read from */
  listing?: Req<'evaluation', 'submitAi'>['listing']
  /** runs for the new order, in its transaction */
  linkTask?(tx: Db, orderId: string): Promise<void>
}

/**
 * Values validated answers and writes order and report, once.
 * @throws AppError FREE_QUOTA_USED, VALIDATION_FAILED for the price of the listing
 */
export async function submitAnswers(
  ctx: UserCtx,
  s: ValuationSubmission,
  { listing, linkTask: bind }: Extras = {},
): Promise<Submitted> {
  const { userId } = ctx
  const active = await ctx.models.active(s.config)
  const askingSale = listing && (await screenListing(ctx, { ...s, askFen: listing.askFen }))
  return ctx.db.transaction().execute(async (tx) => {
    // concurrent duplicates then find the first one's order
    await lockUser(tx, userId)
    const same = await sameOrder(tx, userId, s)
    if (same) return { orderId: same.id, status: same.status as Submitted['status'] }
    const account = await accountOf(tx, userId, s.config, s.answers)
    const renewalOf = await expiredReportOf(tx, account, s.now)
    await requireWithinDailyLimit(tx, ctx, s.now, renewalOf !== null)
    const orderId = await insertValuation(tx, userId, s, 'PROCESSING')
    const { status } = await valueOrder(tx, { ...s, orderId, userId, account, active, renewalOf })
    if (askingSale && status === 'REPORTED') await storeListing(tx, askingSale, s.now)
    await bind?.(tx, orderId)
    return { orderId, status }
  })
}

/**
 * An AI valuation of typed answers. Idempotent by `requestId` and answers, and by equal answers within ten minutes.
 * @throws AppError NOT_FOUND, GAME_OFFLINE, FORM_CHANGED, VALIDATION_FAILED, FREE_QUOTA_USED
 */
export async function submitAi(ctx: UserCtx, req: Req<'evaluation', 'submitAi'>): Promise<Submitted> {
  const config = configForMode(await ctx.games.find(req.gameId), 'AI')
  const answers = requireValidAnswers(config, req)
  await requireAnsweredPictures(ctx, config, answers)
  // without a collection all answers count as typed, whatever the client claims
  const request: ValuationRequest = { config, answers, source: 'TYPED', now: ctx.clock.now() }
  const s = { ...request, contentHash: contentHashOf(request), requestId: req.requestId ?? '' }
  return submitAnswers(ctx, s, { listing: req.listing })
}
