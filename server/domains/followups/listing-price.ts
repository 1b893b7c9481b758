/** Asking prices of pasted listings that users let us use for the market: one for each account, the newest. */
import type { Answers, FormConfig } from '@/contract/form/types'
import type { UserCtx } from '../../context'
import type { Db } from '../../db/database'
import { LISTING_SOURCE } from '../../db/sales'
import { TYPO_RATIO } from '../orders/sold-price'
import { acceptOrHold, holdReasonOf, removeSale, type ScreenedSale, screenReportedSale } from './screened-sale'

interface PricedListing {
  config: FormConfig
  answers: Answers
  askFen: number
  /** ms */
  now: number
}

/**
 * The price as training data; undefined where nothing can be learned from it: too few answers to recognise the account again, or a
 * price far off like the ¥1 and ¥99,999 that stand for "ask me". To be called before the transaction.
 */
export async function screenListing(
  ctx: Pick<UserCtx, 'db' | 'models' | 'encryption' | 'userId'>,
  { config, answers, askFen, now }: PricedListing,
): Promise<ScreenedSale | undefined> {
  const listed = { kind: 'ASKING', priceFen: askFen, at: now, source: LISTING_SOURCE, channel: 'LISTING' } as const
  const screened = await screenReportedSale(ctx, {
    config,
    answers,
    userId: ctx.userId,
    sale: { ...listed, externalId: '' },
  })
  const { fingerprint } = screened?.sale ?? {}
  const residual = screened?.expected?.residual
  if (!screened || fingerprint === undefined || residual === undefined) return undefined
  if (Math.abs(residual) > Math.log(TYPO_RATIO)) return undefined
  return { ...screened, sale: { ...screened.sale, externalId: fingerprint } }
}

/** Whether another person gave a price of the same account that is used or waits for staff. */
async function hasOthersPrice(tx: Db, { sale: { source, externalId }, reporters }: ScreenedSale): Promise<boolean> {
  const find = (table: 'sales' | 'held_sales') =>
    tx
      .selectFrom(table)
      .select('id')
      .where('source', '=', source)
      .where('external_id', '=', externalId)
      .where((e) => e.or([e('reporter', 'is', null), e('reporter', 'not in', reporters)]))
  const waiting = find('held_sales').where('decided_at', 'is', null)
  return (await find('sales').unionAll(waiting).executeTakeFirst()) !== undefined
}

/**
 * Stores the price of a listing instead of the account's earlier one, or holds it for staff. A doubtful price displaces
 * none that another person gave, used or waiting.
 */
export async function storeListing(tx: Db, screened: ScreenedSale, now: number): Promise<void> {
  if ((await hasOthersPrice(tx, screened)) && holdReasonOf(screened)) return
  const corrects = await removeSale(tx, screened.sale)
  await acceptOrHold(tx, screened, { now, corrects })
}
