/** @group long */
import path from 'node:path'
import { sandbox } from '../fakes/calls'
import { startServer } from '../fakes/server'
import type { MiniProgram } from './driver'
import { LOGIN, lockedReport, phoneOf, quickLogin } from './identity'
import { pictures } from './launch'
import { server, setUpHarness } from './setup'

/** Quick login, and a login that has expired. */

const MESSAGES = 'pagesA/pages/mine/message/index'
const RECORDS = 'pagesA/pages/mine/evaluation/records'

// its clock is moved by months
setUpHarness(() => startServer())

const picture = (app: MiniProgram, name: string) => app.screenshot(path.join(pictures(), `people-${name}.png`))

it('logs in by WeChat’s number: first refused, then given; the next time without a number', async () => {
  const app = await phoneOf('jia', '13800138061')
  await app.start(MESSAGES)
  await app.at(LOGIN)
  await picture(app, 'login')
  await app.set({ phoneCode: undefined })
  await quickLogin(app)
  await app.see('您没有授权手机号，可以用其他手机号登录')
  await picture(app, 'refused')
  await app.set({ phoneCode: 'sandbox.13800138061.*' })
  await app.tap('手机号快捷登录')
  await app.at(MESSAGES)
  await app.start('pages/mine/index')
  expect(await app.route()).toBe('pages/mine/index')
  await app.see('138****8061')
  // nothing is sold on this iPhone, so no link leads to coupons
  expect(await app.text()).not.toContain('优惠券')
  await app.tap('退出登录')
  await app.tap('退出')
  await app.start(MESSAGES)
  await app.at(LOGIN)
  await app.tap('以 138****8061 登录')
  await app.at(MESSAGES)
})

it('an expired session leads to the login, once', async () => {
  const { app } = await lockedReport('ren', '13800138069')
  await sandbox(server, 'clock', { advanceMs: 31 * 86_400_000 })
  await app.start(RECORDS)
  await app.see('登录已过期，请重新登录')
  await app.tap('重新登录')
  await app.at(LOGIN)
})
