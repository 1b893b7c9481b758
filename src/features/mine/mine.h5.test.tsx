import type { Order } from '@/contract/types'
import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { appState, dispatch, session, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { moves } from '../../../test/fakes/navigation'
import { find, shown, tap, until, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { MineScreen } from './MineScreen'
import { RecordsScreen } from './RecordsScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())
jest.mock('@/platform/dialog', () => ({
  dialog: { confirm: jest.fn(async () => true), toast: jest.fn(), loading: () => () => undefined },
}))

const copied: string[] = []
jest.mock('@/platform/clipboard', () => ({ clipboard: { copy: async (text: string) => copied.push(text) } }))

const order = (n: number, over: Partial<Order> = {}): Order => ({
  orderId: `o${n}`,
  orderNo: `E2026112114490${n}`,
  mode: 'AI',
  gameId: 'hok',
  gameName: '王者荣耀',
  gameIcon: '',
  title: `账号${n}`,
  status: 'REPORTED',
  statusText: '待解锁',
  payStatus: 'UNPAID',
  originFen: 0,
  discountFen: 0,
  payFen: 0,
  createdAt: 1_763_692_800_000,
  evaluated: false,
  actions: ['VIEW'],
  predictFen: 197_500,
  lowFen: 148_200,
  highFen: 263_900,
  ...over,
})

const pageOf = (list: Order[], total: number, pageNo = 1) => ({ list, total, pageNo, pageSize: 10 })
const records = (tab = '') =>
  openPage(page('mineEvaluationRecords', RecordsScreen), '/pagesA/pages/mine/evaluation/records', tab ? { tab } : {})

beforeEach(() => {
  moves.length = 0
  copied.length = 0
  startSession(fakeStorage())
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
})

it('lists the valuations with state and price, and opens the report', async () => {
  fakeServer({ evaluation: { orderList: () => pageOf([order(1)], 1) } })
  await records()
  await untilShown('账号1')
  for (const text of ['待解锁', '1,975', '没有更多了']) expect(shown()).toContain(text)
  await tap('查看报告')
  expect(moves).toEqual(['push /pages/evaluation/report/index?orderId=o1'])
})

it('pages on, and a page that fails can be asked for again', async () => {
  let broken = true
  fakeServer({
    evaluation: {
      orderList: ({ pageNo = 1 }) => {
        if (pageNo === 1) return pageOf([order(1)], 2)
        if (broken) throw new Refused(502, 'INTERNAL_ERROR')
        return pageOf([order(2)], 2, 2)
      },
    },
  })
  await records()
  await untilShown('加载更多')
  await tap('加载更多')
  await untilShown('加载失败，点击重试')
  broken = false
  while (find('加载失败，点击重试')) await tap('加载失败，点击重试')
  await untilShown('账号2')
  expect(shown()).toContain('没有更多了')
})

it('asks for the tab, says when there is nothing, and a running one leads to the page that waits', async () => {
  const running = order(3, { status: 'PROCESSING', statusText: '估价中', actions: [], predictFen: undefined })
  const server = fakeServer({
    evaluation: { orderList: ({ tab }) => (tab === 'ING' ? pageOf([running], 1) : pageOf([], 0)) },
  })
  await records('ING')
  await untilShown('账号3')
  expect(server.seen[0]?.req).toMatchObject({ tab: 'ING' })
  await tap('查看进度')
  expect(moves).toEqual(['push /pages/evaluation/fillInInfo/success?orderId=o3'])
  await tap('全部')
  await untilShown('还没有估价记录')
})

it('我的: who one is, how much stands where, and logging out after one question', async () => {
  const userInfo = {
    userId: 'u1',
    nickname: '玩家1024',
    avatar: '',
    mobileMasked: '138****8000',
    realName: { status: 'NONE' as const },
    hasPassword: false,
    wxBound: false,
    unread: 2,
    couponCount: 1,
    settings: {
      pushReport: true,
      pushActivity: false,
      showAsExample: false,
      fontScale: 1,
      reduceMotion: false,
      personalised: false,
    },
  }
  fakeServer({
    user: { get: () => userInfo },
    pay: { orderCount: () => ({ unpaid: 0, ing: 1, done: 120, refund: 0 }) },
  })
  await openPage(page('mine', MineScreen), '/pages/mine/index')
  await untilShown('玩家1024')
  await untilShown('99+')
  for (const text of ['138****8000', '2 条未读', '1 张可用']) expect(shown()).toContain(text)
  expect(session().userInfo).toEqual(userInfo)
  await tap('退出登录')
  await until(() => session().token === undefined, 'the logout')
  expect(moves).toEqual(['tab /pages/home/index'])
  expect(shown()).toContain('登录 / 注册')
  expect(shown()).not.toContain('138****8000')
})

it('a long press on a valuation copies its number and opens nothing', async () => {
  fakeServer({ evaluation: { orderList: () => pageOf([order(1)], 1) } })
  await records()
  await untilShown('账号1')
  const card = find('账号1')
  const touch = (type: string) => {
    const touches = type === 'touchend' ? [] : [{ clientX: 9, clientY: 9 }]
    card?.dispatchEvent(Object.assign(new Event(type, { bubbles: true, cancelable: true }), { touches }))
  }
  touch('touchstart')
  await until(() => copied.length > 0, 'the number')
  touch('touchend')
  await tap('账号1')
  expect([copied, moves]).toEqual([['E20261121144901'], []])
  await tap('账号1')
  expect(moves).toEqual(['push /pages/evaluation/report/index?orderId=o1'])
})

it('the text size is chosen among three, holds at once and after a restart, and so does calm', async () => {
  const storage = fakeStorage()
  startSession(storage)
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
  fakeServer({})
  await openPage(page('mine', MineScreen), '/pages/mine/index')
  const classes = () => document.querySelector('.ui-page')?.className ?? ''
  expect(classes()).toContain('ui-text-m')
  await tap('字体大小')
  await untilShown('减少动画')
  await tap('特大参考成交价 ¥1,975，仅供参考')
  await tap('减少动画关闭弹出和加载时的动画')
  expect(classes()).toMatch(/ui-text-xl.*ui-calm/)
  startSession(storage)
  expect(appState()).toMatchObject({ textSize: 'huge', calm: true })
})
