/** @group long */
/** Spec §2, line by line. Expected values are written out here; none is taken from the code under test. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fakeStorage } from '@/platform/storage/fake'
import { decide } from '@/router/guard'
import { nav, pageShown } from '@/router/nav'
import { page } from '@/router/page'
import { mainPages, pagesAPages, type RouteName, routes, tabs } from '@/router/routes'
import { appState, dispatch, startSession } from '@/session/store'
import { navigations, stack } from '../fakes/navigation'
import { openPage } from '../fakes/taro'

jest.mock('@tarojs/taro', () => require('../fakes/navigation').fakeTaro())

const weapp = TEST_PLATFORM === 'weapp'

/** Main pages and sub-package pagesA in the order of the specification: its wording, our name, the address on h5. */
const table: readonly [spec: string, name: RouteName, url: string][] = [
  ['/ and pages/home/index', 'home', '/pages/home/index'],
  ['pages/evaluation/index', 'evaluation', '/pages/evaluation/index'],
  ['pages/mine/index', 'mine', '/pages/mine/index'],
  ['pages/evaluation/chooseGame', 'evaluationChooseGame', '/pages/evaluation/chooseGame'],
  ['pages/evaluation/fillInInfo/index', 'evaluationFillInInfo', '/pages/evaluation/fillInInfo/index'],
  ['fillInInfo/rpaWebview', 'evaluationFillInInfoRpaWebview', '/pages/evaluation/fillInInfo/rpaWebview'],
  ['fillInInfo/success', 'evaluationFillInInfoSuccess', '/pages/evaluation/fillInInfo/success'],
  ['pages/evaluation/human/checkout', 'humanCheckout', '/pages/evaluation/human/checkout'],
  ['human/paySuccess', 'humanPaySuccess', '/pages/evaluation/human/paySuccess'],
  ['pages/chat/index', 'chat', '/pages/chat/index'],
  ['pages/evaluation/payment/index', 'payment', '/pages/evaluation/payment/index'],
  ['pages/evaluation/report/index', 'report', '/pages/evaluation/report/index'],
  ['report/screenShot', 'reportScreenShot', '/pages/evaluation/report/screenShot'],
  ['report/download', 'reportDownload', '/pages/evaluation/report/download'],
  ['report/highQuality', 'reportHighQuality', '/pages/evaluation/report/highQuality'],
  ['report/unlock/invite', 'reportUnlockInvite', '/pages/evaluation/report/unlock/invite'],
  ['report/unlock/accept', 'reportUnlockAccept', '/pages/evaluation/report/unlock/accept'],
  // the guard's list names it without a path
  ['the report wx-iframe page', 'reportWxIframe', '/pages/evaluation/report/wxIframe'],
  ['pages/home/webview/index', 'webview', '/pages/home/webview/index'],

  ['pages/iosApp/index', 'iosApp', '/pagesA/pages/iosApp/index'],
  ['pages/login/h5/index', 'loginH5', '/pagesA/pages/login/h5/index'],
  ['login/h5/resetPwd', 'loginH5ResetPwd', '/pagesA/pages/login/h5/resetPwd'],
  ['login/wx/index', 'loginWx', '/pagesA/pages/login/wx/index'],
  ['login/wx/sms', 'loginWxSms', '/pagesA/pages/login/wx/sms'],
  ['pages/mine/coupon/records', 'mineCouponRecords', '/pagesA/pages/mine/coupon/records'],
  ['mine/evaluation/records', 'mineEvaluationRecords', '/pagesA/pages/mine/evaluation/records'],
  ['mine/evaluation/evaluate/index', 'mineEvaluationEvaluate', '/pagesA/pages/mine/evaluation/evaluate/index'],
  ['mine/message/index', 'mineMessage', '/pagesA/pages/mine/message/index'],
  ['mine/realName/index', 'mineRealName', '/pagesA/pages/mine/realName/index'],
  ['mine/realName/result', 'mineRealNameResult', '/pagesA/pages/mine/realName/result'],
  ['mine/setting/index', 'mineSetting', '/pagesA/pages/mine/setting/index'],
  ['mine/setting/password', 'mineSettingPassword', '/pagesA/pages/mine/setting/password'],
  ['mine/userFeedback/index', 'mineUserFeedback', '/pagesA/pages/mine/userFeedback/index'],
  ['pages/home/article/index', 'article', '/pagesA/pages/home/article/index'],
  ['home/helpCenter/index', 'helpCenter', '/pagesA/pages/home/helpCenter/index'],
  ['home/couponCenter/index', 'couponCenter', '/pagesA/pages/home/couponCenter/index'],
  ['home/news/index', 'news', '/pagesA/pages/home/news/index'],
  ['home/news/detail', 'newsDetail', '/pagesA/pages/home/news/detail'],
  ['home/listingGuidelines/index', 'listingGuidelines', '/pagesA/pages/home/listingGuidelines/index'],
  ['pages/evaluation/contrastAnalysis/index', 'contrastAnalysis', '/pagesA/pages/evaluation/contrastAnalysis/index'],
  ['pages/test', 'test', '/pagesA/pages/test'],
]

/** "Open without login", in the words of the specification; every other page requires login. */
const openWithoutLogin: readonly [spec: string, ...pages: RouteName[]][] = [
  ['root', 'home'],
  ['test', 'test'],
  ['home index', 'home'],
  ['coupon center', 'couponCenter'],
  ['webview', 'webview'],
  ['article', 'article'],
  ['news and its sub-pages', 'news', 'newsDetail'],
  ['evaluation index', 'evaluation'],
  ['the report wx-iframe page', 'reportWxIframe'],
  ['anything under login', 'loginH5', 'loginH5ResetPwd', 'loginWx', 'loginWxSms'],
  ['listing guidelines', 'listingGuidelines'],
  ['report highQuality', 'reportHighQuality'],
]
const open = new Set(openWithoutLogin.flatMap(([, ...pages]) => pages))

interface AppConfig {
  pages: string[]
  subPackages: { root: string; pages: string[] }[]
  window: Record<string, string>
  tabBar: Record<string, unknown> & { list: { pagePath: string; text: string }[] }
}

function appConfig(): AppConfig {
  const scope = globalThis as Record<string, unknown>
  scope.defineAppConfig = (config: AppConfig) => config
  return require('@/app.config').default as AppConfig
}

const sources = path.resolve(__dirname, '../../src')

beforeEach(() => {
  navigations.length = 0
  stack.splice(0, stack.length, 'pages/home/index')
  startSession(fakeStorage())
  pageShown('/pages/home/index')
})

it('history mode with base path /', () => {
  const { h5 } = require('../../config/h5') as { h5: { router: object; publicPath: string } }
  expect(h5.router).toEqual({ mode: 'browser', basename: '' })
  expect(h5.publicPath).toBe('/')
})

describe('pages', () => {
  it('41, in this order: main package first, then pagesA', () => {
    const { pages, subPackages } = appConfig()
    expect([...pages, ...subPackages.flatMap((p) => p.pages.map((page) => `${p.root}/${page}`))]).toEqual(
      table.map(([, , url]) => url.slice(1)),
    )
    expect(table).toHaveLength(41)
    expect(Object.keys(routes)).toEqual(table.map(([, name]) => name))
    expect([pages, subPackages.map((p) => p.root)]).toEqual([mainPages, ['pagesA']])
    expect(pagesAPages[0]).toBe('pages/iosApp/index')
  })

  it.each(table)('%s is %s at %s, with its own file', (_spec, name, url) => {
    expect(`/${routes[name].path}`).toBe(url)
    const file = readFileSync(path.join(sources, `${url}.tsx`), 'utf8')
    expect(file).toContain(`export default page('${name}', `)
  })

  it('receive their query parameters as inputs', async () => {
    const seen: unknown[] = []
    const Screen = ({ params }: { params: unknown }) => {
      seen.push(params)
      return null
    }
    dispatch({ type: 'loggedIn', token: 't', userId: 'u', newUser: false })
    await openPage(page('report', Screen), '/pages/evaluation/report/index', { orderId: 'a%20b', reportNo: 'GZ1' })
    expect(seen.at(-1)).toEqual({ orderId: 'a b', reportNo: 'GZ1' })
  })
})

it('named routes', () => {
  const named: readonly [name: RouteName, path: string][] = [
    ['home', 'pages/home/index'],
    ['evaluation', 'pages/evaluation/index'],
    ['mine', 'pages/mine/index'],
    ['evaluationChooseGame', 'pages/evaluation/chooseGame'],
    ['evaluationFillInInfo', 'pages/evaluation/fillInInfo/index'],
    ['evaluationFillInInfoRpaWebview', 'pages/evaluation/fillInInfo/rpaWebview'],
    ['iosApp', 'pagesA/pages/iosApp/index'],
    ['couponCenter', 'pagesA/pages/home/couponCenter/index'],
  ]
  expect(named.map(([name]) => [name, routes[name].path])).toEqual(named)
})

describe('frame', () => {
  it('every page uses a custom navigation bar', () => {
    expect(appConfig().window.navigationStyle).toBe('custom')
  })

  it('custom tab bar: height 0, shown, blue and pink, home, evaluation and mine at 0 to 2', () => {
    const { tabBar } = appConfig()
    expect(tabBar.custom).toBe(true)
    expect(tabBar.list.map((tab) => tab.pagePath)).toEqual([
      'pages/home/index',
      'pages/evaluation/index',
      'pages/mine/index',
    ])
    expect(tabBar.list.map((tab) => tab.text)).toEqual(['首页', '估价', '我的'])
    expect(tabs).toEqual(['home', 'evaluation', 'mine'])
    expect(tabs.map((name) => (routes[name] as { tab?: number }).tab)).toEqual([0, 1, 2])
    const hostsOwn = readFileSync(path.join(sources, 'custom-tab-bar/index.tsx'), 'utf8')
    expect(hostsOwn).toMatch(/height: 0/)
    const style = readFileSync(path.join(sources, 'ui/TabBar/TabBar.scss'), 'utf8')
    expect(style).toMatch(/&?\.?ui-tabs__tab--on \{\s*color: var\(--blue-text\)/)
    expect(style).toMatch(/\.ui-tabs__tab--on::before[\s\S]*?background: var\(--pink\)/)
  })

  it('home has pull-down refresh on, no other page', () => {
    const scope = globalThis as Record<string, unknown>
    scope.definePageConfig = (config: object) => config
    expect(require('@/pages/home/index.config').default).toMatchObject({ enablePullDownRefresh: true })
    expect(appConfig().window).not.toHaveProperty('enablePullDownRefresh')
  })
})

// the mini-program's host loads packages itself and draws its own progress
if (!weapp) {
  describe('lazy pages', () => {
    const overlay = () => document.querySelector<HTMLElement>('.pf-overlay')
    const arrivals: ((page: object) => void)[] = []
    const load = () => [new Promise<object>((resolve) => arrivals.push(resolve)), {}, {}] as const
    const config = { routes: [{ path: 'pages/home/index', load }] }

    beforeAll(() => require('@/boot/h5-router').setupH5Router(config))
    beforeEach(() => {
      jest.useFakeTimers()
      arrivals.length = 0
    })
    afterEach(() => jest.useRealTimers())

    it('a loading placeholder appears after 200 ms', async () => {
      config.routes[0]?.load()
      await jest.advanceTimersByTimeAsync(199)
      expect(overlay()).toBeNull()
      await jest.advanceTimersByTimeAsync(1)
      expect(overlay()?.textContent).toBe('加载中…')
      arrivals[0]?.({})
      await jest.advanceTimersByTimeAsync(0)
      expect(overlay()).toBeNull()
    })

    it('an error placeholder after 60 s, and tapping it reloads the page', async () => {
      config.routes[0]?.load()
      await jest.advanceTimersByTimeAsync(59_999)
      expect(overlay()?.textContent).toBe('加载中…')
      await jest.advanceTimersByTimeAsync(1)
      expect(overlay()?.textContent).toBe('页面加载失败，点击屏幕重试')
      overlay()?.click()
      expect(arrivals).toHaveLength(2)
      arrivals[1]?.({})
      await jest.advanceTimersByTimeAsync(0)
      expect(overlay()).toBeNull()
    })
  })
}

describe('titles (§1)', () => {
  const titles: readonly [name: RouteName, title: string][] = [
    ['home', '游戏账号估价专家'],
    ['evaluation', '估价'],
    ['mine', '我的'],
    ['evaluationChooseGame', '选择游戏'],
    ['evaluationFillInInfo', '填写账号信息'],
    ['evaluationFillInInfoRpaWebview', '授权读取'],
    ['evaluationFillInInfoSuccess', '提交成功'],
    ['humanCheckout', '确认订单'],
    // the page also shows unconfirmed, failed and closed payments, so its title must not claim success
    ['humanPaySuccess', '订单结果'],
    ['chat', '在线咨询'],
    ['payment', '收银台'],
    ['report', '估价报告'],
    ['reportScreenShot', '报告图片'],
    ['reportDownload', '下载报告'],
    ['reportHighQuality', '优秀报告'],
    ['reportUnlockInvite', '邀请助力'],
    ['reportUnlockAccept', '帮好友解锁'],
    ['reportWxIframe', '估价报告'],
    ['webview', '网页'],
    ['iosApp', '游戏账号估价专家'],
    ['loginH5', '登录'],
    ['loginH5ResetPwd', '找回密码'],
    ['loginWx', '微信登录'],
    ['loginWxSms', '手机号登录'],
    ['mineCouponRecords', '我的优惠券'],
    ['mineEvaluationRecords', '估价记录'],
    ['mineEvaluationEvaluate', '评价'],
    ['mineMessage', '消息'],
    ['mineRealName', '实名认证'],
    ['mineRealNameResult', '实名认证结果'],
    ['mineSetting', '设置'],
    ['mineSettingPassword', '修改密码'],
    ['mineUserFeedback', '意见反馈'],
    ['article', '文档'],
    ['helpCenter', '帮助中心'],
    ['couponCenter', '领券中心'],
    ['news', '资讯'],
    ['newsDetail', '资讯详情'],
    ['listingGuidelines', '上架指南'],
    ['contrastAnalysis', '对比分析'],
    ['test', '组件陈列'],
  ]
  const shown = () => (weapp ? hostTitles.at(-1) : document.title)
  const hostTitles: string[] = []

  beforeEach(() => {
    hostTitles.length = 0
    if (weapp) jest.spyOn(wx, 'setNavigationBarTitle').mockImplementation(({ title }) => void hostTitles.push(title))
    dispatch({ type: 'loggedIn', token: 't', userId: 'u', newUser: false })
  })
  afterEach(() => jest.restoreAllMocks())

  it('the default title', () => {
    expect(appConfig().window.navigationBarTitleText).toBe('游戏账号估价专家')
    const html = readFileSync(path.join(sources, 'index.html'), 'utf8')
    expect(html).toContain('<title>游戏账号估价专家</title>')
  })

  it('cover all pages', () => expect(titles.map(([name]) => name)).toEqual(table.map(([, name]) => name)))

  it.each(titles)('%s: %s', async (name, title) => {
    await openPage(
      page(name, () => null),
      `/${routes[name].path}`,
    )
    expect(shown()).toBe(title)
  })
})

describe('route guard', () => {
  const login = weapp ? '/pagesA/pages/login/wx/index' : '/pagesA/pages/login/h5/index'

  it.each(openWithoutLogin)('open without login: %s', (_spec, ...names) => {
    for (const name of names) {
      const url = `/${routes[name].path}`
      expect(decide(url, { loggedIn: false })).toEqual({ kind: 'open', name, url })
    }
  })

  it('the root is home', () => {
    expect(decide('/', { loggedIn: false })).toEqual({ kind: 'open', name: 'home', url: '/pages/home/index' })
  })

  const others = table.filter(([, name]) => !open.has(name))

  it('requires login for the other 26', () => expect(others).toHaveLength(26))

  it.each(others)('requires login: %s; the navigation is cancelled', async (_spec, name, url) => {
    expect(decide(url, { loggedIn: false })).toEqual({ kind: 'login', name, back: url })
    await nav.to(name)
    // an address typed, refreshed, shared or scanned does not pass through nav
    const drawn = jest.fn(() => null)
    await openPage(page(name, drawn), url)
    expect(drawn).not.toHaveBeenCalled()
    expect(navigations).toEqual([
      `push ${login}?redirect=${encodeURIComponent(url)}`,
      `replace ${login}?redirect=${encodeURIComponent(url)}`,
    ])
  })

  it.each(table)('a logged-in user may open %s', async (_spec, name, url) => {
    dispatch({ type: 'loggedIn', token: 't', userId: 'u', newUser: false })
    expect(decide(url, { loggedIn: true })).toEqual({ kind: 'open', name, url })
    // the current page is home
    if (name !== 'home') await nav.to(name)
    const tab = ['evaluation', 'mine'].includes(name)
    if (name !== 'home') expect(navigations).toEqual([`${tab ? 'tab' : 'push'} ${url}`])
  })

  it('every navigation records the previous full path as the last-from path', async () => {
    const visit = async (name: RouteName, query: Record<string, string>) =>
      openPage(
        page(name, () => null),
        `/${routes[name].path}`,
        query,
      )
    await visit('news', { type: 'GUIDE' })
    expect(appState().lastFromPath).toBe('/pages/home/index')
    await visit('newsDetail', { id: '%E4%B8%80' })
    expect(appState().lastFromPath).toBe('/pagesA/pages/home/news/index?type=GUIDE')
    await visit('home', {})
    expect(appState().lastFromPath).toBe('/pagesA/pages/home/news/detail?id=%E4%B8%80')
  })

  it('going to home sets the default home metadata', async () => {
    const titles: string[] = []
    if (weapp) jest.spyOn(wx, 'setNavigationBarTitle').mockImplementation(({ title }) => void titles.push(title))
    await openPage(
      page('news', () => null),
      '/pagesA/pages/home/news/index',
    )
    await openPage(
      page('home', () => null),
      '/pages/home/index',
    )
    if (weapp) expect(titles).toEqual(['资讯', '游戏账号估价专家'])
    else {
      const content = (selector: string) => document.head.querySelector(`meta[${selector}]`)?.getAttribute('content')
      const words = '选择游戏、填写账号信息，几分钟得到有依据的账号估价报告。'
      expect(document.title).toBe('游戏账号估价专家')
      expect(content('name="description"')).toBe(words)
      expect(content('property="og:title"')).toBe('游戏账号估价专家')
      expect(content('property="og:description"')).toBe(words)
    }
    jest.restoreAllMocks()
  })

  it.each([
    ['ios', 'relaunch /pagesA/pages/iosApp/index'],
    ['h5', 'tab /pages/home/index'],
    ['android', 'tab /pages/home/index'],
    ['weapp', 'tab /pages/home/index'],
  ] as const)('the go-home helper when platform is %s: %s', async (platform, move) => {
    dispatch({ type: 'loggedIn', token: 't', userId: 'u', newUser: false })
    dispatch({ type: 'launched', platform })
    await nav.home()
    expect(navigations).toEqual([move])
  })
})
