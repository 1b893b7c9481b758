import type { Page } from 'playwright-core'
import { type Login, login } from '../fakes/calls'
import { openPhone, type Phone } from './browser'
import { startNetworkProxy } from './network-proxy'
import { valued } from './orders'
import { keeping } from './service-worker'
import { ask, nextMobile } from './session'
import { browser, server, setUpBrowser } from './setup'

/** Reports and records already opened are readable without a network, by their reader only, and can be removed. */

const RECORDS = '/pagesA/pages/mine/evaluation/records'

let phone: Phone

setUpBrowser()
beforeEach(async () => {
  phone = await openPhone(browser, { keeps: true })
})
afterEach(async () => {
  await phone.context.close()
})

const reportOf = async (who: Login) => `/pages/evaluation/report/index?orderId=${await valued(server, who)}`

const own = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('own-')).length)
/** Waits until no response of the reader is cached. */
const forgotten = (page: Page) =>
  page.evaluate(async () => {
    while ((await caches.keys()).some((name) => name.startsWith('own-'))) await new Promise(requestAnimationFrame)
  })
const bar = (page: Page) => page.getByText('网络已断开').filter({ visible: true })

it('the last home page and own reports are readable without a network until the reader signs out', async () => {
  const { page, context } = phone
  const who = await login(server, nextMobile())
  const report = await reportOf(who)
  await page.goto(server.url)
  await keeping(page)
  await page.evaluate((text) => localStorage.setItem('gav.session', text), JSON.stringify({ version: 1, data: who }))
  await page.goto(server.url + report)
  const price = page.locator('.rp-price')
  await price.waitFor()
  const seen = await price.innerText()
  await page.goto(server.url + RECORDS)
  await page.getByText('王者荣耀').first().waitFor()
  await page.goto(server.url)

  await context.setOffline(true)
  await page.goto(server.url)
  await page.locator('.home').getByText('王者荣耀').first().waitFor()
  await bar(page).waitFor()
  await page.goto(server.url + report)
  await price.waitFor()
  expect(await price.innerText()).toBe(seen)
  await bar(page).waitFor()
  await page.goto(server.url + RECORDS)
  await page.getByText('王者荣耀').first().waitFor()

  await context.setOffline(false)
  await bar(page).waitFor({ state: 'hidden' })
  expect(await own(page)).toBe(1)
  await page.goto(`${server.url}/pages/mine/index`)
  await page.getByText('退出登录').tap()
  await page.getByRole('button', { name: '退出', exact: true }).tap()
  await page.waitForURL((url) => url.pathname === '/pages/home/index')
  await forgotten(page)
  // logging in again finds no cached responses
  await context.setOffline(true)
  await page.evaluate((text) => localStorage.setItem('gav.session', text), JSON.stringify({ version: 1, data: who }))
  await page.goto(server.url + report)
  await bar(page).waitFor()
  await page.getByText('点击重试').or(page.getByText('请点击屏幕重试')).first().waitFor()
  expect(await price.count()).toBe(0)
})

it('a response that arrives after the sign-out is not cached', async () => {
  const { page, context } = phone
  const who = await login(server, nextMobile())
  const report = await reportOf(who)
  const line = await startNetworkProxy(server.port)
  await page.goto(line.url)
  await keeping(page)
  await page.evaluate((text) => localStorage.setItem('gav.session', text), JSON.stringify({ version: 1, data: who }))
  await page.goto(line.url + report)
  await page.locator('.rp-price').waitFor()
  expect(await own(page)).toBe(1)
  const other = await context.newPage()
  // home requests the last report once; its response must not arrive after the sign-out
  await Promise.all([other.waitForResponse(/order\/list/), other.goto(line.url)])
  const held = line.hold()
  const orderId = new URL(line.url + report).searchParams.get('orderId')
  // the sign-out reloads this tab, but its worker still gets the response
  const late = ask(page, [{ group: 'evaluation', name: 'reportGet', req: { orderId } }]).catch(() => undefined)
  await held
  await other.evaluate(() => localStorage.removeItem('gav.session'))
  await forgotten(other)
  line.mend()
  await late
  expect(await own(other)).toBe(0)
  await line.close()
})
