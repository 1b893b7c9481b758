import type { Page } from 'playwright-core'
import { openPhone, type Phone } from './browser'
import { ask, logInByHand, signIn } from './session'
import { browser, server, setUpBrowser } from './setup'

/** The browser's history and its tabs: going back and forward, the way through the login. */

let phone: Phone

setUpBrowser()
beforeEach(async () => {
  phone = await openPhone(browser)
})
afterEach(async () => {
  await phone.context.close()
})

const HOME = '/pages/home/index'
const TAB = '/pages/evaluation/index'
const MINE = '/pages/mine/index'
const LOGIN = '/pagesA/pages/login/h5/index'
const RECORDS = '/pagesA/pages/mine/evaluation/records?tab=DONE'
const HELP = '/pagesA/pages/home/helpCenter/index'

const waitForPath = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path.split('?')[0])
const address = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search

/** Opens a URL and waits until `selector` is visible. */
async function open(page: Page, path: string, selector: string) {
  await page.goto(server.url + path)
  await page.locator(selector).first().waitFor()
}
const openHome = (page: Page) => open(page, '/', '.home-game__name')

it('a deep link leads to the login and back, and the login page is removed from history', async () => {
  const { page, problems } = phone
  await openHome(page)
  await open(page, RECORDS, '.login')
  expect(address(page)).toBe(`${LOGIN}?redirect=${encodeURIComponent(RECORDS)}`)
  await logInByHand(phone, server)
  await waitForPath(page, RECORDS)
  await page.locator('.records').waitFor()
  expect(address(page)).toBe(RECORDS)
  await page.goBack()
  await page.locator('.home').waitFor()
  expect(problems).toEqual([])
})

it('tabs of a browser log out together: the other one leaves its protected page and stops sending the token', async () => {
  const { page } = phone
  await signIn(page, server)
  const other = await phone.context.newPage()
  await open(other, RECORDS, '.records')
  await page.bringToFront()
  await open(page, MINE, '.mine')
  await page.getByText('退出登录').tap()
  await page.getByRole('button', { name: '退出', exact: true }).tap()
  await waitForPath(page, HOME)
  await other.bringToFront()
  await waitForPath(other, LOGIN)
  await other.locator('.login').waitFor()
  expect(address(other)).toContain(encodeURIComponent(RECORDS))
  expect(await other.locator('.records').count()).toBe(0)
  const sent = other.waitForRequest((r) => r.url().includes('app-home-data-count')).then((r) => r.headers().token)
  await ask(other, [{ group: 'app', name: 'homeDataCount' }])
  expect(await sent).toBeUndefined()
})

it('browser back and forward show the pages of their URLs and keep the scroll position of lists', async () => {
  const { page, problems } = phone
  await signIn(page, server)
  await openHome(page)
  const scroll = () => page.evaluate(() => document.querySelector('.taro_page_show')?.scrollTop ?? 0)
  await page.getByText('帮助', { exact: true }).first().scrollIntoViewIfNeeded()
  const scrolled = await scroll()
  expect(scrolled).toBeGreaterThan(0)
  const openHelp = async () => {
    await page.getByText('帮助', { exact: true }).first().tap()
    await waitForPath(page, HELP)
    await page.getByText('帮助中心').first().waitFor()
  }
  await openHelp()
  await page.goBack()
  await page.locator('.home').waitFor()
  expect(await scroll()).toBe(scrolled)
  await page.goForward()
  await waitForPath(page, HELP)
  expect(address(page)).toBe(HELP)
  await page.goBack()
  await page.locator('.home').waitFor()
  expect(address(page)).toBe(HOME)
  // the page's own button does the same as the browser's
  await openHelp()
  await page.getByRole('button', { name: '返回' }).tap()
  await page.locator('.home').waitFor()
  expect(address(page)).toBe(HOME)
  // leaving a page aborts its requests; nothing else may fail
  expect(problems.filter((p) => !p.endsWith('net::ERR_ABORTED'))).toEqual([])
})

it('going back at any moment of a navigation never leaves a blank page', async () => {
  const { page } = phone
  for (const ms of [0, 100, 290]) {
    await openHome(page)
    await page.locator('.home__legal').waitFor()
    await page.evaluate((delay) => {
      const push = history.pushState
      history.pushState = (...how) => {
        push.apply(history, how)
        setTimeout(() => history.back(), delay)
      }
    }, ms)
    const left = page.evaluate(() =>
      new Promise((done) => addEventListener('popstate', done, { once: true })).then(() => true),
    )
    await page.getByText('帮助', { exact: true }).first().tap()
    expect(await left).toBe(true)
    await page.locator('.taro_page_show .home-game__name').first().waitFor()
    expect(address(page)).toBe(HOME)
    // and stays
    await page.waitForLoadState('networkidle')
    expect(await page.locator('.taro_page_show .home-game__name').first().isVisible()).toBe(true)
    await page.locator('.pf-overlay').waitFor({ state: 'hidden' })
  }
})

it('home stays below the other tabs, and going back from it leaves the app', async () => {
  const { page, problems } = phone
  await signIn(page, server)
  const before = new URL(page.url()).pathname
  await openHome(page)
  const tab = (name: string) => page.getByRole('link', { name, exact: true }).tap()
  const shows = (path: string, part: string) => Promise.all([waitForPath(page, path), page.locator(part).waitFor()])
  await tab('估价')
  await shows(TAB, '.quick-games')
  await tab('我的')
  await shows(MINE, '.mine')
  await page.goBack()
  await shows(HOME, '.home')
  await page.goForward()
  await shows(MINE, '.mine')
  // also after a reload, and from a page above a tab
  await page.reload()
  await shows(MINE, '.mine')
  await page.locator('.ui-cell').getByText('优惠券', { exact: true }).tap()
  await page.getByText('已过期', { exact: true }).tap()
  await page.route('**/can/receive*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), data: [] } })
  })
  await page.getByText('去领券中心').tap()
  await page.getByText('去 AI 估价').tap()
  await shows(TAB, '.quick-games')
  await tab('我的')
  await page.getByText('退出登录').tap()
  await page.getByRole('button', { name: '退出', exact: true }).tap()
  await shows(HOME, '.home')
  await page.goBack()
  await page.waitForURL((url) => url.pathname === before)
  expect(problems).toEqual([])
})

it('going back closes an open sheet and keeps the form; going back again leaves the form', async () => {
  const { page, problems } = phone
  await signIn(page, server)
  // the tab below the form contains similar texts
  const onShow = (text: string) => page.getByText(text).filter({ visible: true }).first()
  await page.goto(`${server.url}/pages/evaluation/index`)
  await page.getByText('填完整，估得更准').tap()
  await page.locator('.fill-head').waitFor()
  await page.getByLabel('英雄数（个）').fill('88')
  // by keyboard: the focus returns to what opened the sheet
  const opener = '段位，请选择'
  await page.getByLabel(opener).focus()
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement?.closest('[role=dialog]') != null)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.waitForFunction((label) => document.activeElement?.getAttribute('aria-label') === label, opener)
  for (const open of ['粘贴文字', '请选择']) {
    await onShow(open).tap()
    await page.getByRole('dialog').waitFor()
    // the focus stays in the dialog
    for (let i = 0; i < 40; i++) await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true)
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.getByLabel('英雄数（个）').inputValue()).toBe('88')
  }
  // a sheet that was closed has left no entry in the history
  await page.goBack()
  await page.locator('.quick-games').waitFor()
  expect(problems).toEqual([])
})
