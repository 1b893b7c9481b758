import { game, SALES_UNTIL } from '../test/arbitrary'
import { halvedMarket } from './halved-market'
import { recovery } from './recovery'

test('a market that halves overnight is followed within four days', async () => {
  const { sales, shock } = halvedMarket(game('lolm'), SALES_UNTIL, 3)
  const { before, after, recovered } = await recovery(game('lolm'), sales, shock, 4)
  expect(before).toBeLessThan(0.08)
  // one day of it cannot be distinguished from a few wrong rows
  expect(after[0]).toBeGreaterThan(0.5)
  expect(recovered).toBe(true)
})
