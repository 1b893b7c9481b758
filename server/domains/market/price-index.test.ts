import { DAY, randomOf } from '../../engine/numbers'
import { type IndexedSale, moversOf, WEEK, weeklyIndex } from './price-index'

const until = Date.UTC(2026, 10, 23)

function market(n: number, of: (at: number, random: () => number) => Partial<IndexedSale>): IndexedSale[] {
  const random = randomOf(3)
  return Array.from({ length: n }, () => {
    const at = until - random() * 52 * WEEK
    const noise = 0.2 * (random() + random() - 1)
    return { at, weight: 1, channel: 'IMPORT', items: [], log: noise, ...of(at, random) }
  })
}

test('a market rise of a fifth in a year is within the interval', () => {
  const sales = market(5_000, (at, random) => {
    const year = 1 - (until - at) / (52 * WEEK)
    return { log: Math.log(1.2) * year + 0.15 * (random() + random() - 1) }
  })
  const weeks = weeklyIndex(sales, until, 52)
  expect(weeks).toHaveLength(52)
  const last = weeks.at(-1)
  expect(last?.index).toBeGreaterThan(115)
  expect(last?.index).toBeLessThan(126)
  const inside = weeks.filter(({ low, high }, k) => {
    const right = 100 * 1.2 ** (k / 52)
    return low !== null && high !== null && right >= low && right <= high
  })
  expect(inside.length / weeks.length).toBeGreaterThan(0.6)
  expect(weeks.reduce((n, week) => n + week.n, 0)).toBe(5_000)
})

test('a week with few sales has no index', () => {
  const weeks = weeklyIndex(
    market(400, () => ({})).filter(({ at }) => at < until - WEEK),
    until,
    52,
  )
  expect(weeks.at(-1)).toMatchObject({ index: null, low: null, high: null, n: 0 })
})

test('an item that rises more than the market is listed, one that moves with it is not', () => {
  const sales = market(4_000, (at, random) => {
    const items = [random() < 0.3 ? 'up' : 'same', random() < 0.3 ? 'down' : 'flat']
    const late = at >= until - 28 * DAY
    const moved = late ? 0.1 + (items[0] === 'up' ? 0.2 : 0) - (items[1] === 'down' ? 0.2 : 0) : 0
    return { items, log: moved + 0.1 * (random() + random() - 1) }
  })
  const movers = moversOf(sales, until, (own) => own)
  expect(movers[0]).toMatchObject({ item: 'up' })
  expect(movers.at(-1)).toMatchObject({ item: 'down' })
  expect(movers[0]?.change).toBeGreaterThan(0.08)
  // what one owner may do to an item is limited
  const limited = moversOf(sales, until, (own) => own.filter(({ items }) => !items.includes('up')))
  expect(limited.map(({ item }) => item)).not.toContain('up')
})
