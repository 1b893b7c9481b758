import { game, SALES_UNTIL } from '../test/arbitrary'
import { halvedMarket } from './halved-market'
import { recovery } from './recovery'

jest.setTimeout(900_000)

test('markets that halve overnight are followed within four days, most of them and none lost', async () => {
  const found: Awaited<ReturnType<typeof recovery>>[] = []
  for (const seed of [3, 4, 5, 6, 7]) {
    const { sales, shock } = halvedMarket(game('lolm'), SALES_UNTIL, seed)
    found.push(await recovery(game('lolm'), sales, shock, 4))
  }
  for (const { before, after } of found) {
    expect(before).toBeLessThan(0.09)
    // one day of it cannot be distinguished from a few wrong rows
    expect(after[0]).toBeGreaterThan(0.5)
    expect((after.at(-1) ?? 1) / before).toBeLessThan(1.5)
  }
  // the errors are medians of some sixty sales, and the level that of some twenty: chance moves a ratio by a fifth
  expect(found.filter(({ recovered }) => recovered).length).toBeGreaterThan(found.length / 2)
})
