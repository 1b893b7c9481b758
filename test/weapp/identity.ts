/** Users of the mini-program: their WeChat, their number, their report. */
import { valued } from '../e2e/orders'
import { login } from '../fakes/calls'
import type { MiniProgram } from './driver'
import { openPhone, server } from './setup'

export const LOGIN = 'pagesA/pages/login/wx/index'
const INVITE = 'pages/evaluation/report/unlock/invite'

/** A phone whose WeChat is `who`'s, with this number. */
export const phoneOf = (who: string, mobile: string) =>
  openPhone({ phone: { loginCode: `sandbox.${who}.*`, phoneCode: `sandbox.${mobile}.*` } })

/** A user who agreed at the first launch is not asked again. */
export const quickLogin = (app: MiniProgram) => app.tap('手机号快捷登录')

/** A report of the owner of this number, locked, and the owner's phone at the page to unlock it. */
export async function lockedReport(who: string, mobile: string) {
  const orderId = await valued(server, await login(server, mobile))
  const app = await phoneOf(who, mobile)
  await app.start(INVITE, { orderId })
  await app.at(LOGIN)
  await quickLogin(app)
  await app.at(INVITE)
  return { app, orderId }
}
