import { find, shown, tap } from '../../../../test/fakes/screen'
import { openPage } from '../../../../test/fakes/taro'
import { SellTimeSlider } from './SellTime'

const points = [{ priceFen: 100_000, days: 3 }, { priceFen: 110_000, days: 6 }, { priceFen: 120_000 }]

test('names price, days, both ends and the number of sales; the stops change the price', async () => {
  await openPage(() => <SellTimeSlider n={64} points={points} />, '/')
  for (const text of ['依据 64 笔', '标价 ¥1,100：一半在 6 天内卖出', '快速出手', '建议挂牌'])
    expect(shown()).toContain(text)
  await tap('¥1,200')
  expect(shown()).toContain('很少在观察期内卖出')
})

test('nothing without points', async () => {
  await openPage(() => <SellTimeSlider n={12} points={[]} />, '/')
  expect(find('多久能卖出')).toBeUndefined()
})
