import { confidenceOf, type Grounds } from '../../engine/confidence'
import { withDoubts } from './report-view'

const DAY = 86_400_000
const sure: Grounds = {
  comparables: 40,
  sold: 30,
  close: true,
  asked: 14,
  open: 0,
  age: 3 * DAY,
  source: 'AUTH',
  doubts: [],
}
const doubtsOf = (over: Partial<Grounds>) => withDoubts(confidenceOf({ ...sure, ...over })).doubts

test('what the engine says for a price is told apart from what it says against it', () => {
  expect(doubtsOf({})).toEqual([])
  expect(doubtsOf({ sold: 40, age: 0, source: 'PUBLIC_ID' })).toEqual([])
  expect(doubtsOf({ close: false })).toEqual(['很少有相近的账号卖出，区间已放宽'])
  expect(doubtsOf({ doubts: ['几乎没有填写可估价的资产'], open: 2, age: 40 * DAY, source: 'TYPED' })).toEqual([
    '几乎没有填写可估价的资产',
    expect.stringContaining('2 项未填'),
    expect.stringContaining('40 天前'),
    '资料为本人填写，未核对',
  ])
})
