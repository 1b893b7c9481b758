/** Deliverables of each human service. The checkout names these figures and the server requires them at delivery. */
import { bindingItemText, type ManualLevel } from './labels'

export interface ServiceTerms {
  /** independent appraisers */
  people: 1 | 2
  /** lines of the model's price that each appraiser comments on, at least */
  notes: number
  /** comparable accounts that each appraiser keeps or strikes, at least */
  comparables: number
  /** channels for which each appraiser says how to sell, with their fee, at least */
  channels: number
  /** steps of the selling plan (days and prices), at least; 0: no plan, only the lowest price to accept */
  planSteps: number
  /** arguments of buyers for a lower price that each appraiser answers, at least */
  bargains: number
  /** one of the appraisers judges what binding and recovery cost (`bindingItemText`) */
  binding: boolean
  /** comparable accounts that the later of two adopts and the other does not, at least, where there are as many */
  ownComparables: number
}

export const serviceTerms: Record<ManualLevel, ServiceTerms> = {
  STD: {
    people: 1,
    notes: 5,
    comparables: 3,

    channels: 1,
    planSteps: 0,
    bargains: 0,
    binding: false,
    ownComparables: 0,
  },
  ADV: {
    people: 1,
    notes: 8,
    comparables: 5,

    channels: 2,
    planSteps: 3,
    bargains: 2,
    binding: false,
    ownComparables: 0,
  },
  PRO: {
    people: 2,
    notes: 8,
    comparables: 5,

    channels: 2,
    planSteps: 3,
    bargains: 2,
    binding: true,
    ownComparables: 2,
  },
}

/** Begins the channel of an answer to buyers, which stands among the advice. */
export const BARGAIN_PREFIX = '买家压价：'

/** Sales needed before the gap between an appraiser's prices and later sales is published. */
export const MIN_APPRAISER_SALES = 3

/** What the model offers the appraisers of an account. */
export interface ModelOffer {
  /** it has a price: its full report is part of the service */
  ai: boolean
  /** lines of that price and comparable sales; without a price the appraiser names the lines */
  lines: number
  comparables: number
}

const judged = (terms: ServiceTerms, { ai, lines, comparables }: ModelOffer) => ({
  notes: ai ? Math.min(terms.notes, lines) : terms.notes,
  comparables: Math.min(terms.comparables, comparables),
})

/**
 * Deliverables of each service, one sentence each, the upper ones by what they add to the one below: the same text in the form and at
 * the checkout.
 * @param offer what is known of the account's model price, at the checkout
 */
export function servicePromises(level: ManualLevel, offer?: ModelOffer): string[] {
  const terms = serviceTerms[level]
  const { notes, comparables } = offer ? judged(terms, offer) : terms
  // each of the two delivers the service of the next lower level
  if (terms.people === 2)
    return [
      '比“专业”多 1 位估价师：两人互不看价，各交一份“专业”，取均价；分歧大时复核定价',
      `一位专查绑定与找回 ${Object.keys(bindingItemText).length} 项：影响多少钱、怎么先解除`,
      `写明两人差在哪、以谁为准；${comparables > 0 ? `另选至少 ${terms.ownComparables} 个可比账号（没有合适的除外）；` : ''}合成一份降价计划和底价`,
    ]
  if (terms.planSteps > 0)
    return [
      `比“标准”多：降价计划（至少 ${terms.planSteps} 步），至少 ${terms.bargains} 种买家压价怎么回`,
      `至少 ${notes} 项明细、${comparables > 0 ? `${comparables} 个可比账号、` : ''}${terms.channels} 个渠道，每一条都写理由`,
    ]
  return [
    `1 位估价师，至少 ${notes} 项明细逐条表态，${comparables > 0 ? `至少 ${comparables} 个可比账号逐个取舍，` : ''}每一条都写理由`,
    '怎么卖、在哪卖，写明底价、手续费和到手多少',
  ]
}

/** Hour of China time at which appraisers and consultants begin; they work until midnight. */
export const SERVICE_OPENS_HOUR = 9
export const SERVICE_HOURS = `${String(SERVICE_OPENS_HOUR).padStart(2, '0')}:00–24:00`
/** Hours of working time until a report is delivered. */
export const DELIVERY_HOURS = 2
/** Days after a delivery in which its appraiser answers questions. */
export const QUESTION_DAYS = 7

const included = (ai: boolean) =>
  `都含${ai ? '完整 AI 报告、' : ''}三个价格和区间、${QUESTION_DAYS} 天内提问和 1 次免费复估；${DELIVERY_HOURS} 小时内出报告（${SERVICE_HOURS}）`

/** Contents of every service. @param offer as of `servicePromises`; null at the checkout while the model is being trained */
export function serviceIncludes(offer?: ModelOffer | null): string {
  if (offer === null) return `${included(true)}。AI 估价还在准备，如果没有，就不含 AI 报告和可比账号`
  if (!offer) return `${included(true)}。没有 AI 估价或可比账号的，下单前会写明`
  return offer.ai ? included(true) : `${included(false)}。这个账号暂时没有 AI 估价，不含 AI 报告和可比账号`
}
