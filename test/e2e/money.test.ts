import type { Page } from 'playwright-core'
import type { FormConfig } from '@/contract/form/types'
import { nextIdNo } from '../fakes/calls'
import { openPhone, type Phone, sidewaysScroll } from './browser'
import { fillRequired, plausibleAccount } from './form'
import { ask, newSession, signIn } from './session'
import { browser, server, setUpBrowser } from './setup'

/** Paying, from the order to the report, in a real browser against the real server and the sandbox's cashier. */

const hok = require('../../server/fixtures/games/hok.json') as FormConfig
const account = { config: hok, answers: plausibleAccount(hok) }
const keys = hok.fields.map(({ key }) => key)
/** Order and pay requests: only the fields the form sends. */
const answers = Object.fromEntries(Object.entries(account.answers).filter(([key]) => keys.includes(key)))
const MINUTE = 60_000

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
  const req = { gameId, schemaVersion, answers, level: 'STD' }
  return (await call<{ orderId: string }>('evaluation', 'submitManual', req)).orderId
}

async function aiOrder(given: object = answers): Promise<string> {
  const { gameId, schemaVersion } = hok
  const req = { gameId, schemaVersion, answers: given, source: 'TYPED' }
  return (await call<{ orderId: string }>('evaluation', 'submitAi', req)).orderId
}

const CHECKOUT = '/pages/evaluation/human/checkout'
const CASH = '/pages/evaluation/payment/index'
const RESULT = '/pages/evaluation/human/paySuccess'
const RECORDS = '/pagesA/pages/mine/evaluation/records'
const tick = () => page.getByRole('checkbox', { name: /报告生成后不支持无理由退款/ }).tap()
const statusOf = async (orderId: string) => (await call<{ status: string }>('pay', 'getInfo', { orderId })).status

/** From the checkout to the sandbox's cashier and its result. After payment the result opens automatically. */
async function cashier(result: '支付成功' | '支付失败' | '返回商家') {
  await button(/^支付 ¥/).tap()
  await page.waitForURL(/\/sandbox\/cashier\//)
  await (result === '返回商家' ? page.getByText(result) : page.getByRole('button', { name: result, exact: true })).tap()
  if (result === '支付成功') return at(RESULT)
  await at(CASH)
  await text('支付完成了吗？').waitFor()
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
  await cashier('支付成功')
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

it('the order stays payable after a failed and an abandoned payment', async () => {
  const orderId = await manualOrder()
  await go(`${CASH}?orderId=${orderId}`)
  await cashier('支付失败')
  await button('已完成支付').tap()
  await text('支付未成功').waitFor()
  expect(await statusOf(orderId)).toBe('UNPAID')

  await cashier('返回商家')
  await button('未完成，继续支付').tap()
  await button('未完成，继续支付').waitFor({ state: 'hidden' })
  expect(await statusOf(orderId)).toBe('UNPAID')

  await cashier('支付成功')
  await text('支付成功').waitFor()
  expect(troubles()).toEqual([])
})

it('a URL that claims a payment has no effect', async () => {
  const orderId = await manualOrder()
  await go(`${CASH}?orderId=${orderId}&status=PAID&trade_status=TRADE_SUCCESS`)
  await button(/^支付 ¥/).waitFor()
  await go(`${RESULT}?orderId=${orderId}&paid=1`)
  await text('正在确认支付结果').waitFor()
  expect(await statusOf(orderId)).toBe('UNPAID')
})

it('an order not paid in time is closed, shown at the desk and on a tap', async () => {
  const orderId = await manualOrder()
  await go(`${CASH}?orderId=${orderId}`)
  await text(/剩余支付时间 1[45]:\d\d/).waitFor()
  await sandbox('clock', { advanceMs: 15 * MINUTE })
  await button(/^支付 ¥/).tap()
  await text('订单已关闭').waitFor()
  await go(`${RECORDS}?tab=ALL`)
  await text('已关闭').waitFor()
  expect(await page.getByRole('button', { name: '去支付' }).count()).toBe(0)
})

it('an order cancelled after payment is refunded, as the records show', async () => {
  const orderId = await manualOrder()
  await go(`${CASH}?orderId=${orderId}`)
  await cashier('支付成功')
  await text('支付成功').waitFor()
  await go(RECORDS)
  await page.getByRole('button', { name: '取消订单' }).tap()
  await text('取消后全额退款').waitFor()
  await page.getByRole('radio', { name: '等太久' }).tap()
  await button('确认取消').tap()
  await text(/退款 ¥.*处理中|已退 ¥/).waitFor()
  await sandbox('clock', { advanceMs: MINUTE })
  await page.reload()
  await text(/已退 ¥/).waitFor()
  expect(await statusOf(orderId)).toBe('REFUNDED')
})

it('back after paying never opens the cashier again', async () => {
  const orderId = await manualOrder()
  await go(`${CHECKOUT}?orderId=${orderId}`)
  await tick()
  await button('提交订单').tap()
  await at(CASH)
  await cashier('支付成功')
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

it('one report is unlocked by a coupon without a cashier, another one for money', async () => {
  const first = await aiOrder()
  await go(`${CASH}?orderId=${first}`)
  // the newcomer coupon is the best one available
  await button('免费解锁').waitFor()
  expect(await page.getByText('支付方式').count()).toBe(0)
  await button('免费解锁').tap()
  await text('请先勾选同意').waitFor()
  // nothing to pay, nothing to refund
  expect(await page.getByText('退款').filter({ visible: true }).count()).toBe(0)
  await page.getByRole('checkbox', { name: /解锁后优惠券不退回/ }).tap()
  await button('免费解锁').tap()
  await at(RESULT)
  await text('报告已解锁').waitFor()
  await button('查看完整报告').tap()
  await text('合计').waitFor()

  const second = await aiOrder({ ...answers, heroCount: 60 })
  await go(`${CASH}?orderId=${second}`)
  await tick()
  await button('支付 ¥3.90').waitFor()
  await cashier('支付成功')
  await text('报告已解锁').waitFor()
  expect(await statusOf(second)).toBe('UNLOCKED')

  // both side by side
  await go(RECORDS)
  await button('选择对比').tap()
  for (const n of [0, 1]) await page.getByRole('checkbox').nth(n).tap()
  await button('开始对比（2）').tap()
  await at('/pagesA/pages/evaluation/contrastAnalysis/index')
  expect(new URL(page.url()).searchParams.get('orderIds')?.split(',').sort()).toEqual([first, second].sort())
  expect(troubles()).toEqual([])
})
