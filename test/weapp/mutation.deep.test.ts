import budgets from '../../bench/budgets.json'
import { startServer } from '../fakes/server'
import type { MiniProgram } from './driver'
import type { Change } from './launch'
import { harness, server, setUpHarness } from './setup'

/**
 * Mutation test: each mutant is the build with one defect; a short scenario that passes on the build
 * itself must fail on it.
 */

/** ms to wait for content that a mutant may never show */
const PATIENCE_MS = 3000

setUpHarness(() => startServer())

type Scenario = (app: MiniProgram) => Promise<void>

const arriveAt = async (app: MiniProgram, path: string) => {
  if ((await app.route()) !== path) throw new Error(`at ${await app.route()} instead of ${path}`)
}

const scenarios = {
  async home(app) {
    await app.start()
    await app.top.locator('.home-game', { hasText: '王者荣耀' }).waitFor()
    if ((await app.counters()).bytes > budgets.weapp.launchSetDataBytes.max) throw new Error('the launch is too heavy')
    if ((await app.sidewaysScroll()) > 0) throw new Error('the page can be moved sideways')
  },
  async tabs(app) {
    await app.start()
    await app.tap('估价')
    await arriveAt(app, 'pages/evaluation/index')
  },
  async back(app) {
    await app.start()
    await app.navigateTo('/pagesA/pages/home/news/index')
    await app.tap(app.page.getByRole('button', { name: '返回', exact: true }))
    await arriveAt(app, 'pages/home/index')
  },
  async guard(app) {
    await app.start()
    await app.tap(app.top.locator('.home-game', { hasText: '王者荣耀' }))
    await app.tap('填完整，估得更准')
    await arriveAt(app, 'pagesA/pages/login/wx/index')
  },
  async refusal(app) {
    await app.set({ phoneCode: undefined })
    await app.start('pagesA/pages/login/wx/index')
    await app.tap('手机号快捷登录')
    await app.see('您没有授权手机号，可以用其他手机号登录')
  },
  async login(app) {
    await app.start('pagesA/pages/mine/message/index')
    await app.tap('手机号快捷登录')
    await app.at('pagesA/pages/mine/message/index')
    await app.start('pagesA/pages/mine/setting/index')
    await arriveAt(app, 'pagesA/pages/mine/setting/index')
  },
  async offline(app) {
    await app.set({ online: false })
    await app.start()
    await app.see('网络未连接，请检查网络后点击屏幕重试')
  },
} satisfies Record<string, Scenario>

type Name = keyof typeof scenarios

async function run(name: Name, change?: Change): Promise<string> {
  const app = await harness.open({ apiBase: server.url, change })
  if (change) app.page.setDefaultTimeout(PATIENCE_MS)
  const scenario = scenarios[name](app)
  // a recorded problem ends the wait at once
  const trouble = app.page.waitForFunction(() => window.probe?.problems.length > 0, undefined, { timeout: 0 })
  try {
    await Promise.race([scenario, trouble.catch(() => scenario)])
    return (await app.problems()).join('\n')
  } catch (error) {
    return String(error)
  } finally {
    await app.close()
  }
}

it.each(Object.keys(scenarios) as Name[])('%s passes on the build itself', async (name) => {
  expect(await run(name)).toBe('')
})

const mutants: [what: string, scenario: Name, change: Change][] = [
  [
    'the signature is made with another secret',
    'home',
    { file: 'app.js', from: 'dev-sign-secret', to: 'other-secret' },
  ],
  ['a page throws while it is loaded', 'home', { file: 'pages/home/index.js', from: '"use strict";', to: 'gone();' }],
  ['the app never starts', 'home', { file: 'app.js', from: 'require("./vendors"),', to: '' }],
  [
    'a style is too wide',
    'home',
    { file: 'pages/home/index.wxss', from: '.home-games{', to: '.home-games{width:900rpx;' },
  ],
  [
    'the template loop names another list',
    'home',
    { file: 'base.wxml', from: 'wx:for="{{root.cn}}"', to: 'wx:for="{{root.cm}}"' },
  ],
  ['the templates’ script finds no template', 'home', { file: 'utils.wxs', from: "'tmpl_' + l", to: "'tmp_' + l" }],
  ['no view can be tapped', 'tabs', { file: 'base.wxml', from: 'bindtap="eh"', to: 'bindtapped="eh"' }],
  ['a tab is opened like a page', 'tabs', { file: 'common.js', from: '.switchTab)(', to: '.navigateTo)(' }],
  ['a page is missing in app.json', 'back', { file: 'app.json', from: '"pages/home/news/index",', to: '' }],
  ['the way back leads nowhere', 'back', { file: 'common.js', from: '.navigateBack)(', to: '.hideToast)(' }],
  ['spoken names are lost', 'back', { file: 'base.wxml', from: 'aria-label=', to: 'aria-lable=' }],
  [
    'the form is open to everybody',
    'guard',
    { file: 'common.js', from: '"mode","field"]}', to: '"mode","field"],open:!0}' },
  ],
  [
    'the answer of the phone button is not heard',
    'refusal',
    { file: 'base.wxml', from: 'bindgetphonenumber="eh"', to: '' },
  ],
  [
    'the login is sent elsewhere',
    'login',
    { file: 'common.js', from: 'weixin-mini-app-login', to: 'weixin-mini-login' },
  ],
  ['the login is not kept', 'login', { file: 'common.js', from: '().setStorageSync(', to: '().getStorageSync(' }],
  ['nobody hears of a lost network', 'offline', { file: 'app.js', from: '().request((', to: '().showToast((' }],
]

it.each(mutants)('killed: %s (%s)', async (_, scenario, change) => {
  expect(await run(scenario, change)).not.toBe('')
})
