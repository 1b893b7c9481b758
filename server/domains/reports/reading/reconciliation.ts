import type { AppraisalDetails, Report } from '@/contract/types'
import { sum, toFen } from '../../../engine/numbers'

/**
 * How the model's price became the report's, exact to the fen: the lines that those whose price it is have changed, each
 * divided by their number because the price is their mean, and what no line explains.
 * @param authors the appraiser for whose price it is, or the two whose mean it is
 */
export function reconcile(
  aiFen: number,
  priceFen: number,
  authors: readonly { details: Pick<AppraisalDetails, 'corrections'> }[],
): NonNullable<Report['reconciliation']> {
  const sums = new Map<string, number>()
  for (const { label, amountFen, ownFen } of authors.flatMap(({ details }) => details.corrections))
    sums.set(label, (sums.get(label) ?? 0) + ownFen - amountFen)
  const lines = [...sums]
    .map(([label, fen]) => ({ label, amountFen: toFen(fen / authors.length) }))
    .filter(({ amountFen }) => amountFen !== 0)
    .sort((a, b) => Math.abs(b.amountFen) - Math.abs(a.amountFen))
  const restFen = priceFen - aiFen - sum(lines.map(({ amountFen }) => amountFen))
  return { aiFen, lines, restFen, people: authors.length }
}
