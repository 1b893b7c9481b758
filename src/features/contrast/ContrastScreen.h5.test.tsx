import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { fourReports, twoReports } from '@/samples/contrast'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { shown, tap, until, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { ContrastScreen } from './ContrastScreen'
import { barsOf, orderIdsOf, splitSentences } from './model'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

const open = (orderIds: string) =>
  openPage(page('contrastAnalysis', ContrastScreen), '/pagesA/pages/evaluation/contrastAnalysis/index', { orderIds })

beforeEach(() => {
  navigations.length = 0
  startSession(fakeStorage())
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
})

it('shows the rows that differ, all on demand, and says which value is higher and never which is better', async () => {
  const { seen } = fakeServer({ evaluation: { contrastAnalysis: () => twoReports } })
  await open('o1,o2')
  await untilShown('逐项对比')
  expect(seen[0]?.req).toEqual({ orderIds: ['o1', 'o2'] })
  expect(document.querySelectorAll('.ct-row')).toHaveLength(1 + 7)
  await tap('全部项目')
  for (const { label, values } of twoReports.rows)
    for (const text of [label, ...values]) expect(shown()).toContain(text)
  expect(document.querySelectorAll('.ct-sentence')).toHaveLength(2)
  expect([...document.querySelectorAll('.ui-unbroken')].map((el) => el.textContent)).toContain('高 ¥453。')
  expect([...document.querySelectorAll('.ct-cell--best')].map((el) => el.textContent)).toContain('¥2,323更高')
  expect(shown()).not.toContain('更优')
  // paired bars where all values are numbers
  const bars = [...document.querySelectorAll<HTMLElement>('.ct-bar__fill')].map(({ style }) => style.width)
  expect(bars.slice(0, 2)).toEqual(['100%', '80%'])
  expect(shown()).toContain('估价日期')
  // both on the line from ¥1,700 to ¥2,800
  expect(document.querySelector('.ct-scale')?.textContent).toBe('¥1,700¥2,800')
  const bands = [...document.querySelectorAll<HTMLElement>('.ui-range__range')].map(({ style }) => [
    style.left,
    style.right,
  ])
  expect(bands).toEqual([
    ['18.2%', '0%'],
    ['0%', '18.2%'],
  ])
  await tap('账号一')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['push /pages/evaluation/report/index?orderId=o1'])
})

it('with one report, or reports that do not go together, says what to choose', async () => {
  fakeServer({})
  await open('o1')
  await untilShown('请选择 2 至 4 份同一游戏的报告')
  const fields = [{ path: 'orderIds', msg: '只能对比同一个游戏的报告' }]
  fakeServer({
    evaluation: {
      contrastAnalysis: () => {
        throw new Refused(400, 'VALIDATION_FAILED', '', { fields })
      },
    },
  })
  await open('o1,o2')
  await untilShown('只能对比同一个游戏的报告')
})

it('takes two to four ids of an address and nothing else', () => {
  expect(orderIdsOf('a,b')).toEqual(['a', 'b'])
  for (const text of [undefined, '', 'a', 'a,a', 'a,b,c,d,e', 'a,<b>']) expect(orderIdsOf(text)).toBeUndefined()
  expect(splitSentences('一。二。三。')).toEqual(['一。', '二。', '三。'])
})

it('accounts that have a name are called by it', async () => {
  const [first, ...rest] = twoReports.columns
  if (!first) throw new Error('no column')
  fakeServer({
    evaluation: { contrastAnalysis: () => ({ ...twoReports, columns: [{ ...first, name: '大号' }, ...rest] }) },
  })
  await open('o1,o2')
  await untilShown('逐项对比')
  expect([...document.querySelectorAll('.ct-price__name')].map((el) => el.textContent)).toEqual(['大号', '账号二'])
  expect(document.querySelector('.ct-account__no')?.textContent).toBe('大号')
})

it('draws bars for numbers only', () => {
  expect(barsOf({ label: '', values: ['¥2,000', '¥500'] })).toEqual([1, 0.25])
  expect(barsOf({ label: '', values: ['12 个', '未填'] })).toEqual([1, 0])
  expect(barsOf({ label: '', values: ['20款', '40款'] })).toEqual([0.5, 1])
  for (const values of [
    ['高 · 78 分', '中 · 66 分'],
    ['11月20日', '昨天'],
    ['未填', '未填'],
    ['—', '3'],
    ['22款', '22款'],
  ])
    expect(barsOf({ label: '', values })).toBeUndefined()
})

it('marks the highest of several', async () => {
  fakeServer({ evaluation: { contrastAnalysis: () => fourReports } })
  await open('o1,o2,o3,o4')
  await untilShown('标出的只说单项')
  expect([...document.querySelectorAll('.ct-cell--best')].map((el) => el.textContent)).toContain('¥2,323最高')
  expect(shown()).not.toContain('更高')
})
