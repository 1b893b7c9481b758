import type { Page, Route } from 'playwright-core'
import { DOUBLE_TAP_BLOCK } from '@/contract/constants'
import { openPhone, type Phone } from './browser'
import { fillRequired, plausibleAccount } from './form'
import { atReport, formOf, openForm } from './killed-tab'
import { logInByHand, signIn } from './session'
import { browser, server, setUpBrowser } from './setup'

/** Code of pages that is loaded late, fails to load, or has been replaced by a deployment. */

let phone: Phone

setUpBrowser()
beforeEach(async () => {
  phone = await openPhone(browser)
})
afterEach(async () => {
  await phone.context.close()
})

async function openHome(page: Page) {
  await page.goto(server.url)
  await page.locator('.home-game__name').first().waitFor()
}
const tab = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).and(page.locator(':visible'))
const overlay = (page: Page) => page.locator('.pf-overlay')

/** Whether the document has not been reloaded since `mark`. */
const mark = (page: Page) => page.evaluate(() => void Object.assign(window, { marked: true }))
const isMarked = (page: Page) => page.evaluate(() => 'marked' in window)

/** Delays or fails the chunks of pages that are not loaded yet. */
async function chunks(page: Page, what: (route: Route) => unknown) {
  const asked: string[] = []
  await page.route('**/js/*.js', (route) => {
    asked.push(new URL(route.request().url()).pathname)
    return what(route)
  })
  return { asked, free: () => page.unroute('**/js/*.js') }
}

it('a page whose code fails to load: the error placeholder at once; a tap reloads only this page', async () => {
  const { page } = phone
  await openHome(page)
  // home's deferred content has loaded
  await page.getByText('估价仅供参考').waitFor({ state: 'attached' })
  await mark(page)
  const killed = await chunks(page, (route) => route.abort())
  await tab(page, '估价').tap()
  await overlay(page).getByText('页面加载失败，点击屏幕重试').waitFor()
  expect(await page.locator('.quick-games').count()).toBe(0)
  await killed.free()
  const again = await chunks(page, (route) => route.continue())
  await overlay(page).tap()
  await page.locator('.quick-games').waitFor()
  await overlay(page).waitFor({ state: 'detached' })
  expect(await isMarked(page)).toBe(true)
  expect(again.asked.sort()).toEqual([...new Set(killed.asked)].sort())
})

it('a page that a deployment has replaced: the new build is loaded automatically, once', async () => {
  const { page } = phone
  const html = await (await fetch(server.url, { headers: { accept: 'text/html' } })).text()
  const entry = /\/js\/app\.\w+\.js/.exec(html)?.[0] ?? ''
  const before = '/js/app.00000000.js'
  // the old build, still open in the user's browser
  let deployed = false
  await page.route(
    (url) => url.origin === server.url && !url.pathname.includes('.') && !url.pathname.startsWith('/app-api'),
    (route) =>
      deployed ? route.fallback() : route.fulfill({ contentType: 'text/html', body: html.replace(entry, before) }),
  )
  await page.route(`**${before}`, async (route) => {
    const response = await route.fetch({ url: server.url + entry })
    await route.fulfill({ response })
  })
  await openHome(page)
  // the app has taken over and loads nothing more, which would find the old build gone before the tap does
  await page.getByText('估价仅供参考').waitFor({ state: 'attached' })
  deployed = true
  let loads = 0
  page.on('request', (r) => {
    if (r.isNavigationRequest()) loads++
  })
  // its chunks return 404 until the document is reloaded
  const gone = await chunks(page, (route) => (loads > 0 ? route.fallback() : route.fulfill({ status: 404, body: '' })))
  await tab(page, '估价').tap()
  await page.locator('.quick-games').waitFor()
  expect(new URL(page.url()).pathname).toBe('/pages/evaluation/index')
  expect(await page.locator(`script[src="${entry}"]`).count()).toBe(1)
  expect(loads).toBe(1)
  // with the new build a missing page is an ordinary failure: no second reload
  await gone.free()
  await chunks(page, (route) => route.fulfill({ status: 404, body: '' }))
  await tab(page, '我的').tap()
  await overlay(page).getByText('页面加载失败，点击屏幕重试').waitFor()
  expect(loads).toBe(1)
})

it('when the code of the page after the form does not load, a tap loads it: the answers have arrived', async () => {
  const { page } = phone
  const hok = formOf('hok')
  await signIn(page, server)
  await openForm(page, server)
  await fillRequired(page, { config: hok, answers: plausibleAccount(hok) })
  await page.route('**/js/**', (route) => route.abort('internetdisconnected'))
  await page.getByText('提交估价', { exact: true }).tap()
  await overlay(page).getByText('页面加载失败，点击屏幕重试').waitFor()
  await page.unroute('**/js/**')
  // the app suppresses a second tap within this time (spec §5)
  await page.waitForTimeout(DOUBLE_TAP_BLOCK + 50)
  await overlay(page).tap()
  await atReport(page)
})

it.each(['/', '/pages/mine/index'])('%s of a build that is gone loads the new one, once', async (path) => {
  const { page } = phone
  const loads: string[] = []
  page.on('request', (r) => {
    if (r.isNavigationRequest()) loads.push(r.url())
  })
  // from a cache: the first document names an entry that no server has any more
  await page.route(server.url + path, async (route) => {
    const response = await route.fetch()
    const body = await response.text()
    await route.fulfill({
      response,
      body: loads.length > 1 ? body : body.replace(/\/js\/app\.\w+/g, '/js/app.00000000'),
    })
  })
  await page.goto(server.url + path)
  await page.locator('.ui-page').first().waitFor()
  expect(loads).toHaveLength(2)
  // while the entry stays away there is no second reload
  await page.route('**/js/app.*', (route) => route.abort())
  // not `reload`, which waits for a document that is left before it has loaded
  await page.evaluate(() => void setTimeout(() => location.reload()))
  while (loads.length < 4) await page.waitForTimeout(50)
  await page.waitForTimeout(1000)
  expect(loads).toHaveLength(4)
})

it('a browser that blocks all cookies: calls are sent and a login lasts for the visit', async () => {
  const { page, problems } = phone
  await page.addInitScript(() => {
    const blocked = () => {
      throw new DOMException('blocked', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
      Object.defineProperty(window, name, { get: blocked })
    Object.defineProperty(document, 'cookie', { get: blocked, set: blocked })
  })
  await page.goto(server.url)
  await page.getByText('同意', { exact: true }).tap()
  await page.locator('.home-game').getByText('王者荣耀').tap()
  await page.getByText('填完整，估得更准').tap()
  await logInByHand(phone, server)
  await page.locator('.fill-head').waitFor()
  expect(problems).toEqual([])
})
