/** What a rating of an appraiser's report means for its free revaluation. */
import type { accuracyText } from './labels'
import type { RevaluationReason } from './orderStatus'

/** Ratings up to this number of stars start the free revaluation of a manual report, if it has not been used. */
export const MAX_COMPENSATED_SCORE = 2

/** The reason of a revaluation that a rating starts; OTHER needs a text. */
export const revaluationReasons: { readonly [A in keyof typeof accuracyText]: RevaluationReason } = {
  LOW: 'TOO_LOW',
  FAIR: 'OTHER',
  HIGH: 'TOO_HIGH',
}
