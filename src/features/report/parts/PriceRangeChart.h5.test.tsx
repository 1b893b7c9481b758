import { type ComparableDot, positionOn, RANGE_END, RANGE_START, stackDots } from '@/contract/priceRange'
import { PriceRangeBar } from '@/ui/PriceRangeBar/PriceRangeBar'
import { shown } from '../../../../test/fakes/screen'
import { openPage } from '../../../../test/fakes/taro'
import { PriceRangeChart } from './PriceRangeChart'

const price = { predictFen: 232269, lowFen: 193000, highFen: 279000, quickFen: 198000, listFen: 256000, coverage: 0.8 }
const dots: ComparableDot[] = [
  { priceFen: 212000, kind: 'SOLD' },
  { priceFen: 214000, kind: 'SOLD' },
  { priceFen: 420000, kind: 'ASKING' },
]
const images = () => [...document.querySelectorAll('[role=img]')].map((el) => el.getAttribute('aria-label'))

it('says in words all that it draws, and puts the three prices under their ticks', async () => {
  const comparables = dots.map(({ priceFen, kind }) => ({ adjFen: priceFen, kind }))
  await openPage(() => <PriceRangeChart price={price} comparables={comparables} days={[3, 7]} />, '/ui')
  expect(images()).toEqual([
    '参考成交价 ¥2,323；八成成交在 ¥1,930 – ¥2,790 之间；快速出手价 ¥1,980；建议挂牌价 ¥2,560；可比记录（折算到该账号）：已成交 2 个，挂牌 0 个。',
  ])
  expect(shown()).toContain('快速出手¥1,980约 3 天参考¥2,323建议挂牌¥2,560约 7 天')
  // points beyond the scale are not drawn at a wrong price
  expect(document.querySelectorAll('.ui-range__dot')).toHaveLength(2)
  expect(document.querySelectorAll('.ui-range__dot--asking')).toHaveLength(0)
})

it('draws no price in a range that is too wide for one', async () => {
  await openPage(() => <PriceRangeChart price={price} comparables={[]} wide />, '/ui')
  expect(document.querySelectorAll('.ui-range__price, .ui-range__tick, .ui-range__mark')).toHaveLength(0)
})

it('keeps the words where only the band is drawn', async () => {
  await openPage(() => <PriceRangeBar price={price} />, '/ui')
  expect(images()[0]).toContain('八成成交在 ¥1,930 – ¥2,790 之间')
  expect(shown()).toBe('')
})

it('puts the ends of the range where the band is drawn, and strays at the line’s ends', () => {
  expect(positionOn(price.lowFen, price)).toBe(RANGE_START)
  expect(positionOn(price.highFen, price)).toBe(RANGE_END)
  expect(positionOn(0, price)).toBeGreaterThan(0)
  expect(positionOn(99_000_000, price)).toBeLessThan(100)
  expect(positionOn(500, { lowFen: 500, highFen: 500 })).toBe(RANGE_START)
})

it('gives dots that would cover each other different rows', () => {
  const near = Array.from({ length: 3 }, (): ComparableDot => ({ priceFen: 230000, kind: 'SOLD' }))
  expect(new Set(stackDots(near, price).map(({ row }) => row)).size).toBe(3)
  expect(stackDots(dots, price).at(-1)?.row).toBe(0)
})
