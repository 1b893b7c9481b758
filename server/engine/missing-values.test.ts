import { SALES_UNTIL } from '../test/arbitrary'
import { carSales, oddMarket } from '../test/benchmark-markets'
import { type Market, testMissingAnswers } from '../test/missing-answers'
import { train } from './train'

/** Goods of which more is worth less, and a form made up at random; the shipped games and more markets: missing-values.deep.test.ts. */
const markets: [string, () => Market][] = [
  ['cars, where more is worth less', () => carSales(150, SALES_UNTIL, 0.1)],
  ['a form made up at random, 1', () => oddMarket(150, SALES_UNTIL, 1)],
]

describe.each(markets)('missing answers in %s', (_name, open) => {
  const market = open()
  const model = train(market.config, market.sales, { now: SALES_UNTIL })
  testMissingAnswers(market, () => model)
})
