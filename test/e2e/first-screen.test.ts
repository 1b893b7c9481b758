import type { Page } from 'playwright-core'
import budgets from '../../bench/budgets.json'
import { type Login, login, payForReport, read } from '../fakes/calls'
import { startServer } from '../fakes/server'
import { newContext, openPhone, type Phone } from './browser'
import { measureHomeVisit, measureScripts } from './home-bytes'
import { valued } from './orders'
import { nextMobile } from './session'
import { browser, server, setUpBrowser } from './setup'

/** Home and reports rendered by the server, and the app that replaces them. */

let phone: Phone

setUpBrowser()
beforeEach(async () => {
  phone = await openPhone(browser)
})
afterEach(async () => {
  await phone.context.close()
})

/** Delays the app's scripts until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  // continuing fails once the page is closed
  await page.route('**/js/*.js', (route) => held.then(() => route.continue()).catch(() => undefined))
  return release
}

const onHome = [
  ...['ui-nav__title', 'home-hero__head', 'home-sample', 'home-game'],
  ...['home-sample__price', 'home-sample__line', 'home-sample__note', 'home-sample__go', 'ui-card__link'],
  ...['home-game__name', 'home-notice', 'ui-tabs__tab'],
]
const onReport = [
  ...['ui-nav__btn', 'ui-nav__title', 'rp-price', 'rp-price__title', 'rp-price__id', 'rp-price__label', 'ui-range'],
  ...[
    'ui-range__dot',
    'ui-range__range',
    'ui-range__tick',
    'ui-range__mark',
    'ui-range__key',
    'rp-price__name',
    'ui-price',
  ],
  ...['ui-price__sign', 'rp-price__range', 'rp-price__valid', 'ui-notice', 'ui-notice__text', 'rp-line__label'],
  ...['ui-range__label', 'rp-line__bar', 'ui-btn', 'ui-btn__text'],
]

/** Position and size of every visible element of these classes, each with its class, in document order. */
const places = (page: Page, root: string, names: readonly string[]) =>
  page.evaluate(
    ([selector, all]) => {
      const top = document.querySelector(selector)
      return all.flatMap((name) =>
        Array.from(top?.querySelectorAll(`.${name}`) ?? [], (el) => {
          const { x, y, width, height } = el.getBoundingClientRect()
          return `${name} ${[x, y, width, height].map((n) => n.toFixed(1)).join(' ')}`
        }).filter((line) => !line.endsWith(' 0.0 0.0')),
      )
    },
    [root, names] as const,
  )

/** Waits for the first paint: up to 100 ms before it the display font may still load (`font-display: optional`) and move boxes. */
const painted = (page: Page) =>
  page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)

/** Fills the storage before the page loads, and records every layout shift. */
const prepare = (kept: Record<string, string>) =>
  phone.context.addInitScript((all) => {
    if (location.origin !== 'null') for (const [key, text] of Object.entries(all)) localStorage.setItem(key, text)
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  }, kept)

async function shifted(page: Page): Promise<number> {
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
  return shifts.reduce((sum, shift) => sum + shift, 0)
}

/** Paths of the calls the page makes. */
function callsOf(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (r) => r.url().includes('/app-api/') && asked.push(new URL(r.url()).pathname))
  return asked
}

const waitForApp = (page: Page) => page.waitForFunction(() => document.getElementById('first') === null)
const waitForFirstScreen = (page: Page) => page.locator('#first .home-game').first().waitFor()

it('on a first visit to home the largest paint is the server’s: the app draws nothing larger', async () => {
  // Lighthouse's phone
  const { page, context } = await openPhone(browser, { width: 412, height: 823, newcomer: true })
  await context.addInitScript(() => {
    const largest: boolean[] = []
    Object.assign(window, { largest })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        largest.push((entry as unknown as { element: Element | null }).element?.closest('#first') !== null)
    }).observe({ type: 'largest-contentful-paint', buffered: true })
  })
  const release = await holdScripts(page)
  const opened = page.goto(server.url)
  await waitForFirstScreen(page)
  // the question of the first launch is there from the beginning
  await page.locator('#first .ui-consent').waitFor()
  release()
  await opened
  await page.locator('.ui-consent').waitFor()
  await page.waitForLoadState('networkidle')
  const largest = await page.evaluate(() => (window as unknown as { largest: boolean[] }).largest)
  const face = await page.evaluate(() =>
    [...document.fonts].filter(({ family }) => family === 'Figures').map(({ status }) => status),
  )
  await context.close()
  expect(largest.length).toBeGreaterThan(0)
  expect(largest).not.toContain(false)
  expect(face).toEqual(['loaded'])
})

it('a first visit to home and the scripts stay within their budgets of bytes', async () => {
  // home of the shared server shows what other files make
  const own = await startServer()
  const figures = { ...(await measureHomeVisit(browser, own.url)), ...measureScripts() }
  await own.stop()
  console.log(figures)
  for (const [name, { max }] of Object.entries(budgets.h5))
    expect({ [name]: figures[name as keyof typeof figures] <= max }).toEqual({ [name]: true })
  expect(figures.homeTransferKb).toBeGreaterThan(50)
})

const largeTextAndDraft = {
  'gav.app': JSON.stringify({ version: 1, data: { isFirstTimeLaunch: false, textSize: 'huge' } }),
  'gav.drafts': '["draft:anon:hok:AI"]',
  'gav.draft:anon:hok:AI': JSON.stringify({
    ...{ gameId: 'hok', gameName: '王者荣耀', mode: 'AI', schemaVersion: 1, answers: { 'hok.level': 30 } },
    ...{ labels: {}, filled: {}, requestId: 'r1', done: 1, total: 12, savedAt: Date.now() },
  }),
}

it('with large text and a form begun earlier the app takes over without a layout shift and without repeated requests', async () => {
  const { page, problems } = phone
  await prepare(largeTextAndDraft)
  const asked = callsOf(page)
  const go = await holdScripts(page)
  const opened = page.goto(server.url)
  await waitForFirstScreen(page)
  // the face of the figures is used only if it has come by then
  await painted(page)
  const before = await places(page, '#first', onHome)
  expect(before.length).toBeGreaterThan(20)
  go()
  await opened
  await waitForApp(page)
  // content below the fold, such as the coupon of the day, may have been rendered already
  expect(await places(page, '.taro_page_show', onHome)).toEqual(expect.arrayContaining(before))
  await page.locator('.home__legal').waitFor()
  expect(await shifted(page)).toBeLessThanOrEqual(0.01)
  expect(asked).toEqual([])
  expect(problems).toEqual([])
})

it('a tap before the app has loaded is not lost', async () => {
  const { page } = phone
  const go = await holdScripts(page)
  const opened = page.goto(server.url).catch(() => undefined)
  await waitForFirstScreen(page)
  await page.locator('#first').getByText('王者荣耀', { exact: true }).tap()
  await page.waitForURL((url) => url.pathname === '/pages/evaluation/index', { waitUntil: 'commit' })
  go()
  await page.locator('.quick-range').waitFor()
  expect(new URL(page.url()).search).toBe('?gameId=hok')
  await opened
})

it('without scripts the page is readable and its links work', async () => {
  const context = await newContext(browser, { javaScriptEnabled: false, viewport: { width: 375, height: 812 } })
  const page = await context.newPage()
  await page.goto(server.url)
  await page.getByText('您的账号，值多少？').waitFor()
  const words = await page.locator('#first').innerText()
  for (const text of ['王者荣耀', '人工估价', '首页', '我的']) expect(words).toContain(text)
  const leads = await page.locator('#first a:visible').evaluateAll((all) => all.map((a) => a.getAttribute('href')))
  expect(leads.length).toBeGreaterThan(10)
  for (const href of leads)
    expect((await fetch(server.url + href, { headers: { accept: 'text/html' } })).status).toBe(200)
  await context.close()
})

const order = '/app-api/api/evaluate/user/order'
const versioned = (data: object) => JSON.stringify({ version: 1, data })
const huge = versioned({ isFirstTimeLaunch: false, textSize: 'huge' })

/** Another user's report, and the URLs by which it is shared. */
async function shareReport(paid: boolean) {
  const owner = await login(server, nextMobile())
  const orderId = await valued(server, owner)
  if (paid) await payForReport(server, owner.token, orderId)
  const link = (embed: boolean) =>
    read<{ url: string }>(server, `${order}/get/report-image/share`, { orderId, ...(embed && { embed }) }, owner.token)
  const [shared, embedded] = [await link(false), await link(true)]
  return { owner, orderId, url: shared.url, embedUrl: embedded.url }
}

const signedIn = ({ token, userId }: Login) => ({ 'gav.session': versioned({ token, userId, newUser: false }) })
let full: Awaited<ReturnType<typeof shareReport>>
let locked: typeof full
beforeAll(async () => {
  full = await shareReport(true)
  locked = await shareReport(false)
})
const waitForReport = async (page: Page) => {
  await page.locator('#first .rp-price').waitFor()
  await painted(page)
}

it.each([
  ['the full report with the largest text', { paid: true, size: { 'gav.app': huge } }],
  ['a locked report', { paid: false, size: {} }],
])(
  'a friend who is not signed in opens a share: %s is there at once, and the app takes over without a shift or a call',
  async (_, how) => {
    const { url } = how.paid ? full : locked
    const { page, problems } = phone
    await prepare(how.size)
    const asked = callsOf(page)
    const go = await holdScripts(page)
    const opened = page.goto(url)
    await waitForReport(page)
    const before = await places(page, '#first', onReport)
    expect(before.length).toBeGreaterThan(how.paid ? 30 : 20)
    go()
    await opened
    await waitForApp(page)
    await page.getByText('报告信息').waitFor({ state: 'attached' })
    const after = await places(page, '.taro_page_show', onReport)
    expect(before.filter((name) => !after.includes(name))).toEqual([])
    expect(await shifted(page)).toBeLessThanOrEqual(0.01)
    expect(asked).toEqual([])
    expect(problems).toEqual([])
  },
)

it('an owner who opens their own share never sees the visitor’s page', async () => {
  const { url, owner } = full
  const { page, problems } = phone
  await prepare(signedIn(owner))
  const asked = callsOf(page)
  const go = await holdScripts(page)
  const opened = page.goto(url)
  await page.locator('#first .rp-price').waitFor({ state: 'attached' })
  expect(await page.locator('#first .rp-price').isVisible()).toBe(false)
  go()
  await opened
  await page.getByText('排除').first().waitFor()
  expect(asked).toContain(`${order}/report/get`)
  expect(problems).toEqual([])
})

it('an embedded report is shown to anybody before the app takes over; links on a shared page work', async () => {
  const { url, embedUrl } = full
  const { page, problems } = phone
  await prepare({})
  const asked = callsOf(page)
  let go = await holdScripts(page)
  let opened = page.goto(embedUrl).catch(() => null)
  await waitForReport(page)
  const before = await places(page, '#first', onReport)
  go()
  await opened
  await waitForApp(page)
  await page.getByText('报告信息').waitFor({ state: 'attached' })
  const after = await places(page, '.taro_page_show', onReport)
  expect(before.filter((name) => !after.includes(name))).toEqual([])
  expect(await shifted(page)).toBeLessThanOrEqual(0.01)
  expect(asked).toEqual([])
  expect(problems).toEqual([])

  await prepare(signedIn(await login(server, nextMobile())))
  await page.unroute('**/js/*.js')
  go = await holdScripts(page)
  opened = page.goto(url).catch(() => null)
  await waitForReport(page)
  await page.locator('#first').getByText('估我的号').tap()
  await page.waitForURL(({ pathname }) => pathname === '/pages/evaluation/chooseGame', { waitUntil: 'commit' })
  go()
  await page.getByText('王者荣耀').first().waitFor()
  await opened
})
