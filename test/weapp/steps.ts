/** Steps shared by several tests, found by the texts on the screen. */
import type { Locator } from 'playwright-core'
import type { RunningServer } from '../fakes/server'
import type { MiniProgram } from './driver'

/** Logs in by SMS from WeChat's login page, which then opens the requested page. */
export async function loginBySms(
  app: MiniProgram,
  server: Pick<RunningServer, 'smsCode'>,
  mobile: string,
): Promise<void> {
  await app.tap('其他手机号登录')
  await app.type('请输入 11 位手机号', mobile)
  await app.tap('下一步')
  await app.see('验证码已发送至')
  await app.type('.ui-code', await server.smsCode(mobile))
}

/** The field of a form with this label. */
const field = (app: MiniProgram, label: string): Locator =>
  app.top.locator('.ui-field', { has: app.page.locator('.ui-field__label').getByText(label, { exact: true }) })

export async function fillLine(app: MiniProgram, label: string, text: string): Promise<void> {
  await field(app, label).locator('input').fill(text)
  await app.idle()
}

/** Taps a visible choice. */
export async function pickChip(app: MiniProgram, label: string, text: string): Promise<void> {
  await app.tap(field(app, label).getByText(text, { exact: true }))
}

/** Opens the sheet of a field and taps these choices in order. */
export async function pickInSheet(app: MiniProgram, label: string, ...texts: string[]): Promise<void> {
  await app.tap(field(app, label).locator('.ui-box').first())
  for (const text of texts) await app.tap(app.top.locator('.ui-sheet').getByText(text, { exact: true }).first())
}
