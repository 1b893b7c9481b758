import { positionOn } from '@/contract/priceRange'
import { sampleGame as game } from '@/samples/game'
import { accuracyText, manualEntry, movedText, rangePosition } from './model'

it('says in one sentence how far prices are off, and of which sales', () => {
  const measured = { ...game('hok', '王者荣耀'), accuracy: 0.064, synthetic: true }
  const wide = { ...game('ys', '原神'), accuracy: 0.12, synthetic: true }
  expect(accuracyText([game('x', '没有样本'), measured, wide])).toBe('半数估价与成交相差 12.0% 以内 · 合成数据')
  // once one game is measured on real sales, generated ones are no longer boasted with
  const real = { ...game('hsr', '崩坏：星穹铁道'), accuracy: 0.1 }
  expect(accuracyText([measured, real])).toBe('半数估价与成交相差 10.0% 以内')
  expect(accuracyText(undefined)).toBeUndefined()
})

it('places prices on the band as reports do, to half a per cent', () => {
  const card = { lowFen: 160_000, highFen: 240_000 }
  for (const fen of [0, 100_000, 160_000, 191_300, 240_000, 300_000, 900_000])
    expect(Math.abs(rangePosition(fen, card) - positionOn(fen, card))).toBeLessThanOrEqual(0.5)
})

it('says how the price of an account moved, by the amounts that are shown', () => {
  expect(movedText({ predictFen: 312_000, beforeFen: 300_000 })).toBe('较上次涨 ¥120')
  expect(movedText({ predictFen: 300_000, beforeFen: 312_000 })).toBe('较上次跌 ¥120')
  expect(movedText({ predictFen: 312_000, beforeFen: 312_000 })).toBe('与上次相同')
  expect(movedText({ predictFen: 312_000 })).toBeUndefined()
})

it("shows the server's price of the human service, none while paying is off, and says when it is not open", () => {
  const off = { pay: 'OFF', help: false, ad: false, manual: false } as const
  expect(manualEntry(off)).toBe('即将开放')
  expect(manualEntry(undefined)).toBe('估价师署名')
  const open = { ...off, pay: 'NORMAL', manual: true, manualFromFen: 2590 } as const
  expect(manualEntry(open)).toBe('¥25.90 起')
})
