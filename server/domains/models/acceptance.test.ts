import { sum } from '../../engine/numbers'
import { game, SALES_UNTIL, salesOf } from '../../test/arbitrary'
import { isFarWorse, whyRefused, withheldFrom } from './acceptance'

const judged = (challenger: number, moved: number, n = 100) => whyRefused({ n, champion: 0.1, challenger, moved })

test('a new model replaces the one in use if it is not worse and moves prices little, or is much better', () => {
  expect([judged(0.105, 0.1), judged(0.079, 0.5)]).toEqual([undefined, undefined])
  expect(judged(0.106, 0)).toContain('高于在用模型的 10.0%')
  expect(judged(0.081, 0.101)).toContain('让价格变动 10.1%')
  // with too few sales the prices alone decide, and no market is seen to move
  expect([judged(0.9, 0.09, 9), judged(0.079, 0.09, 10)]).toEqual([undefined, undefined])
  expect([judged(0.01, 0.11, 9), judged(0.01, 0.11, 24), judged(0.01, 0.11, 25)]).toEqual([
    expect.stringContaining('太少'),
    expect.stringContaining('太少'),
    undefined,
  ])
})

test('twice the error is refused to staff too, and only where it was measured', () => {
  const of = (challenger: number, n = 100) => isFarWorse({ n, champion: 0.1, challenger })
  expect([of(0.2), of(0.21), of(0.9, 9)]).toEqual([false, true, false])
})

test('every other one of the newest verified sales that the model in use does not know is withheld', () => {
  const sales = salesOf(game('val'), 400).map((sale, i) => ({ ...sale, id: `${i}`, at: SALES_UNTIL - i }))
  const verified = new Map(sales.filter((_, i) => i % 4 > 0).map(({ id }) => [id, { channel: 'IMPORT' as const }]))
  const withheld = withheldFrom({ sales, verified }, 99)
  expect(withheld).toHaveLength(100)
  // the newest has the lowest id
  expect(withheld.at(-1)).toEqual(['101', 1])
  expect(withheld.every(([id]) => verified.has(id) && Number(id) > 99)).toBe(true)
  // what one partner has sent counts no more than all others
  const shared = new Map(
    [...verified].map(([id, owner], i) => [id, i % 4 > 0 ? { channel: 'PARTNER' as const, partner: 'p' } : owner]),
  )
  const weights = withheldFrom({ sales, verified: shared }, 99).map(([, weight]) => weight)
  const own = weights.filter((weight) => weight < 1)
  expect(sum(own)).toBeCloseTo(weights.length - own.length, 9)
  expect(withheldFrom({ sales, verified }, 399)).toEqual([])
})
