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

it('says in words all that it draws, and labels the three prices', async () => {
  const closeness = ['NEAR', 'REFERENCE', 'CLOSE'] as const
  const comparables = dots.map(({ priceFen, kind }, i) => ({ adjFen: priceFen, kind, closeness: closeness[i] }))
  await openPage(() => <PriceRangeChart price={price} comparables={comparables} />, '/ui')
  expect(images()).toEqual([
    '参考成交价 ¥2,323；八成成交在 ¥1,930 – ¥2,790 之间；快速出手价 ¥1,980；建议挂牌价 ¥2,560；可比记录（折算到该账号）：已成交 2 个，挂牌 0 个。另有 1 个更高 ¥4,200。',
  ])
  for (const text of [
    '快速出手价¥1,980',
    '参考成交价¥2,323建议挂牌价¥2,560',
    '已成交 2',
    '挂牌 1',
    '1 个更高 ¥4,200 →',
  ])
    expect(shown()).toContain(text)
  // points beyond the scale are counted at its end, not drawn at a wrong price
  expect(document.querySelectorAll('.ui-range__dot')).toHaveLength(2)
  for (const size of [12, 6]) expect(document.querySelectorAll(`.ui-range__dot--${size}`)).toHaveLength(1)
  expect(document.querySelectorAll('.ui-range__dot--asking')).toHaveLength(0)
})

it('calls an asking price one, and not on offer: the offer may have ended since', async () => {
  const offers = [210_000, 220_000].map((adjFen) => ({ adjFen, kind: 'ASKING' as const }))
  await openPage(() => <PriceRangeChart price={price} comparables={offers} />, '/ui')
  expect(images()[0]).toContain('已成交 0 个，挂牌 2 个。')
  expect(shown()).toContain('挂牌 2')
  expect(shown() + images()).not.toContain('挂牌中')
})

it('says of how many sales the dots are the most similar', async () => {
  const sold = [210_000, 220_000].map((adjFen) => ({ adjFen, kind: 'SOLD' as const }))
  await openPage(() => <PriceRangeChart price={price} comparables={sold} sold={173} />, '/ui')
  expect(shown()).toContain('圆点是最像的 2 笔成交的折算价（共 173 笔），越大越像')
  expect(shown()).not.toContain('已成交')
  const both = [...sold, { adjFen: 230_000, kind: 'ASKING' as const }]
  await openPage(() => <PriceRangeChart price={price} comparables={both} />, '/ui')
  expect(shown()).toContain('最像的 3 个账号的折算价，越大越像')
})

it('leaves abnormal sales out of the dots, their number and the counts at the ends', async () => {
  const usual = [210_000, 220_000].map((adjFen) => ({ adjFen, kind: 'SOLD' as const }))
  const all = [...usual, { adjFen: 990_000, kind: 'SOLD' as const, closeness: 'REFERENCE' as const }]
  await openPage(() => <PriceRangeChart price={price} comparables={all} />, '/ui')
  expect(shown()).toContain('圆点是最像的 2 笔成交')
  expect(shown() + images()).not.toContain('更高')
  await openPage(() => <PriceRangeChart price={price} comparables={all.slice(2)} />, '/ui')
  expect(shown()).not.toContain('圆点')
})

it('shows days to sell under the middle mark', async () => {
  await openPage(() => <PriceRangeChart price={price} days={[3, 7]} />, '/ui')
  expect(shown()).toContain('预计售出3–7 天')
  expect(shown()).not.toContain('¥2,323')
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
