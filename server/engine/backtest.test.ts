import { halvedMarket } from '../fixtures/synthetic/generate'
import { game, SALES_UNTIL, salesOf } from '../test/arbitrary'
import { expectNearFloor } from '../test/near-floor'
import { backtest, recovery } from './backtest'

// all games, with retraining during the tested time: backtest.deep.test.ts
test('later sales of lolm are predicted close to the noise floor, and the range has its nominal coverage', () => {
  expectNearFloor('lolm', 1.4, 1)
})

test('too few sales to test on are refused with a message', () => {
  const config = game('val')
  expect(() => backtest(config, salesOf(config, 9))).toThrow('only 9 sales')
})

test('a market that halves overnight is followed within four days', () => {
  const { sales, shock } = halvedMarket(game('lolm'), SALES_UNTIL, 3)
  const { before, after, recovered } = recovery(game('lolm'), sales, shock, 4)
  expect(before).toBeLessThan(0.12)
  // one day of it cannot be distinguished from a few wrong rows
  expect(after[0]).toBeGreaterThan(0.5)
  expect(recovered).toBe(true)
})
