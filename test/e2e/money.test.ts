import type { Page } from 'playwright-core'
import { nextIdNo, sandbox } from '../fakes/calls'
import { openPhone, type Phone, sidewaysScroll } from './browser'
import { hok, hokAnswers } from './orders'
import { ask, newSession, signIn } from './session'
import { browser, server, setUpBrowser } from './setup'

/** Paying, from the order to the report, in a real browser against the real server and the sandbox's cashier. */

let phone: Phone
let page: Page

setUpBrowser()
beforeEach(async () => {
  phone = await openPhone(browser)
  page = phone.page
  await signIn(page, server, await newSession(server))
  await page.goto(`${server.url}/pages/evaluation/index`)
  await call('user', 'realNameAuth', { name: '张三丰', idNo: nextIdNo(), consent: true })
})
afterEach(async () => {
  await phone.context.close()
})

const go = (path: string) => page.goto(server.url + path)
const waitForPath = (path: string) => page.waitForURL((url) => url.pathname === path)
const text = (words: string | RegExp) => page.getByText(words).filter({ visible: true }).first()
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).and(page.locator(':visible'))

/** Problems of our pages; the sandbox's cashier has no favicon, which Chromium reports without a URL. */
const troubles = () => phone.problems.filter((p) => p !== NO_ICON)
const NO_ICON = 'console: Failed to load resource: the server responded with a status of 404 (Not Found)'

/** The app's own call, which must succeed. */
async function call<T>(group: string, name: string, req: object = {}): Promise<T> {
  const [outcome] = await ask(page, [{ group, name, req, options: { quiet: true } }])
  if (outcome?.data === undefined) throw new Error(`${group}.${name}: ${outcome?.code}`)
  return outcome.data as T
}

const CHECKOUT = '/pages/evaluation/human/checkout'
const CASH = '/pages/evaluation/payment/index'
const RESULT = '/pages/evaluation/human/paySuccess'
const RECORDS = '/pagesA/pages/mine/evaluation/records'

it('a manual order is paid with a coupon, confirmed after a reload, and read; going back never opens the cashier again', async () => {
  const { templateId } = (
    await call<{ templateId: string; scope: string; state: string }[]>('coupon', 'canReceive')
  ).find((c) => c.state === 'AVAILABLE' && ['ALL', 'MANUAL'].includes(c.scope)) ?? { templateId: '' }
  await call('coupon', 'receive', { templateId })
  const { gameId, schemaVersion } = hok
  const req = { gameId, schemaVersion, answers: hokAnswers, level: 'STD' }
  const { orderId } = await call<{ orderId: string }>('evaluation', 'submitManual', req)

  // the best coupon is preselected, and the amount is calculated by the server
  await go(`${CHECKOUT}?orderId=${orderId}`)
  await button(/^支付 ¥/).waitFor()
  const pre = await call<{ payFen: number; discountFen: number }>('pay', 'createPre', { orderId })
  expect(pre.discountFen).toBeGreaterThan(0)
  const sum = `¥${(pre.payFen / 100).toFixed(2)}`
  expect(await sidewaysScroll(page)).toBe(0)
  await page.getByRole('checkbox', { name: /报告生成后不支持无理由退款/ }).tap()

  // by a channel of the sheet to the sandbox's cashier; after the payment the result opens automatically
  await button(`支付 ${sum}`).tap()
  await page.getByRole('dialog').getByText('微信支付').tap()
  await page.waitForURL(/\/sandbox\/cashier\//)
  await page.getByRole('button', { name: '支付成功', exact: true }).tap()
  await waitForPath(RESULT)
  await text('支付成功').waitFor()
  await page.reload()
  await text('支付成功').waitFor()
  await text(sum.slice(1)).waitFor()

  const opened: string[] = []
  page.on('framenavigated', (frame) => opened.push(new URL(frame.url()).pathname))
  await page.goBack()
  await page.waitForURL((url) => url.pathname !== RESULT)
  await page.goBack()
  await page.waitForURL((url) => ![CASH, CHECKOUT].includes(url.pathname))
  expect(opened.filter((path) => path.startsWith('/sandbox/') || path === CASH)).toEqual([])

  await sandbox(server, 'desk/report', { orderId, priceFen: 258_000, comment: '皮肤齐全，区服热门。' })
  await go(RECORDS)
  await text('已出报告').waitFor()
  await page.getByRole('button', { name: '查看报告' }).tap()
  await waitForPath('/pages/evaluation/report/index')
  await text('2,580').waitFor()
  expect(troubles()).toEqual([])
})
