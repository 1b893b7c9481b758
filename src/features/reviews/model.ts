import { isFreeRevaluation } from '@/contract/orderStatus'
import { MAX_COMPENSATED_SCORE } from '@/contract/review'
import type { Order, Req, ValuationEvaluation } from '@/contract/types'
import { copy } from './copy'

export const TAGS_MAX = 5
export const PICTURES_MAX = 3
/** fen; a higher price is assumed to be a typing error */
const SOLD_MAX = 100_000_000

export interface ReviewDraft {
  /** 0 = none yet */
  score: number
  accuracy: ValuationEvaluation['accuracy'] | undefined
  speed: number
  service: number
  tags: readonly string[]
  content: string
  images: string[]
  anonymous: boolean
}

export const emptyDraft: ReviewDraft = {
  score: 0,
  accuracy: undefined,
  speed: 0,
  service: 0,
  tags: [],
  content: '',
  images: [],
  anonymous: false,
}

/** Converts typed yuan to fen digit by digit, without floating point; undefined unless it is a positive amount. */
export function fenOf(yuan: string): number | undefined {
  const [, whole, part = ''] = /^(\d{1,7})(?:\.(\d{0,2}))?$/.exec(yuan.trim()) ?? []
  if (whole === undefined) return undefined
  const fen = Number(`${whole}${part.padEnd(2, '0')}`)
  return fen > 0 && fen <= SOLD_MAX ? fen : undefined
}

/** Keeps only what the input accepts: digits and one decimal point. */
export const cleanYuan = (raw: string) =>
  /^\d{0,7}(?:\.\d{0,2})?/.exec(raw.normalize('NFKC').replace(/[^\d.]/g, ''))?.[0] ?? ''

/** What submitting does to the free revaluation of an appraiser's report: nothing where it is used up or over. */
export function consequenceOf(order: Order, { score }: ReviewDraft): 'REVALUATION' | 'END' | undefined {
  if (score === 0 || !isFreeRevaluation(order) || !order.actions.includes('REVALUE')) return undefined
  return score <= MAX_COMPENSATED_SCORE ? 'REVALUATION' : 'END'
}

/** The review's text is the reason of the revaluation that it starts. */
export const needsContent = (order: Order, draft: ReviewDraft): boolean => consequenceOf(order, draft) === 'REVALUATION'

export type Issues = Partial<Record<'score' | 'accuracy' | 'content', string>>

/** Validation messages by field; empty when the review can be submitted. */
export function issuesOf(order: Order, draft: ReviewDraft): Issues {
  const { score, accuracy, content } = draft
  return {
    ...(score === 0 && { score: copy.needScore }),
    ...(!accuracy && { accuracy: copy.needAccuracy }),
    ...(needsContent(order, draft) && content.trim() === '' && { content: copy.needContent }),
  }
}

/** Request body with only the fields that were filled in. */
export function toRequest(orderId: string, d: ReviewDraft): Req<'evaluation', 'saveEvaluation'> {
  return {
    orderId,
    score: d.score,
    accuracy: d.accuracy ?? 'FAIR',
    ...(d.speed > 0 && { speed: d.speed }),
    ...(d.service > 0 && { service: d.service }),
    ...(d.tags.length > 0 && { tags: [...d.tags] }),
    ...(d.content.trim() !== '' && { content: d.content.trim() }),
    ...(d.images.length > 0 && { images: d.images }),
    ...(d.anonymous && { anonymous: true }),
  }
}
