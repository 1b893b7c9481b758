import { UNTIL } from '../test/arbitrary'
import { type Market, testBlanks } from '../test/blanks'
import { cards, cars, houses, oddMarket } from '../test/worlds'
import { train } from './train'

/** Markets of other goods and a form made up at random; the shipped games: valuate.test.ts; more of both: missing-values.deep.test.ts. */
const markets: [string, () => Market][] = [
  ['cars, where more is worth less', () => cars(300, UNTIL, 0.1)],
  ['houses', () => houses(150, UNTIL)],
  ['cards', () => cards(150, UNTIL)],
  ['a form made up at random, 1', () => oddMarket(150, UNTIL, 1)],
]

describe.each(markets)('what is left out in %s', (_name, open) => {
  const market = open()
  const model = train(market.config, market.sales, { now: UNTIL })
  testBlanks(market, () => model)
})
