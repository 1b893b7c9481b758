/** The price of a manual report: one appraiser's, the mean of two, or the middle one of three. */
import type { AppraisalDetails, Report } from '@/contract/types'
import { mean, toFen } from '../../engine/numbers'

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

/** The mean of two, to the fen like the price of one; what shows it rounds it. */
export function meanPrice(a: Appraisal, b: Appraisal): AgreedPrice {
  const of = (key: keyof ReturnType<typeof priceOf>) => toFen(mean([priceOf(a)[key], priceOf(b)[key]]))
  const price = {
    ...{ predictFen: of('predictFen'), lowFen: of('lowFen'), quickFen: of('quickFen') },
    ...{ listFen: of('listFen'), highFen: of('highFen') },
  }
  return { price, authors: [a, b], others: [] }
}

/** The middle one of three, with the prices around it as its author set them. */
export function middlePrice(all: readonly [Appraisal, Appraisal, Appraisal]): AgreedPrice {
  const [, middle = all[0]] = [...all].sort((a, b) => a.priceFen - b.priceFen)
  return { ...ownPrice(middle), others: all.filter((appraisal) => appraisal !== middle) }
}
