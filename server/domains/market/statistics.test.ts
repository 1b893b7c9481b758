import { sum } from '../../engine/numbers'
import { limitSources, limitSpells, MIN_SOLD_SPELLS } from './statistics'

const sale = (weight: number, partner?: string) => ({
  ...{ at: 0, log: 0, value: 0, selfReported: false, items: [], weight },
  ...(partner !== undefined && { partner }),
})
const weightOf = (week: ReturnType<typeof limitSources>, partner?: string) =>
  sum(week.filter((one) => one.partner === partner).map(({ weight }) => weight))

test('a partner weighs at most half of a week, whatever it sends; others keep their weights, and so does one that is alone', () => {
  const others = [sale(1), sale(0.5), sale(0.5, 'small')]
  for (const n of [1, 2, 3, 40, 1_000]) {
    const week = limitSources([...others, ...Array.from({ length: n }, () => sale(1, 'big'))])
    expect(weightOf(week, 'big')).toBeCloseTo(Math.min(n, 2), 9)
    expect([weightOf(week), weightOf(week, 'small')]).toEqual([1.5, 0.5])
    // its own sales stay equal to each other
    expect(new Set(week.slice(3).map(({ weight }) => weight)).size).toBe(1)
  }
  expect(weightOf(limitSources([sale(1, 'big'), sale(1, 'big')]), 'big')).toBe(2)
})

test('self-reported listing times add at most a tenth to enough verified ones, evenly chosen; too few are all used', () => {
  const spells = (n: number, selfReported: boolean) =>
    Array.from({ length: n }, (_, days) => ({ days, sold: true, ratio: 0, selfReported }))
  const used = (verified: number, reported: number) => {
    const all = limitSpells([...spells(reported, true), ...spells(verified, false)])
    const chosen = all.slice(verified)
    expect(all.slice(0, verified)).toEqual(spells(verified, false))
    return chosen.map(({ days }) => days)
  }
  for (const verified of [MIN_SOLD_SPELLS, 55, 59, 120])
    for (const reported of [0, 1, 5, 9, 11, 12, 500, 2_000]) {
      const { length } = used(verified, reported)
      expect(length).toBeLessThanOrEqual(verified / 10)
      expect(length).toBeGreaterThanOrEqual(Math.min(reported, verified / 20) - 1)
    }
  const days = used(100, 1_000)
  expect(days).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900])
  const few = [...spells(MIN_SOLD_SPELLS - 1, false), ...spells(30, true)]
  expect(limitSpells(few)).toEqual(few)
})
