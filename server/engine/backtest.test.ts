import { game, salesOf } from '../test/arbitrary'
import { expectNearFloor } from '../test/near-floor'
import { backtest } from './backtest'

// all games, with retraining during the tested time: backtest.deep.test.ts
test('later sales of lolm are predicted close to the noise floor with an honest range', () => {
  expectNearFloor('lolm', 1.4, 1)
})

test('too few sales to test on are refused in words', () => {
  const config = game('val')
  expect(() => backtest(config, salesOf(config, 9))).toThrow('only 9 sales')
})
