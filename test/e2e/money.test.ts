import type { Page } from 'playwright-core'
import { nextIdNo } from '../fakes/calls'
import { openPhone, type Phone, sidewaysScroll } from './browser'
import { fillRequired, plausibleAccount } from './form'
import { hok, hokAnswers } from './orders'
import { ask, newSession, signIn } from './session'
import { browser, server, setUpBrowser } from './setup'

/** Paying, from the order to the report, in a real browser against the real server and the sandbox's cashier. */

const account = { config: hok, answers: plausibleAccount(hok) }

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
  // the final screen, to investigate failures
  await page.screenshot({ path: 'test-results/e2e/money.png' })
  await phone.context.close()
})

const go = (path: string) => page.goto(server.url + path)
const at = (path: string) => page.waitForURL((url) => url.pathname === path)
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

async function sandbox(path: string, body: object) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${server.url}/sandbox/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`/sandbox/${path}: HTTP ${answer.status} ${await answer.text()}`)
}

async function manualOrder(): Promise<string> {
  const { gameId, schemaVersion } = hok
  const req = { gameId, schemaVersion, answers: hokAnswers, level: 'STD' }
  return (await call<{ orderId: string }>('evaluation', 'submitManual', req)).orderId
}

const CHECKOUT = '/pages/evaluation/human/checkout'
const CASH = '/pages/evaluation/payment/index'
const RESULT = '/pages/evaluation/human/paySuccess'
const RECORDS = '/pagesA/pages/mine/evaluation/records'
const tick = () => page.getByRole('checkbox', { name: /报告生成后不支持无理由退款/ }).tap()
const statusOf = async (orderId: string) => (await call<{ status: string }>('pay', 'getInfo', { orderId })).status

/** From the checkout to the sandbox's cashier; after the payment the result opens automatically. */
async function pay() {
  await button(/^支付 ¥/).tap()
  await page.waitForURL(/\/sandbox\/cashier\//)
  await page.getByRole('button', { name: '支付成功', exact: true }).tap()
  await at(RESULT)
}

it('a manual order is filled in, paid with a coupon, confirmed after a reload, delivered, read and rated', async () => {
  const { templateId } = (
    await call<{ templateId: string; scope: string; state: string }[]>('coupon', 'canReceive')
  ).find((c) => c.state === 'AVAILABLE' && ['ALL', 'MANUAL'].includes(c.scope)) ?? { templateId: '' }
  await call('coupon', 'receive', { templateId })

  await go('/pages/evaluation/fillInInfo/index?gameId=hok&mode=MANUAL')
  await text('王者荣耀 · 人工估价').waitFor()
  await fillRequired(page, account)
  await button('提交估价').tap()
  // the user is asked for further screenshots
  await button('直接提交').tap()

  // the best coupon is preselected, and the amount is calculated by the server
  await at(CHECKOUT)
  const orderId = new URL(page.url()).searchParams.get('orderId') ?? ''
  await button('提交订单').waitFor()
  const pre = await call<{ payFen: number; discountFen: number }>('pay', 'createPre', { orderId })
  expect(pre.discountFen).toBeGreaterThan(0)
  const sum = `¥${(pre.payFen / 100).toFixed(2)}`
  expect(await sidewaysScroll(page)).toBe(0)
  await button('提交订单').tap()
  await text('请先勾选同意').waitFor()
  await tick()
  await button('提交订单').tap()

  await at(CASH)
  await button(`支付 ${sum}`).waitFor()
  await pay()
  await text('支付成功').waitFor()
  await page.reload()
  await text('支付成功').waitFor()
  await text(sum.slice(1)).waitFor()

  // the checkout accepts no second payment
  await go(`${CASH}?orderId=${orderId}`)
  await text('这笔订单已支付').waitFor()

  await sandbox('desk/report', { orderId, priceFen: 258_000, comment: '皮肤齐全，区服热门。' })
  await go(RECORDS)
  await text('已出报告').waitFor()
  await page.getByRole('button', { name: '查看报告' }).tap()
  await at('/pages/evaluation/report/index')
  await text('2,580').waitFor()

  await go(RECORDS)
  await page.getByRole('button', { name: '去评价' }).tap()
  await page.getByRole('radio', { name: /^5 星/ }).first().tap()
  await page.getByRole('radio', { name: '差不多' }).tap()
  await page.getByLabel('说说您的看法').fill('依据清楚')
  await button('提交评价').tap()
  await text('评价提交后不能修改').waitFor()
  await page.getByLabel('追加评价').fill('后来 2550 元成交')
  await button('提交追评').tap()
  await text('后来 2550 元成交').waitFor()
  expect(await statusOf(orderId)).toBe('DONE')
  expect(troubles()).toEqual([])
})

it('back after paying never opens the cashier again', async () => {
  const orderId = await manualOrder()
  await go(`${CHECKOUT}?orderId=${orderId}`)
  await tick()
  await button('提交订单').tap()
  await at(CASH)
  await pay()
  await text('支付成功').waitFor()
  const opened: string[] = []
  page.on('framenavigated', (frame) => opened.push(new URL(frame.url()).pathname))
  await page.goBack()
  await page.waitForURL((url) => url.pathname !== RESULT)
  await page.goBack()
  await page.waitForURL((url) => ![CASH, CHECKOUT].includes(url.pathname))
  expect(opened.filter((path) => path.startsWith('/sandbox/') || path === CASH)).toEqual([])
  expect(troubles()).toEqual([])
})
