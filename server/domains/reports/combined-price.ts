import type { AppraisalDetails, Report } from '@/contract/types'
import { mean, sum } from '../../engine/numbers'

/** An appraiser's price with the prices around it. */
export interface PersonalPrice {
  priceFen: number
  details: Pick<AppraisalDetails, 'lowFen' | 'quickFen' | 'listFen' | 'highFen'>
}

/**
 * Correlation of the errors of two appraisers. They value apart, and the later one adopts comparables of their own, but
 * both see the same sales and the same lines: half of what they go by is shared.
 */
const CORRELATION = 0.5

/** Half-width of the mean's range from the half-widths of its parts, as for the standard deviation of a mean. */
function halfWidthOfMean(parts: readonly number[]): number {
  const squares = sum(parts.map((one) => one * one))
  return Math.sqrt(CORRELATION * sum(parts) ** 2 + (1 - CORRELATION) * squares) / parts.length
}

/**
 * Price of a report from those of its appraisers. Quick and list price are the mean of theirs; the range is narrower than
 * each of two equally wide ones, because a mean errs less than its parts, and contains what every appraiser estimated.
 * Where one of them wrote the plan for the price, these are the prices of that one.
 * @param predictFen the mean of two, or the decided price @param planAuthor who wrote the plan for it
 */
export function combinedPrice(
  predictFen: number,
  people: readonly PersonalPrice[],
  planAuthor: PersonalPrice | undefined,
): Report['price'] {
  const given = (planAuthor ? [planAuthor] : people).map(({ priceFen, details }) => ({ priceFen, ...details }))
  const quickFen = Math.min(predictFen, Math.round(mean(given.map((one) => one.quickFen))))
  const listFen = Math.max(predictFen, Math.round(mean(given.map((one) => one.listFen))))
  const down = halfWidthOfMean(given.map(({ priceFen, lowFen }) => 1 - lowFen / priceFen))
  const up = halfWidthOfMean(given.map(({ priceFen, highFen }) => highFen / priceFen - 1))
  const estimates = people.map(({ priceFen }) => priceFen)
  return {
    predictFen,
    lowFen: Math.min(quickFen, ...estimates, Math.round(predictFen * (1 - down))),
    highFen: Math.max(listFen, ...estimates, Math.round(predictFen * (1 + up))),
    ...{ quickFen, listFen },
  }
}
