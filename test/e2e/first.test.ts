import type { Browser, Page } from 'playwright-core'
import { startServer, type TestServer } from '../fakes/server'
import { launch, openPhone, type Phone } from './browser'

/** The home page as the server sends it, and the app that takes its place. */
jest.setTimeout(60_000)

let browser: Browser
let server: TestServer
let phone: Phone

beforeAll(async () => {
  ;[browser, server] = await Promise.all([launch(), startServer()])
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})
beforeEach(async () => {
  phone = await openPhone(browser)
})
afterEach(async () => {
  await phone.context.close()
})

/** The app's code comes when it is let. */
async function holdScripts(page: Page): Promise<() => void> {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  // a request whose page was left is over already
  await page.route('**/js/*.js', (route) => held.then(() => route.continue()).catch(() => undefined))
  return release
}

/** Where everything that can be seen stands, by its class and its place in the row. */
const places = (page: Page, root: string) =>
  page.evaluate((selector) => {
    const names = ['ui-nav__title', 'home-hero__head', 'home-search', 'home-go', 'home-entry', 'home-entry__note']
    names.push('home-game', 'home-game__name', 'home-banner', 'home-banner__img', 'home-notice', 'ui-tabs__tab')
    const top = document.querySelector(selector)
    return names.flatMap((name) =>
      Array.from(top?.querySelectorAll(`.${name}`) ?? [], (el) => {
        const { x, y, width, height } = el.getBoundingClientRect()
        return `${name} ${[x, y, width, height].map((n) => n.toFixed(1)).join(' ')}`
      }).filter((line) => !line.endsWith(' 0.0 0.0')),
    )
  }, root)

const appStands = (page: Page) => page.waitForFunction(() => document.getElementById('first') === null)
const firstStands = (page: Page) => page.locator('#first .home-game').first().waitFor()

const stored = {
  'a first visit': {},
  'large text and a form begun earlier': {
    'gav.app': JSON.stringify({ version: 1, data: { isFirstTimeLaunch: false, textSize: 'huge' } }),
    'gav.drafts': '["draft:anon:hok:AI"]',
    'gav.draft:anon:hok:AI': JSON.stringify({
      ...{ gameId: 'hok', gameName: '王者荣耀', mode: 'AI', schemaVersion: 1, answers: { 'hok.level': 30 } },
      ...{ labels: {}, filled: {}, requestId: 'r1', done: 1, total: 12, savedAt: Date.now() },
    }),
  },
}

it.each(Object.entries(stored))('%s: the app takes over without a shift and without asking again', async (_n, kept) => {
  const { page, problems } = phone
  await phone.context.addInitScript((all) => {
    if (location.origin !== 'null') for (const [key, text] of Object.entries(all)) localStorage.setItem(key, text)
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const one of list.getEntries()) shifts.push((one as unknown as { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  }, kept)
  const asked: string[] = []
  page.on('request', (r) => r.url().includes('/app-api/') && asked.push(new URL(r.url()).pathname))
  const go = await holdScripts(page)
  const opened = page.goto(server.url)
  await firstStands(page)
  const before = await places(page, '#first')
  expect(before.length).toBeGreaterThan(20)
  go()
  await opened
  await appStands(page)
  expect(await places(page, '.taro_page_show')).toEqual(before)
  await page.locator('.home__legal').waitFor()
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
  expect(shifts.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(0.01)
  expect(asked).toEqual([])
  expect(problems).toEqual([])
})

it('a tap before the app has come is not lost', async () => {
  const { page } = phone
  const go = await holdScripts(page)
  const opened = page.goto(server.url).catch(() => undefined)
  await firstStands(page)
  await page.locator('#first').getByText('王者荣耀').tap()
  await page.waitForURL((url) => url.pathname === '/pages/evaluation/fillInInfo/index', {
    waitUntil: 'commit',
  })
  go()
  await page.locator('.login').waitFor()
  expect(decodeURIComponent(page.url())).toContain('redirect=/pages/evaluation/fillInInfo/index?gameId=hok&mode=AI')
  await opened
})

it('without any script the page can be read and leads on', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 375, height: 812 } })
  const page = await context.newPage()
  await page.goto(server.url)
  await page.getByText('您的游戏账号，值多少？').waitFor()
  const words = await page.locator('#first').innerText()
  for (const text of ['王者荣耀', 'AI估价', '人工估价', '首页', '我的']) expect(words).toContain(text)
  const leads = await page.locator('#first a:visible').evaluateAll((all) => all.map((a) => a.getAttribute('href')))
  expect(leads.length).toBeGreaterThan(10)
  for (const href of leads)
    expect((await fetch(server.url + href, { headers: { accept: 'text/html' } })).status).toBe(200)
  await context.close()
})
