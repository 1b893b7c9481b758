/** The price of a manual report: one appraiser's, the mean of two, or the middle one of three. */
import { roundToYuan } from '@/contract/format'
import type { AppraisalDetails, Report } from '@/contract/types'
import { mean } from '../../engine/numbers'

/** What one appraiser has delivered. */
export interface Appraisal {
  staffId: string
  name: string
  no: string
  years: number
  priceFen: number
  comment: string
  details: AppraisalDetails
}

/** A price and those whose price it is: one, or the two whose mean it is. */
export interface AgreedPrice {
  price: Report['price']
  authors: readonly [Appraisal, ...Appraisal[]]
  /** the other appraisals, where the price is the middle one of three */
  others: readonly Appraisal[]
}

const priceOf = ({ priceFen: predictFen, details }: Appraisal) => {
  const { lowFen, quickFen, listFen, highFen } = details
  return { predictFen, lowFen, quickFen, listFen, highFen }
}

/** The price of one appraiser. */
export const ownPrice = (author: Appraisal): AgreedPrice => ({ price: priceOf(author), authors: [author], others: [] })

/** The mean of two, in whole yuan; the prices around it are kept in order, which rounding could disturb. */
export function meanPrice(a: Appraisal, b: Appraisal): AgreedPrice {
  const of = (key: keyof ReturnType<typeof priceOf>) =>
    Math.max(100, roundToYuan(mean([priceOf(a)[key], priceOf(b)[key]])))
  const predictFen = of('predictFen')
  const [quickFen, listFen] = [Math.min(of('quickFen'), predictFen), Math.max(of('listFen'), predictFen)]
  const [lowFen, highFen] = [Math.min(of('lowFen'), quickFen), Math.max(of('highFen'), listFen)]
  return { price: { predictFen, lowFen, quickFen, listFen, highFen }, authors: [a, b], others: [] }
}

/** The middle one of three, with the prices around it as its author set them. */
export function middlePrice(all: readonly [Appraisal, Appraisal, Appraisal]): AgreedPrice {
  const [, middle = all[0]] = [...all].sort((a, b) => a.priceFen - b.priceFen)
  return { ...ownPrice(middle), others: all.filter((appraisal) => appraisal !== middle) }
}
