import { SALES_UNTIL } from '../test/arbitrary'
import { cards, carSales, houses, oddMarket } from '../test/benchmark-markets'
import { type Market, testMissingAnswers } from '../test/missing-answers'
import { train } from './train'

/** Markets of other goods and a form made up at random; the shipped games: valuate.test.ts; more of both: missing-values.deep.test.ts. */
const markets: [string, () => Market][] = [
  ['cars, where more is worth less', () => carSales(300, SALES_UNTIL, 0.1)],
  ['houses', () => houses(150, SALES_UNTIL)],
  ['cards', () => cards(150, SALES_UNTIL)],
  ['a form made up at random, 1', () => oddMarket(150, SALES_UNTIL, 1)],
]

describe.each(markets)('missing answers in %s', (_name, open) => {
  const market = open()
  const model = train(market.config, market.sales, { now: SALES_UNTIL })
  testMissingAnswers(market, () => model)
})
