import path from 'node:path'
import { isIn, login, nextMinute, sandbox } from '../fakes/calls'
import { pictures } from './launch'
import { openPhone, server, setUpHarness } from './setup'
import { loginBySms } from './steps'

/** Logging out, and cancelling the account, which can be revoked. */

const MINE = 'pages/mine/index'
const LOGIN = 'pagesA/pages/login/wx/index'

setUpHarness()

it('logging out deletes the session in app and server; protected pages ask for a login', async () => {
  const who = await login(server, '13800138091')
  const app = await openPhone()
  await app.signIn(who)
  await app.start(MINE)
  await app.see('138****8091')
  await app.tap('退出登录')
  await app.tap('退出')
  await app.at('pages/home/index')
  expect(await isIn(server, who.token)).toBe(false)
  await app.start('pagesA/pages/mine/message/index')
  await app.at(LOGIN)
})

it('cancelling the account signs out every device, and a login within fifteen days revokes it', async () => {
  const mobile = '13800138092'
  const who = await login(server, mobile)
  await nextMinute(server)
  const app = await openPhone()
  await app.signIn(who)
  await app.start('pagesA/pages/mine/setting/index')
  await app.tap('注销账号')
  await app.tap('获取验证码')
  await app.see(/^验证码已发送至/)
  await app.type('.ui-sheet', await server.smsCode(mobile))
  await app.tap('.ui-sheet .ui-check__hit')
  await app.screenshot(path.join(pictures(), 'leave-cancel.png'))
  await app.tap('提交注销')
  await app.see(/账号将在 .* 注销/)
  expect(await isIn(server, who.token)).toBe(false)

  await sandbox(server, 'clock', { advanceMs: 10 * 86_400_000 })
  const other = await openPhone()
  await other.start('pagesA/pages/mine/message/index')
  await other.at(LOGIN)
  await loginBySms(other, server, mobile)
  await other.see('注销已撤回')
})
