import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { FormConfig } from '@/contract/form/types'
import { priced } from '@/contract/form/validate'
import { confidenceOf, type Grounds } from '../../engine/confidence'
import { openOf } from '../../engine/train'
import { generateSales } from '../../fixtures/synthetic/generate'
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
  expect(doubtsOf({ close: false, comparables: 5, sold: 2 })).toEqual([
    '很少有相近的账号卖出，区间已放宽',
    '可比成交 2 个，挂牌 3 个',
  ])
  expect(doubtsOf({ doubts: ['几乎没有填写可估价的资产'], open: 2, age: 40 * DAY, source: 'TYPED' })).toEqual([
    '几乎没有填写可估价的资产',
    expect.stringContaining('2 项未填'),
    expect.stringContaining('40 天前'),
    '资料为本人填写，未核对',
  ])
})

const folder = path.join(__dirname, '../../fixtures/games')

test.each(readdirSync(folder))('%s: what the form says is open the report counts as open', (file) => {
  const config: FormConfig = JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
  const sales = [...generateSales(config, { n: 40, until: Date.UTC(2026, 0, 1) })]
  for (const { attributes } of sales) expect(openOf(config, attributes)).toMatchObject(priced(config, attributes))
  expect(sales.some(({ attributes }) => priced(config, attributes).open > 0)).toBe(true)
})
