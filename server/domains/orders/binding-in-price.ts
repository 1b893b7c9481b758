/** How far the price of an expert report already contains what binding and recovery cost. */
import type { Answers, FormConfig } from '@/contract/form/types'
import type { AppraisalDetails } from '@/contract/types'
import { mean, sum } from '../../engine/numbers'
import type { Valued } from '../../engine/types'
import type { BindingInPrice } from '../reports/store'
import { bindingFields } from './binding-facts'

type Details = Pick<AppraisalDetails, 'notes' | 'binding'>

interface Account {
  config: FormConfig
  answers: Answers
  /** the model's lines */
  lines: readonly Pick<Valued['breakdown'][number], 'label' | 'amountFen'>[]
}

/** What an appraiser's lines take off the price for these fields: the own amount, or the model's. */
function deductedInLines({ notes }: Details, labels: readonly string[], lines: Account['lines']): number {
  const amounts = lines
    .filter(({ label }) => labels.some((one) => label.startsWith(`${one} `)))
    .map(({ label, amountFen }) => notes.find((note) => note.label === label)?.ownFen ?? amountFen)
  return sum(amounts.map((fen) => Math.max(0, -fen)))
}

/**
 * The appraiser who judged binding has deducted the whole cost. Another appraiser has deducted only what their own lines take
 * off, so mending raises their price only by what exceeds the remaining cost. The price of two is the mean of theirs.
 * @param authors whose price the report has
 */
export function bindingInPrice(
  risks: NonNullable<AppraisalDetails['binding']>,
  authors: readonly Details[],
  { config, answers, lines }: Account,
): BindingInPrice[] {
  return risks.map(({ item, costFen, gainFen = 0 }) => {
    const labels = bindingFields(config, answers, item).map(({ label }) => label)
    const deducted = authors.map((one) =>
      one.binding ? costFen : Math.min(costFen, deductedInLines(one, labels, lines)),
    )
    const beyond = authors.map((one) => (one.binding ? Math.max(0, costFen - deductedInLines(one, labels, lines)) : 0))
    const gains = deducted.map((fen) => Math.max(0, fen - (costFen - gainFen)))
    return {
      item,
      deductedFen: Math.round(mean(deducted)),
      beyondLinesFen: Math.round(mean(beyond)),
      gainFen: Math.round(mean(gains)),
    }
  })
}
