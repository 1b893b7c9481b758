import { estimate, estimateRange, tenthsText } from './format'

/**
 * A report's range with what it covers, the same words on the page, the poster and the document:
 * `八成同类账号成交在 ¥1,930 – ¥2,790`. The coverage of an appraiser's range has not been measured, so none is
 * claimed; undefined without a range. Beyond all sales the upper end is open.
 */
export function rangeText(price: {
  predictFen: number
  lowFen: number
  highFen: number
  coverage?: number
  openEnded?: boolean
}): string | undefined {
  const { predictFen, lowFen, highFen, coverage, openEnded } = price
  if (openEnded) return `超出已有成交，至少 ${estimate(predictFen)}`
  if (coverage === undefined && lowFen === highFen) return undefined
  const name = coverage === undefined ? '估价师区间' : `${tenthsText(coverage)}同类账号成交在`
  return `${name} ${estimateRange(lowFen, highFen)}`
}
