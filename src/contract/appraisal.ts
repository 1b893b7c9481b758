/** Deliverables of each human service. The checkout names these figures and the server requires them at delivery. */
import type { ManualLevel } from './labels'

export interface ServiceTerms {
  /** independent appraisers */
  people: 1 | 2
  /** lines of the model's price that each appraiser comments on, at least */
  notes: number
  /** comparable accounts that each appraiser keeps or strikes, at least */
  comparables: number
  /** channels for which each appraiser says how to sell, at least */
  channels: number
}

export const serviceTerms: Record<ManualLevel, ServiceTerms> = {
  STD: { people: 1, notes: 5, comparables: 3, channels: 1 },
  ADV: { people: 1, notes: 8, comparables: 5, channels: 2 },
  PRO: { people: 2, notes: 8, comparables: 5, channels: 2 },
}

/** Sales needed before the gap between an appraiser's prices and later sales is published. */
export const MIN_APPRAISER_SALES = 3

const people = { 1: '1 位估价师逐项核对', 2: '2 位估价师分别独立估价，取均价；分歧较大时复核定价' } as const

/** Deliverables of each service, one sentence each: the same text in the form and at the checkout. */
export function servicePromises(level: ManualLevel): string[] {
  const terms = serviceTerms[level]
  const each = terms.people === 2 ? '每位' : ''
  return [
    people[terms.people],
    `${each}至少 ${terms.notes} 项明细逐条表态，至少 ${terms.comparables} 个可比账号逐个取舍`,
    terms.channels > 1 ? `${each}至少 ${terms.channels} 个渠道的出售建议` : '怎么卖、在哪卖的建议',
  ]
}

/** Hour of China time at which appraisers and consultants begin; they work until midnight. */
export const SERVICE_OPENS_HOUR = 9
export const SERVICE_HOURS = `${String(SERVICE_OPENS_HOUR).padStart(2, '0')}:00–24:00`
/** Hours of working time until a report is delivered. */
export const DELIVERY_HOURS = 2
/** Days after a delivery in which its appraiser answers questions. */
export const QUESTION_DAYS = 7

/** Contents of every service. */
export const SERVICE_INCLUDES = `都含完整 AI 报告、三个价格和区间、${QUESTION_DAYS} 天内提问和 1 次免费复估；${DELIVERY_HOURS} 小时内出报告（${SERVICE_HOURS}）`
