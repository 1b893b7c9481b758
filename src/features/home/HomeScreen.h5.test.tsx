import { configureApi } from '@/api'
import { type CallDef, calls } from '@/contract/calls'
import type { Order } from '@/contract/types'
import { storage } from '@/platform/storage'
import { page } from '@/router/page'
import { tabParamsAtom } from '@/router/tabParams'
import { sampleGame as game } from '@/samples/game'
import { sampleOrder } from '@/samples/order'
import { sampleCard } from '@/samples/reportCard'
import { drafts } from '@/session/drafts'
import { dispatch, startSession, store } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { shown, tap, until, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { HomeScreen } from './HomeScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

type Handlers = Parameters<typeof fakeServer>[0]
const good = {
  evaluation: { hotGame: () => [game('hok', '王者荣耀'), game('x', '维护游戏', { status: 'MAINTAIN' })] },
  app: {
    homeDataCount: () => ({ users: 12, reports: 3456, games: 8 }),
    lastFifteenOrder: () => [{ gameName: '原神', nickMasked: '峡**客', priceFen: 240_000, minutesAgo: 5 }],
    banner: () => [
      { id: '1', title: '今晚维护', image: '', link: '/pagesA/pages/home/news/detail?id=x', linkType: 'PAGE' as const },
      { id: '2', title: '防骗', image: 'data:,', link: '', linkType: 'NONE' as const },
    ],
    excellentReportList: () => ({ list: [], total: 0, pageNo: 1, pageSize: 3 }),
    openPayStatus: () => ({ pay: 'OFF', help: false, ad: false, manual: false }),
  },
} satisfies Handlers

async function open(handlers: Handlers = good) {
  const server = fakeServer(handlers)
  const p = await openPage(page('home', HomeScreen), '/pages/home/index')
  await untilShown('选择游戏')
  return { server, p }
}

beforeEach(() => {
  localStorage.clear()
  navigations.length = 0
  startSession(storage)
})

it('draws the blocks of the first screen together, or what has arrived after half a second', async () => {
  let answer: (list: ReturnType<typeof good.evaluation.hotGame>) => void = () => undefined
  const hotGame = () => new Promise<ReturnType<typeof good.evaluation.hotGame>>((resolve) => (answer = resolve))
  const seen = () => [shown().includes('王者荣耀'), shown().includes('今晚维护')]
  const server = fakeServer({ ...good, evaluation: { hotGame } })
  await openPage(page('home', HomeScreen), '/pages/home/index')
  await until(() => server.seen.length >= 4, 'the calls')
  expect(seen()).toEqual([false, false])
  await untilShown('今晚维护')
  expect(seen()).toEqual([false, true])
  answer(good.evaluation.hotGame())
  await untilShown('王者荣耀')
})

it('shows what the server knows, and what is not open yet as such', async () => {
  await open()
  await untilShown('王者荣耀')
  await untilShown('3,456')
  for (const text of ['3,456', '¥2,400', '刚刚估出', '人工估价', '即将开放']) expect(shown()).toContain(text)
})

it('embedded responses are drawn at once, without waiting and without requests', async () => {
  const answers = new Map<string, unknown>(
    Object.entries({ ...good.evaluation, ...good.app }).map(([name, answer]) => [
      ({ ...calls.evaluation, ...calls.app } as Record<string, CallDef>)[name]?.path ?? '',
      answer(),
    ]),
  )
  const asked = jest.fn()
  configureApi({ base: '', first: (path) => answers.get(path.split('?')[0] ?? ''), loadNetworkApi: asked })
  const waited: string[] = []
  const observer = new MutationObserver(() => {
    for (const { className } of document.querySelectorAll('.ui-bone')) waited.push(className)
  })
  observer.observe(document.documentElement, { childList: true, subtree: true })
  await openPage(page('home', HomeScreen), '/pages/home/index')
  await untilShown('估价仅供参考')
  for (const text of ['王者荣耀', '今晚维护', '即将开放', '3,456', '刚刚估出']) expect(shown()).toContain(text)
  observer.disconnect()
  expect(waited).toEqual([])
  expect(asked).not.toHaveBeenCalled()
})

const coupons = { id: '3', title: '领券', image: 'data:,', link: '/pagesA/pages/home/couponCenter/index' }
const withCoupons = { ...good.app, banner: () => [...good.app.banner(), { ...coupons, linkType: 'PAGE' as const }] }

it('with paying off: no price, no way to coupons and no banner about them, in a browser as anywhere', async () => {
  await open({ ...good, app: withCoupons })
  await untilShown('今晚维护')
  await untilShown('上架指南')
  expect(shown()).not.toMatch(/¥19|券/)
})

it("with paying on: the server's price, coupons and their banner", async () => {
  const openPayStatus = () => ({ pay: 'NORMAL' as const, help: false, ad: false, manual: true, manualFromFen: 2590 })
  await open({ ...good, app: { ...withCoupons, openPayStatus } })
  await untilShown('¥25.90 起')
  await untilShown('上架指南')
  expect(shown()).toContain('领券')
})

it('a coupon that may be taken is shown at most once a day, with the sums of the server', async () => {
  const template = { templateId: 't1', name: '满减券', type: 'CASH_OFF', amountFen: 300, thresholdFen: 1900 } as const
  const coupon = {
    ...template,
    scope: 'ALL',
    state: 'AVAILABLE',
    total: -1,
    perUser: 1,
    validType: 'DAYS',
    days: 7,
  } as const
  const openPayStatus = () => ({ pay: 'NORMAL' as const, help: false, ad: false, manual: true })
  const handlers = {
    ...good,
    app: { ...good.app, openPayStatus },
    coupon: { canReceive: () => [{ ...coupon, gameIds: [] }] },
  }
  const summary = '满减券，满19元可用'
  const { p } = await open(handlers)
  await untilShown(summary)
  await tap(summary)
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['push /pagesA/pages/home/couponCenter/index'])
  const again = async () => {
    const { server } = await open(handlers)
    await untilShown('估价仅供参考')
    return { server, called: server.seen.some(({ call }) => call === 'coupon.canReceive') }
  }
  await p.unload()
  expect((await again()).called).toBe(false)
  expect(shown()).not.toContain(summary)
  dispatch({ type: 'moduleShown', day: '2020-01-01' })
  expect((await again()).called).toBe(true)
  await untilShown(summary)
})

it.each([false, true])('content below the fold keeps its place until it is drawn (coupons %s)', async (manual) => {
  const empty: string[] = []
  const observer = new MutationObserver(() => {
    const rest = document.getElementById('home-rest')
    if (rest && !rest.firstElementChild) empty.push(shown())
  })
  observer.observe(document.documentElement, { childList: true, subtree: true })
  await open({
    ...good,
    app: { ...good.app, openPayStatus: () => ({ pay: 'NORMAL', help: false, ad: false, manual }) },
    coupon: { canReceive: () => new Promise((resolve) => setTimeout(resolve, 50, [])) },
  })
  await untilShown('估价仅供参考')
  observer.disconnect()
  // an empty place makes the page shorter than the screen: what was scrolled to is lost
  expect(empty).toEqual([])
})

it('each block fails alone and is asked again alone', async () => {
  let broken = true
  const { server } = await open({
    ...good,
    evaluation: {
      hotGame: () => {
        if (broken) throw new Refused(502, 'INTERNAL_ERROR')
        return [game('hok', '王者荣耀')]
      },
    },
  })
  await untilShown('点击重试')
  await untilShown('3,456')
  expect(server.told).toEqual([])
  broken = false
  // a repeat within 300 ms gets the earlier answer again (spec §7)
  while (shown().includes('点击重试')) await tap('点击重试')
  await untilShown('王者荣耀')
  expect(server.seen.filter(({ call }) => call === 'app.homeDataCount')).toHaveLength(1)
})

it('shows a report of each game with its rank and range, which leads to the whole report and to the quick estimate', async () => {
  const card = (gameId: string, gameName: string, predictFen: number) => ({
    ...{ ...sampleCard, reportNo: `GZ-${gameId}`, gameId, gameName, title: `${gameName} · V8`, predictFen },
    ...{ lowFen: predictFen - 40_000, highFen: predictFen + 40_000, percentile: 0.86, soldFen: [predictFen + 900] },
  })
  const list = [card('hok', '王者荣耀', 191_300), card('ys', '原神', 347_300), card('val', '无畏契约', 99_000)]
  const { server } = await open({
    ...good,
    app: { ...good.app, excellentReportList: () => ({ list, total: 3, pageNo: 1, pageSize: 8 }) },
  })
  await untilShown('¥1,913')
  for (const text of ['¥3,473', '示例 1/3', '超过 86%', '¥1,513 – ¥2,313', '合成数据']) expect(shown()).toContain(text)
  // drawn at the first swipe
  expect(shown()).not.toContain('¥990')
  const asked = server.seen.find(({ call }) => call === 'app.excellentReportList')
  expect(asked?.req).toEqual({ pageNo: '1', pageSize: '8', perGame: 'true' })
  await tap('原神 · V8')
  expect(navigations.at(-1)).toBe('push /pages/evaluation/report/wxIframe?reportNo=GZ-ys&shareToken=excellent')
  await tap('免费估价')
  expect(navigations.at(-1)).toBe('tab /pages/evaluation/index')
})

it('shows who returns the last report and how its price moved', async () => {
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
  const order = sampleOrder({
    gameId: 'ys',
    title: '原神 · 官服',
    status: 'UNLOCKED',
    predictFen: 312_000,
    beforeFen: 300_000,
  })
  const orderList = () => ({ list: [order], total: 1, pageNo: 1, pageSize: 10 })
  await open({ ...good, evaluation: { ...good.evaluation, orderList } })
  await untilShown('较上次涨 ¥120')
  expect(shown()).toContain('¥3,120')
  // instead of what others get
  expect(shown()).not.toContain('免费估价')
  await tap('原神 · 官服')
  expect(navigations.at(-1)).toBe('push /pages/evaluation/report/index?orderId=o1')
})

it('shows what has come meanwhile when the tab is shown again: samples, newest estimates, the first own report', async () => {
  const none = { list: [], total: 0, pageNo: 1, pageSize: 10 }
  let begun = false
  const order = {
    ...{ orderId: 'o1', orderNo: 'E1', gameId: 'ys', gameName: '原神', gameIcon: '', title: '原神 · 官服' },
    ...{ statusText: '已解锁', originFen: 0, discountFen: 0, payFen: 0, evaluated: false, createdAt: Date.now() },
    ...({ mode: 'AI', status: 'UNLOCKED', payStatus: 'UNPAID', actions: ['VIEW'] } as const),
    predictFen: 312_000,
  } satisfies Order
  const sample = { gameId: 'hok', gameName: '王者荣耀', title: '王者荣耀 · V8', predictFen: 96_000 }
  const card = { ...sample, orderId: 's1', reportNo: 'GZ1', lowFen: 80_000, highFen: 110_000, createdAt: Date.now() }
  const { p } = await open({
    evaluation: { ...good.evaluation, orderList: () => (begun ? { ...none, list: [order] } : none) },
    app: {
      ...good.app,
      excellentReportList: () => (begun ? { ...none, list: [card as never] } : none),
      lastFifteenOrder: () => (begun ? good.app.lastFifteenOrder() : []),
    },
  })
  await untilShown('上架指南')
  for (const text of ['¥960', '¥2,400', '¥3,120']) expect(shown()).not.toContain(text)
  await p.hide()
  begun = true
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
  await p.show()
  for (const text of ['¥2,400', '¥3,120']) await untilShown(text)
})

it('shows no numbers that are not known', async () => {
  await open({ evaluation: good.evaluation })
  await untilShown('王者荣耀')
  expect(shown()).not.toContain('累计')
  expect(shown()).not.toContain('刚刚估出')
})

it('shows the first of the staff’s banners, and links to the other parts of the app', async () => {
  await open()
  await untilShown('今晚维护')
  expect(shown()).not.toContain('防骗')
  await tap('今晚维护')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['push /pagesA/pages/home/news/detail?id=x'])
  await untilShown('上架指南')
  await tap('优秀报告')
  expect(navigations.at(-1)).toBe('push /pages/evaluation/report/highQuality')
})

it('offers to continue the newest unfinished form of who is logged in', async () => {
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
  const { p } = await open()
  expect(shown()).not.toContain('继续未完成的估价')
  await p.hide()
  const base = {
    schemaVersion: 1,
    answers: { a: 1 },
    labels: {},
    filled: {},
    requestId: 'r',
    done: 8,
    total: 12,
    savedAt: Date.now(),
  }
  drafts.save('u1', { ...base, gameId: 'ys', gameName: '原神', mode: 'AI' })
  await p.show()
  await untilShown('原神 · AI 估价 · 已填 8/12')
  await tap('继续未完成的估价')
  expect(navigations.at(-1)).toBe('push /pages/evaluation/fillInInfo/index?gameId=ys&mode=AI')
})

it('leads to the quick estimate of a game without a login', async () => {
  await open()
  await untilShown('王者荣耀')
  await tap('王者荣耀')
  expect(navigations).toEqual(['tab /pages/evaluation/index'])
  expect(store.get(tabParamsAtom).evaluation).toEqual({ gameId: 'hok' })
})

it('an empty catalogue, a block that hangs and three that fail: the page is shown', async () => {
  const fail = () => {
    throw new Refused(502, 'INTERNAL_ERROR')
  }
  const { server } = await open({
    evaluation: { hotGame: () => [] },
    app: {
      banner: () => new Promise<never>(() => undefined),
      openPayStatus: good.app.openPayStatus,
      homeDataCount: fail,
      lastFifteenOrder: fail,
      excellentReportList: fail,
    },
  })
  await untilShown('暂时没有可估价的游戏')
  await untilShown('估价仅供参考')
  for (const text of ['您的账号', '人工估价', '上架指南']) expect(shown()).toContain(text)
  expect(server.told).toEqual([])
})
