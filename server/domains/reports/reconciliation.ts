import type { AppraisalDetails, Report } from '@/contract/types'
import { sum } from '../../engine/numbers'

type Notes = Pick<AppraisalDetails, 'notes'>

/** What an appraiser added to each line of the model's price, fen; a line that the model lacks is added whole. */
const corrections = ({ notes }: Notes): [string, number][] =>
  notes.flatMap(({ label, amountFen = 0, ownFen }): [string, number][] =>
    ownFen === undefined ? [] : [[label, ownFen - amountFen]],
  )

/**
 * How the model's price became the report's, exact to the fen: the corrections of lines by those whose appraisals the price
 * rests on, each divided by their number because the price is their mean, what binding and recovery cost beyond the lines, and
 * what neither explains. Binding is named as far as the price is lower than the lines say: it need not have been deducted.
 * @param authors the appraiser for whose price it is, or the two whose mean it is
 */
export function reconcile(
  aiFen: number,
  priceFen: number,
  authors: readonly { details: Notes }[],
  binding: readonly { beyondLinesFen: number }[] = [],
): NonNullable<Report['reconciliation']> {
  const sums = new Map<string, number>()
  for (const [label, fen] of authors.flatMap(({ details }) => corrections(details)))
    sums.set(label, (sums.get(label) ?? 0) + fen)
  const lines = [...sums]
    .map(([label, fen]) => ({ label, amountFen: Math.round(fen / authors.length) }))
    .filter(({ amountFen }) => amountFen !== 0)
    .sort((a, b) => Math.abs(b.amountFen) - Math.abs(a.amountFen))
  const unexplained = priceFen - aiFen - sum(lines.map(({ amountFen }) => amountFen))
  const bindingFen = Math.max(Math.min(0, unexplained), -sum(binding.map(({ beyondLinesFen }) => beyondLinesFen)))
  return {
    ...{ aiFen, lines, restFen: unexplained - bindingFen, people: authors.length },
    ...(bindingFen < 0 && { bindingFen }),
  }
}
