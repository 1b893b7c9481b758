import path from 'node:path'
import { calls } from '@/contract/calls'
import budgets from '../../bench/budgets.json'
import { valued } from '../e2e/orders'
import { type Login, login, payForReport, read } from '../fakes/calls'
import { pictures } from './launch'
import { app, server, setUpPhone } from './setup'

/** The large pages of a report in the mini-program: the full report, repricing, a contrast, a PDF. */

const report = 'pages/evaluation/report/index'
/** opens without a login */
const sharedReport = 'pages/evaluation/report/wxIframe'

let who: Login
/** unlocked, and locked */
let orders: [string, string]

setUpPhone()
beforeAll(async () => {
  who = await login(server, '13800138077')
  orders = [await valued(server, who), await valued(server, who, { skinCount: 20 })]
  await payForReport(server, who.token, orders[0])
})
beforeEach(async () => {
  await app.signIn(who)
  await app.start()
})

const picture = (name: string) => app.screenshot(path.join(pictures(), `report-${name}.png`), true)

it('renders the whole report within its setData budget, and reprices it without a rejected comparable', async () => {
  const { calls, bytes } = await app.measure(() => app.navigateTo(`/${report}?orderId=${orders[0]}`))
  console.log(`whole report: ${calls} setData, ${bytes} bytes`)
  expect(bytes).toBeGreaterThan(1000)
  expect(bytes).toBeLessThanOrEqual(budgets.weapp.reportSetDataBytes.max)
  for (const part of ['相加即估价', '相近的成交', '风险', '快速出手']) await app.see(part)
  expect(await app.sidewaysScroll()).toBe(0)
  await picture('whole')
  for (const sheet of ['分享', '出售文案', '备注名']) {
    const opened = await app.measure(() => app.tap(sheet))
    const closed = await app.measure(() => app.tap(app.top.getByLabel('关闭')))
    console.log(`${sheet}: ${opened.bytes} bytes, closed ${closed.bytes} bytes`)
    expect(opened.bytes).toBeGreaterThan(1000)
    for (const { bytes } of [opened, closed]) expect(bytes).toBeLessThanOrEqual(budgets.weapp.sheetSetDataBytes.max)
  }
  await app.tap('排除')
  await app.see('排除 1 个后')
  await picture('repriced')
  await app.tap('恢复')
  expect(await app.text()).not.toContain('排除 1 个后')
})

it('can be shared from the menu, which makes the link: with its own text and picture, without price', async () => {
  await app.navigateTo(`/${report}?orderId=${orders[0]}`)
  await app.see('相加即估价')
  const first = await app.shared('menu')
  const asked = { orderId: orders[0] }
  const { shareToken } = await read<{ shareToken: string }>(
    server,
    calls.evaluation.reportImageShare.path,
    asked,
    who.token,
  )
  const { path: shared, query, title, imageUrl = '' } = await app.shared('menu')
  expect(first).toEqual({ path: shared, query, title, imageUrl })
  expect([shared, query.shareToken, title]).toEqual([sharedReport, shareToken, '邀请您查看估价报告'])
  expect(imageUrl).toMatch(/\/share\.png$/)
  const image = await fetch(server.url + new URL(imageUrl).pathname)
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
  const bytes = Buffer.from(await image.arrayBuffer())
  expect(bytes.readUInt32BE(16) / bytes.readUInt32BE(20)).toBe(5 / 4)
})

it('shows a document as rich text with working links', async () => {
  await app.navigateTo('/pagesA/pages/home/article/index?key=PRIVACY')
  await app.see('我们收集什么，为什么')
  const size = await app.top
    .locator('.doc-h2')
    .first()
    .evaluate((el) => Number.parseFloat(getComputedStyle(el).fontSize))
  expect(size).toBeGreaterThan(16)
  await picture('document')
  await app.tap('未成年人说明')
  await app.see('给家长的话')
})
