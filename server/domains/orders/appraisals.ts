import { roundToYuan } from '@/contract/format'
import { wordedLength } from '@/contract/rules'
import type { AppraisalDetails } from '@/contract/types'
import { invalid } from '../../app-error'
import type { Db } from '../../db/database'
import type { AppraisalDuties } from './appraisal-details'

/** characters */
const REASON_MIN = 4
/** appraisals that differ by more than this share of their mean are not averaged: the appraisers must agree on a price */
const MAX_APART = 0.2

export interface Appraisal {
  staffId: string
  name: string
  no: string
  years: number
  priceFen: number
  comment: string
  details: AppraisalDetails
}

/** SECOND: awaits the other appraiser's price · AGREEMENT: both were given but are too far apart */
export type AppraisalWait = 'SECOND' | 'AGREEMENT'

export interface AgreedPrice {
  priceFen: number
  first: Appraisal
  second: Appraisal
  /** decided the price as a third appraiser */
  third?: Appraisal
  /** whose appraisal is written for the price, with that price; none where it is the mean of two */
  planAuthor?: Appraisal
}

/** Appraisals of a version of an order's report, oldest first. */
export const appraisalsOf = async (db: Db, orderId: string, version: number): Promise<Appraisal[]> => {
  const rows = await db
    .selectFrom('appraisals as o')
    .innerJoin('staff as s', 's.staff_id', 'o.staff_id')
    .select(['o.staff_id', 's.nick', 's.no', 's.years', 'o.price_fen', 'o.comment', 'o.work'])
    .where('o.order_id', '=', orderId)
    .where('o.version', '=', version)
    .orderBy('o.at')
    .orderBy('o.staff_id')
    .execute()
  return rows.map((r) => ({
    ...{ staffId: r.staff_id, name: r.nick, no: r.no, years: r.years },
    ...{ priceFen: r.price_fen, comment: r.comment, details: r.work },
  }))
}

/**
 * What an appraiser of an expert order does besides valuing: one of the two judges binding and recovery. It is the one who
 * did not take the order, unless another's appraisal already lacks it or has it.
 * @param given all appraisals so far
 */
export function dutiesOf(
  { appraiser_id }: { appraiser_id: string | null },
  given: readonly Appraisal[],
  staffId: string,
): AppraisalDuties {
  const others = given.filter((one) => one.staffId !== staffId)
  const [other] = others
  const isSecond = others.length === 1 && given.length === 1
  const adopted = other?.details.comparables.filter(({ verdict }) => verdict === 'KEPT').map(({ id }) => id)
  return {
    binding: other ? others.every(({ details }) => !details.binding) : appraiser_id !== staffId,
    ...(isSecond && adopted && { adopted }),
  }
}

/** Stores an appraisal, or replaces the same appraiser's on the same version. */
export async function storeAppraisal(
  tx: Db,
  { orderId, version, mine, now }: { orderId: string; version: number; mine: Appraisal; now: number },
): Promise<void> {
  const { staffId, priceFen, comment, details } = mine
  const values = { price_fen: priceFen, comment, at: now, work: JSON.stringify(details) }
  await tx
    .insertInto('appraisals')
    .values({ order_id: orderId, version, staff_id: staffId, ...values })
    .onConflict((c) => c.columns(['order_id', 'version', 'staff_id']).doUpdateSet(values))
    .execute()
}

/** Whether two appraisals are too far apart for their mean to be the price. */
const isApart = ({ priceFen: a }: Appraisal, { priceFen: b }: Appraisal) => Math.abs(a - b) > (MAX_APART * (a + b)) / 2

/** Names an appraisal in the form that shows it to the other appraiser, who then decides knowing it. */
export const shownKey = ({ staffId, priceFen }: Appraisal): string => `${staffId} ${priceFen}`

/**
 * When two appraisals are too far apart, one of the two appraisers sets a price between them that is not too far from the
 * other's, and gives a reason.
 */
function decideBetween(
  mine: Appraisal,
  { own, other, seen }: { own: Appraisal; other: Appraisal; seen: string | undefined },
): Pick<AgreedPrice, 'priceFen'> & { appraisal: Appraisal } {
  // a form opened before the other's delivery, or sent twice, corrects the own price and decides nothing
  if (seen !== shownKey(other))
    throw invalid([{ path: 'seen', msg: '另一位估价师已交付，两位相差较大，请看过后再定价' }])
  const [low, high] = [Math.min(own.priceFen, other.priceFen), Math.max(own.priceFen, other.priceFen)]
  if (mine.priceFen < low || mine.priceFen > high)
    throw invalid([{ path: 'priceFen', msg: '定价应在两位估价师的估价之间' }])
  // otherwise one of the two could have their own price without the other's agreement
  if (isApart(mine, other))
    throw invalid([{ path: 'priceFen', msg: '与另一位仍相差超过 20%，请取更接近的价格，或等第三位复核' }])
  if (wordedLength(mine.comment) < REASON_MIN) throw invalid([{ path: 'comment', msg: '请写明两位核对后的定价理由' }])
  return { priceFen: mine.priceFen, appraisal: { ...own, comment: mine.comment, details: mine.details } }
}

/** Whole yuan. */
const meanOf = (a: Appraisal, b: Appraisal) => Math.max(100, roundToYuan((a.priceFen + b.priceFen) / 2))

/** Price by a third appraiser when two are too far apart: the middle one of the three. */
function byThird(third: Appraisal, first: Appraisal, second: Appraisal): AgreedPrice {
  if (wordedLength(third.comment) < REASON_MIN) throw invalid([{ path: 'comment', msg: '请写明复核定价的理由' }])
  const [, planAuthor = third] = [first, second, third].sort((a, b) => a.priceFen - b.priceFen)
  return { priceFen: planAuthor.priceFen, first, second, third, planAuthor }
}

/**
 * Adds an appraisal of an expert order (two appraisers). Each is hidden from the other until both are given.
 * The price is their mean, in whole yuan; if they are too far apart, one of the two moves near enough to the
 * other's or a third appraiser decides. Call in the transaction that locks the order's row.
 * @param at `seen`: `shownKey` of the other's appraisal, if the form showed it
 * @throws AppError VALIDATION_FAILED
 */
export async function addAppraisal(
  tx: Db,
  { seen, ...at }: { orderId: string; version: number; mine: Appraisal; now: number; seen?: string | undefined },
): Promise<AgreedPrice | AppraisalWait> {
  const { orderId, version, mine } = at
  const given = await appraisalsOf(tx, orderId, version)
  const own = given.find(({ staffId }) => staffId === mine.staffId)
  const [other, another] = given.filter(({ staffId }) => staffId !== mine.staffId)
  if (other && another) {
    const third = byThird(mine, other, another)
    await storeAppraisal(tx, at)
    return third
  }
  const both = own && other ? decideBetween(mine, { own, other, seen }) : undefined
  if (!both) await storeAppraisal(tx, at)
  if (!other) return 'SECOND'
  const last = both?.appraisal ?? mine
  if (!both && isApart(last, other)) return 'AGREEMENT'
  const [first, second] = given[0]?.staffId === last.staffId ? [last, other] : [other, last]
  if (!both) return { priceFen: meanOf(last, other), first, second }
  return { priceFen: both.priceFen, first, second, planAuthor: { ...last, priceFen: both.priceFen } }
}
