import path from 'node:path'
import type { FormConfig } from '@/contract/form/types'
import { plausibleAccount } from '../e2e/form'
import { login, post, sandbox } from '../fakes/calls'
import { startServer, type TestServer } from '../fakes/server'
import type { MiniProgram } from './driver'
import { type Harness, pictures, startHarness } from './launch'
import { loginBySms } from './steps'

/** Paying in the mini-program: WeChat's cashier ends in three ways, and only the server's word counts. */
jest.setTimeout(180_000)

const hok = require('../../server/fixtures/games/hok.json') as FormConfig
const keys = hok.fields.map(({ key }) => key)
const answers = Object.fromEntries(Object.entries(plausibleAccount(hok)).filter(([key]) => keys.includes(key)))
const CASH = 'pages/evaluation/payment/index'
const MOBILE = '13800138021'

let server: TestServer
let harness: Harness
let app: MiniProgram

beforeAll(async () => {
  // the harness is an iPhone; without this nothing is sold there
  ;[server, harness] = await Promise.all([startServer({ env: { IOS_PAY: 'NORMAL' } }), startHarness()])
}, 200_000)
afterAll(async () => {
  await harness?.close()
  await server?.stop()
})

/** A manual order of the user who is about to log in. */
async function order(): Promise<string> {
  const { token } = await login(server, MOBILE)
  const send = <T>(at: string, body: object) => post<T>(server, `/app-api${at}`, body, token)
  await send('/user/real/name/auth', { name: '张三丰', idNo: '11010519491231002X', consent: true })
  const { gameId, schemaVersion } = hok
  const wish = { gameId, schemaVersion, answers, level: 'STD' }
  return (await send<{ orderId: string }>('/api/evaluate/user/game/submit/manual', wish)).orderId
}

it('a manual order: checked out, cancelled in the cashier, refused, then paid', async () => {
  app = await harness.open({ apiBase: server.url })
  const orderId = await order()
  // the next code may be asked for a minute later
  await sandbox(server, 'clock', { advanceMs: 61_000 })
  await app.start('pages/evaluation/human/checkout', { orderId })
  await app.at('pagesA/pages/login/wx/index')
  await loginBySms(app, server, MOBILE)
  await app.at('pages/evaluation/human/checkout')
  await app.see('¥19.90')
  await app.screenshot(path.join(pictures(), 'money-checkout.png'))
  await app.tap('提交订单')
  await app.see('请先勾选同意')
  await app.tap('.ui-check__hit')
  await app.tap('提交订单')
  await app.at(CASH)
  await app.see('微信支付')
  await app.screenshot(path.join(pictures(), 'money-cash.png'))

  await app.tap('支付 ¥19.90')
  await app.tap('取消支付')
  await app.see('您取消了支付')
  expect(await app.route()).toBe(CASH)
  await app.tap('支付 ¥19.90')
  await app.tap('余额不足')
  await app.see('支付没有成功')
  await app.tap('支付 ¥19.90')
  await app.tap('支付')
  await app.at('pages/evaluation/human/paySuccess')
  await app.see('支付成功')
  await app.screenshot(path.join(pictures(), 'money-paid.png'))
  expect(await app.problems()).toEqual([])
  await app.close()
})
