import fc from 'fast-check'
import type { AppraisalDetails } from '@/contract/types'
import { combinePlans, decisionOf, differencesOf, mendedPlan, type PricedAppraisal } from './combined-plan'

const none = { notes: [], comparables: [], advice: [] }

/** An appraisal as the desk accepts it: low ≤ floor ≤ quick ≤ price ≤ list, falling steps, rising days. */
const writer = (name: string) =>
  fc
    .record({
      priceFen: fc.integer({ min: 1_000, max: 3_000_000 }),
      floor: fc.double({ min: 0.5, max: 0.95, noNaN: true }),
      quick: fc.double({ min: 0.95, max: 1, noNaN: true }),
      list: fc.double({ min: 1.05, max: 1.6, noNaN: true }),
      days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 3, maxLength: 4 }),
    })
    .map(({ priceFen, floor, quick, list, days }): PricedAppraisal => {
      const of = (share: number) => Math.round(priceFen * share)
      const falling = [...days].sort((a, b) => a - b)
      const plan = falling.map((day, i) => ({ day, fen: of(list - ((list - floor) * i) / falling.length) }))
      const prices = { lowFen: of(floor), quickFen: of(quick), listFen: of(list), highFen: of(list) }
      return { name, priceFen, details: { ...none, ...prices, plan, floorFen: of(floor) } }
    })

test('the plan for a mean price starts at its list price and falls, never below the floor; the floor is no higher than the quick price', () => {
  fc.assert(
    fc.property(writer('甲'), writer('乙'), fc.double({ min: 0.95, max: 1, noNaN: true }), (a, b, quick) => {
      const predictFen = Math.round((a.priceFen + b.priceFen) / 200) * 100
      const price = {
        predictFen,
        lowFen: Math.round(predictFen * 0.9),
        quickFen: Math.round(predictFen * quick),
        listFen: Math.round(predictFen * 1.7),
        highFen: predictFen * 2,
      } // prettier-ignore
      const combined = combinePlans(price, [a, b])
      if (!combined) throw new Error('both have a plan')
      const { plan, floorFen } = combined
      expect(plan[0]?.fen).toBe(price.listFen)
      expect(floorFen).toBeLessThanOrEqual(price.quickFen)
      expect(floorFen).toBeGreaterThanOrEqual(price.lowFen)
      for (const [i, { day, fen }] of plan.entries()) {
        expect(fen).toBeGreaterThanOrEqual(floorFen)
        expect(fen).toBeLessThan(plan[i - 1]?.fen ?? Number.POSITIVE_INFINITY)
        expect(day).toBeGreaterThan(plan[i - 1]?.day ?? 0)
        expect(day).toBeLessThanOrEqual(7)
      }
    }),
  )
})

const details = (verdict: 'AGREE' | 'LOWER', why: string, like: 'KEPT' | 'STRUCK'): AppraisalDetails => ({
  ...{ lowFen: 900, quickFen: 950, listFen: 1100, highFen: 1200, advice: [] },
  notes: [
    { label: '段位', verdict: 'AGREE', why: '相符' },
    { label: '典藏', verdict, why, ...(verdict === 'LOWER' && { ownFen: 20_000 }) },
  ],
  comparables: [{ id: 'c1', verdict: like, why }],
})
const sold = { id: 'c1', kind: 'SOLD' as const, priceFen: 100_000, adjFen: 100_000, at: 0, similarity: 1, diff: [] }

test('two appraisers differ where their verdicts do: both are named with their reasons', () => {
  const [a, b] = [details('AGREE', '成交相符', 'KEPT'), details('LOWER', '近期砍价多', 'STRUCK')]
  const people = [
    { name: '小林', priceFen: 1000, details: a },
    { name: '小南', priceFen: 1000, details: b },
  ]
  expect(differencesOf(people, [sold])).toEqual([
    { about: '价格依据的可比账号', views: ['小林：成交 ¥1,000（折算 ¥1,000）', '小南：没有采用'] },
    { about: '典藏', views: ['小林：同意模型。成交相符', '小南：应该更低，算 +¥200。近期砍价多'] },
    { about: '可比账号：成交 ¥1,000', views: ['小林：采用。成交相符', '小南：剔除。近期砍价多'] },
  ])
  expect(differencesOf(people.slice(0, 1), [sold])).toEqual([])
  // a model trained in between has other sales: the list would leave out the one that was adopted
  expect(differencesOf(people, [{ ...sold, id: 'c2' }]).map(({ about }) => about)).toEqual(['典藏'])
})

test('plans are not combined while one of the two has none', () => {
  const price = { predictFen: 1000, lowFen: 900, highFen: 1200, quickFen: 950, listFen: 1100 }
  const planned = { ...details('AGREE', '', 'KEPT'), plan: [{ day: 1, fen: 1100 }], floorFen: 950 }
  const people = [
    { name: '小林', priceFen: 1000, details: planned },
    { name: '小南', priceFen: 1000, details: details('AGREE', '', 'KEPT') },
  ]
  expect(combinePlans(price, people)).toBeUndefined()
})

test('the plan after mending rises with the price, in whole yuan', () => {
  const plan = [
    { day: 1, fen: 100_000 },
    { day: 4, fen: 96_200 },
  ]
  expect(mendedPlan({ plan, floorFen: 89_000 }, 95_100, 17_400)).toEqual({
    predictFen: 112_500,
    plan: [
      { day: 1, fen: 118_300 },
      { day: 4, fen: 113_800 },
    ],
    floorFen: 105_300,
  })
  // a small gain needs none
  expect(mendedPlan({ plan, floorFen: 89_000 }, 95_100, 2_800)).toBeUndefined()
})

test('a price of two says whose reasoning weighs more and why', () => {
  const by = (name: string, priceFen: number) => ({ name, priceFen, details: details('AGREE', '', 'KEPT') })
  const [a, b, c] = [by('小林', 95_000), by('小南', 105_000), by('小北', 99_000)]
  const at = (adjFen: number) => [{ ...sold, adjFen }]
  expect(decisionOf(100_000, [a, b], undefined, at(97_000))).toBe(
    '两份估价相差 10%，取均价；两位采用的 1 个可比账号折算平均 ¥970，更接近 小林 的估价',
  )
  expect(decisionOf(100_000, [a, b], undefined, at(100_200))).toContain('两份理由一样重')
  expect(decisionOf(95_000, [a, { ...b, priceFen: 95_300 }], undefined, at(97_000))).toMatch(
    /^两份估价相差不到 1%，.*一样重$/,
  )
  const alone = { ...b, details: details('AGREE', '', 'STRUCK') }
  for (const [other, sales] of [[b, 0] as const, [alone, 1] as const])
    expect(decisionOf(100_000, [a, other], undefined, at(97_000).slice(0, sales))).toBe(
      '两份估价相差 10%，取均价；没有两位都采用的可比账号，分不出哪份理由更重',
    )
  expect(decisionOf(98_000, [a, b], a, at(1))).toBe(
    '两份估价相差 10%，由 小林 看过两份后定为 ¥980，以其说明里的理由为准',
  )
  expect(decisionOf(99_000, [a, b, c], c, [])).toBe(
    '两份估价相差 10%，由 小北 复核：三份取居中的，即 小北 的 ¥990，以其理由为准',
  )
})
