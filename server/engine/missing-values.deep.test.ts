import { games, SALES_UNTIL, salesOf } from '../test/arbitrary'
import { cards, carSales, houses, oddMarket } from '../test/benchmark-markets'
import { type Market, testMissingAnswers } from '../test/missing-answers'
import { train } from './train'

/** The shipped games in markets of different seeds, other goods, and random forms. */
const markets: [string, () => Market][] = [
  ...games.map((config, i): [string, () => Market] => [
    config.gameId,
    () => ({ config, sales: salesOf(config, 150, i + 1) }),
  ]),
  ['cars, where more is worth less', () => carSales(300, SALES_UNTIL, 0.1)],
  ['houses', () => houses(150, SALES_UNTIL)],
  ['cards', () => cards(150, SALES_UNTIL)],
  ...[2, 3, 4].map((seed): [string, () => Market] => [
    `a form made up at random, ${seed}`,
    () => oddMarket(150, SALES_UNTIL, seed),
  ]),
]

describe.each(markets)('missing answers in %s', (_name, open) => {
  const market = open()
  const model = train(market.config, market.sales, { now: SALES_UNTIL })
  testMissingAnswers(market, () => model)
})
