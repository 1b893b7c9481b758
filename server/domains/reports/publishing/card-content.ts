import { assumedText, completeText } from '@/contract/labels'
import { dotsOf } from '@/contract/priceRange'
import type { ReportCard } from '@/contract/types'
import type { StoredReport } from '../store'

/** What a card of the featured list shows of a report's body. */
type CardContent = Pick<ReportCard, 'lowFen' | 'highFen' | 'percentile' | 'soldFen' | 'reason' | 'synthetic'>

/** Dots on the range of a card. */
const MAX_DOTS = 5

/** Prices of sold comparables within the picture's scale, fen. */
export const soldOf = ({ comparables, price }: Pick<StoredReport, 'comparables' | 'price'>): number[] => {
  const sold = dotsOf(comparables, price).filter(({ kind }) => kind === 'SOLD')
  return [...new Set(sold.map(({ priceFen }) => priceFen))].slice(0, MAX_DOTS)
}

/** Why the report was chosen, by its own figures. */
function reasonOf({ score, sold, assumed, reasons }: StoredReport['confidence']): string {
  return [
    `可信度 ${Math.round(score)} 分`,
    `可比成交 ${sold} 个`,
    ...(assumed.length > 0 ? [assumedText(assumed.length)] : reasons.filter((reason) => reason === completeText)),
  ].join(' · ')
}

export const cardContent = ({ price, percentile, comparables, confidence, model }: StoredReport): CardContent => ({
  lowFen: price.lowFen,
  highFen: price.highFen,
  percentile,
  soldFen: soldOf({ comparables, price }),
  reason: reasonOf(confidence),
  synthetic: model.synthetic,
})
