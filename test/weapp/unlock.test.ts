/** @group long */
import path from 'node:path'
import { sandbox } from '../fakes/calls'
import { startServer } from '../fakes/server'
import type { MiniProgram } from './driver'
import { LOGIN, lockedReport, phoneOf, quickLogin } from './identity'
import { pictures } from './launch'
import { server, setUpHarness } from './setup'

/** Unlocking by a helping friend and by an ad. */

const REPORT = 'pages/evaluation/report/index'
const ACCEPT = 'pages/evaluation/report/unlock/accept'

setUpHarness(() => startServer({ env: { HELP_TARGET: '1', AD_UNIT_ID: 'adunit-1', AI_FREE_PER_DAY: '50' } }))

const picture = (app: MiniProgram, name: string) => app.screenshot(path.join(pictures(), `people-${name}.png`))

it('a friend helps: shared from one phone, opened on another through the login, unlocked on the first', async () => {
  const { app: owner } = await lockedReport('ding', '13800138064')
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
  await owner.see('相加即估价')
  await friend.start(shared, query)
  await friend.see('每份报告只能助力一次')
})

it('an ad unlocks only if it is available and watched to the end for a plausible time', async () => {
  const { app } = await lockedReport('ji', '13800138066')
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
  await app.see('相加即估价')
})
