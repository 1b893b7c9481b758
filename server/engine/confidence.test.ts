import { type ConfidenceInput, confidenceOf } from './confidence'
import { DAY } from './numbers'

const opened = (n: number) => ({
  unanswered: n,
  assumed: Array.from({ length: n }, (_, i) => ({ key: `k${i}`, label: `l${i}` })),
})

test('reasons for a price are separate from doubts', () => {
  const sure: ConfidenceInput = {
    ...{
      comparableCount: 40,
      sold: 30,
      close: true,
      total: 14,
      ...opened(0),
      age: 3 * DAY,
      source: 'AUTH',
      doubts: [],
      width: 0.3,
    },
  }
  const doubtsOf = (over: Partial<ConfidenceInput>) => confidenceOf({ ...sure, ...over }).doubts
  expect(doubtsOf({})).toEqual([])
  expect(doubtsOf({ sold: 40, age: 0, source: 'PUBLIC_ID' })).toEqual([])
  expect(doubtsOf({ close: false, comparableCount: 5, sold: 2 })).toEqual([
    '很少有相近的账号卖出',
    '可比成交 2 个，挂牌 3 个',
  ])
  expect(doubtsOf({ doubts: ['几乎没有填写可估价的资产'], ...opened(2), age: 40 * DAY, source: 'TYPED' })).toEqual([
    '几乎没有填写可估价的资产',
    '2 项按常见水平计',
    expect.stringContaining('40 天前'),
    '资料为本人填写，未核对',
  ])
})

test('a range wider than half of the price is a doubt, and the confidence is not HIGH', () => {
  const sure: ConfidenceInput = {
    ...{ comparableCount: 240, sold: 174, close: true, total: 14, age: 0, source: 'TYPED' },
    ...{ ...opened(0), doubts: [], width: 0.3 },
  }
  const of = (over: Partial<ConfidenceInput>) => confidenceOf({ ...sure, ...over })
  expect(of({ width: 0.5 })).toEqual(of({}))
  expect(of({ width: 0.5 }).level).toBe('HIGH')
  expect(of({ width: 0.68, ...opened(3) })).toMatchObject({ level: 'MEDIUM', score: 74, sold: 174 })
  expect(of({ width: 0.68 }).doubts).toContain('区间较宽')
  expect(of({ unanswered: 2 }).doubts).toContain('2 项不清楚，按最不利计')
  expect(of({}).reasons).toContain('资料完整')
  // the reason for a LOW one says so already
  expect(of({ width: 2, close: false }).reasons.join()).not.toContain('区间较宽')
})

test('answers that screenshots show count more than typed ones, and are no proof', () => {
  const typed: ConfidenceInput = {
    ...{ comparableCount: 20, sold: 20, close: true, total: 14, age: 0, source: 'TYPED' },
    ...{ ...opened(2), doubts: [], width: 0.3 },
  }
  const of = (shown: number) => confidenceOf({ ...typed, shown })
  expect(of(0).reasons.join()).not.toContain('截图')
  expect(of(5).score).toBeGreaterThan(of(0).score)
  expect(of(5).reasons).toEqual(
    expect.arrayContaining(['截图核对 5 项，截图由本人提供，不作为证明', '其余资料为本人填写，未核对']),
  )
  expect(of(5).doubts).toContain('其余资料为本人填写，未核对')
  expect(of(12).score).toBeGreaterThan(of(5).score)
  expect(of(12).reasons.join()).not.toContain('未核对')
})
