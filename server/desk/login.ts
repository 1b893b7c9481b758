import { sandboxLogins } from '../domains/staff/accounts'
import type { DeskStaff } from '../domains/staff/sessions'
import { type Html, html } from '../http/html'
import type { Settings } from '../settings'
import { csrfInput } from './page'

/** In the sandbox the page shows the sandbox accounts, which are valid nowhere else. */
export const loginPage = (
  { sandbox }: Pick<Settings, 'sandbox'>,
  name = '',
): Html => html`<form method="post" class="card">
<label>登录名<input name="name" value="${name}" autocomplete="username" autocapitalize="none" required autofocus></label>
<label>密码<input name="password" type="password" autocomplete="current-password" required></label>
<button class="go">登录</button></form>
${
  sandbox &&
  html`<p class="hint"><span class="tag warn">沙箱</span> 估价师 <code>${sandboxLogins.appraiser}</code>、管理员 <code>${sandboxLogins.admin}</code>，密码 <code>${sandboxLogins.password}</code></p>`
}`

export const passwordPage = ({ mustChange }: DeskStaff, csrf: string): Html => html`
${mustChange && html`<p class="note">这是一次性密码，请先换成您自己的密码。</p>`}
<form method="post" class="card">${csrfInput(csrf)}
<label>原密码<input name="old" type="password" autocomplete="current-password" required autofocus></label>
<label>新密码（10-64 位，含字母和数字）<input name="password" type="password" autocomplete="new-password" required></label>
<label>再输一次<input name="again" type="password" autocomplete="new-password" required></label>
<button class="go">保存</button></form>`
