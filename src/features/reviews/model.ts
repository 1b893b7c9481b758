import { isFreeRevaluation } from '@/contract/orderStatus'
import { MAX_COMPENSATED_SCORE, revaluationReasons } from '@/contract/review'
import type { Order, ValuationEvaluation } from '@/contract/types'
import { copy } from './copy'

export interface ReviewDraft {
  /** 0 = none yet */
  score: number
  accuracy: ValuationEvaluation['accuracy'] | undefined
  content: string
}

/** What submitting does to the free revaluation of an appraiser's report: nothing where it is used up or over. */
export function consequenceOf(order: Order, { score }: ReviewDraft): 'REVALUATION' | 'END' | undefined {
  if (score === 0 || !isFreeRevaluation(order) || !order.actions.includes('REVALUE')) return undefined
  return score <= MAX_COMPENSATED_SCORE ? 'REVALUATION' : 'END'
}

/** The revaluation that the review starts has no other reason than its text. */
export const needsContent = (order: Order, draft: ReviewDraft): boolean =>
  consequenceOf(order, draft) === 'REVALUATION' &&
  draft.accuracy !== undefined &&
  revaluationReasons[draft.accuracy] === 'OTHER'

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
