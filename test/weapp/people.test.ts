/** @group long */
import path from 'node:path'
import { valued } from '../e2e/orders'
import { login, sandbox } from '../fakes/calls'
import { startServer } from '../fakes/server'
import type { MiniProgram } from './driver'
import { pictures } from './launch'
import { openPhone, server, setUpHarness } from './setup'

/** Identity: quick login, a helping friend, an ad, an expired login. */

const LOGIN = 'pagesA/pages/login/wx/index'
const MESSAGES = 'pagesA/pages/mine/message/index'
const RECORDS = 'pagesA/pages/mine/evaluation/records'
const REPORT = 'pages/evaluation/report/index'
const INVITE = 'pages/evaluation/report/unlock/invite'
const ACCEPT = 'pages/evaluation/report/unlock/accept'

setUpHarness(() => startServer({ env: { HELP_TARGET: '1', AD_UNIT_ID: 'adunit-1', AI_FREE_PER_DAY: '50' } }))

/** A phone whose WeChat is `who`'s, with this number. */
const phoneOf = (who: string, mobile: string) =>
  openPhone({ phone: { loginCode: `sandbox.${who}.*`, phoneCode: `sandbox.${mobile}.*` } })

/** A user who agreed at the first launch is not asked again. */
const quickLogin = (app: MiniProgram) => app.tap('手机号快捷登录')

/** A report of the owner of this number, locked, and the owner's phone at the page to unlock it. */
async function locked(who: string, mobile: string) {
  const orderId = await valued(server, await login(server, mobile))
  const app = await phoneOf(who, mobile)
  await app.start(INVITE, { orderId })
  await app.at(LOGIN)
  await quickLogin(app)
  await app.at(INVITE)
  return { app, orderId }
}

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

it('a friend helps: shared from one phone, opened on another through the login, unlocked on the first', async () => {
  const { app: owner } = await locked('ding', '13800138064')
  await owner.see('已助力 0/1')
  await owner.tap('.pf-share')
  const { path: shared, query, title } = await owner.shared('button')
  expect([shared, title]).toEqual([ACCEPT, '帮我解锁一份估价报告'])
  await picture(owner, 'invite')

  const friend = await phoneOf('wu', '13800138065')
  await friend.start(shared, query)
  await friend.at(LOGIN)
  await quickLogin(friend)
  await friend.at(ACCEPT)
  await friend.see('不会获取您的任何游戏信息')
  await picture(friend, 'accept')
  // the celebration is short, so waiting for it starts now
  await Promise.all([owner.see('解锁成功'), friend.tap('帮TA解锁')])
  await friend.see('助力成功，谢谢您')
  await picture(friend, 'helped')

  await owner.at(REPORT)
  await owner.see('合计')
  await friend.start(shared, query)
  await friend.see('每份报告只能助力一次')
})

it('an ad unlocks only if it is available and watched to the end for a plausible time', async () => {
  const { app } = await locked('ji', '13800138066')
  await app.set({ ad: false })
  await app.tap('看广告解锁')
  await app.see('暂无广告，可用其他方式')
  await app.set({ ad: true })
  await app.tap('看广告解锁')
  await app.tap('关闭广告')
  await app.see('广告没有看完，还没有解锁')
  await picture(app, 'ad-closed')
  // an ad that ended as soon as it began was not watched
  await app.tap('看广告解锁')
  await app.tap('看完广告')
  await app.see('广告没有看完，还没有解锁')
  await app.tap('看广告解锁')
  await sandbox(server, 'clock', { advanceMs: 20_000 })
  await Promise.all([app.see('解锁成功'), app.tap('看完广告')])
  await app.at(REPORT)
  await app.see('合计')
})

it('an expired session is renewed silently by WeChat, once; that of another WeChat is not', async () => {
  const { app } = await locked('ren', '13800138069')
  const token = () => app.page.evaluate(() => localStorage.getItem('weapp:session') ?? '')
  const before = await token()
  await sandbox(server, 'clock', { advanceMs: 31 * 86_400_000 })
  await app.start(RECORDS)
  await app.see('王者荣耀')
  expect(await app.route()).toBe(RECORDS)
  const after = await token()
  expect(after).not.toBe(before)
  await app.set({ loginCode: 'sandbox.gui.*' })
  await sandbox(server, 'clock', { advanceMs: 31 * 86_400_000 })
  await app.start(RECORDS)
  await app.see('登录已过期，请重新登录')
  await app.tap('重新登录')
  await app.at(LOGIN)
})
