import { AppError } from '../core/app-error'
import { broadcast, maxLength, messageOf, withdraw } from '../domains/accounts/notifications/broadcasts'
import { newId } from '../domains/shared/secrets'
import { type Html, html, options } from '../http/html'
import { type DeskContext, type Fields, logged } from './auth'
import { formatTime } from './format'
import { csrfInput } from './page'
import { type Desk, type FormAction, formIdOf, idOf, type Req } from './pages'

const MAX_ROWS = 50
const kinds = { SYSTEM: '系统通知', ACTIVITY: '活动消息（只发给开启了“活动通知”的用户）' } as const

const stateOf = ({ done_at, withdrawn_at }: { done_at: number | null; withdrawn_at: number | null }) =>
  withdrawn_at !== null ? '已撤回' : done_at === null ? '发送中' : '已发完'

/** Messages to all users, newest first. */
async function sent({ deps: { db }, csrf }: DeskContext): Promise<Html> {
  const rows = await db.selectFrom('broadcasts').selectAll().orderBy('created_at', 'desc').limit(MAX_ROWS).execute()
  if (rows.length === 0) return html`<p class="hint">还没有给全部用户发过消息。</p>`
  return html`<div class="scroll card"><table><tr><th>时间</th><th>类型</th><th>标题</th><th>正文</th><th class="num">已送达</th><th>状态</th><th></th></tr>
${rows.map(
  (
    b,
  ) => html`<tr><td>${formatTime(b.created_at)}</td><td>${b.kind === 'SYSTEM' ? '系统通知' : '活动消息'}</td><td>${b.title}</td><td>${b.body}</td>
<td class="num">${b.sent}</td><td>${stateOf(b)}</td>
<td>${b.withdrawn_at === null && html`<form class="inline" method="post" action="/desk/messages/${b.id}/withdraw">${csrfInput(csrf)}<button class="link">撤回</button></form>`}</td></tr>`,
)}</table></div>`
}

async function page(ctx: DeskContext, _: Req, typed: Fields = {}): Promise<Html> {
  return html`<form method="post" action="/desk/messages" class="card">${csrfInput(ctx.csrf)}<h2>给全部用户发消息</h2>
<input type="hidden" name="id" value="${typed.id ?? newId()}">
<label>消息类型<select name="kind">${options(kinds, typed.kind)}</select></label>
<label>标题（1-${maxLength.title} 字）<input name="title" value="${typed.title}" maxlength="${maxLength.title}" autocomplete="off" required></label>
<label>正文（1-${maxLength.body} 字）<textarea name="body" maxlength="${maxLength.body}" required>${typed.body}</textarea></label>
<label>点“去看看”打开的页面（/pages…，可不填）<input name="link" value="${typed.link}" maxlength="300" autocomplete="off" autocapitalize="none"></label>
<p class="hint">可以撤回：没收到的不再发，收到的不再显示；已经看过的无法收回。</p>
<button class="go">发给全部用户</button></form><h2>发过的消息</h2>${await sent(ctx)}`
}

const send: FormAction = async (ctx, _req, fields) => {
  const id = formIdOf(fields)
  const { kind = '', title = '', body = '', link = '' } = fields
  const text = messageOf({ kind, title, body, link })
  await logged(ctx, async (tx) =>
    (await broadcast(tx, { id, text, now: ctx.now }))
      ? { action: 'MESSAGE_ALL', subject: id, note: text.title }
      : undefined,
  )
  return { to: '/desk/messages', done: 'sending' }
}

const withdrawMessage: FormAction = async (ctx, req) => {
  const id = idOf(req)
  await logged(ctx, async (tx) => {
    const note = await withdraw(tx, id, ctx.now)
    if (note === undefined) throw new AppError('NOT_FOUND', { msg: '没有这条消息，或它已经撤回' })
    return { action: 'MESSAGE_WITHDRAW', subject: id, note }
  })
  return { to: '/desk/messages', done: 'changed' }
}

/** Messages from the staff to all users. */
export const registerMessages = (desk: Desk): void =>
  desk.page('/desk/messages', '消息', page, { '': send, ':id/withdraw': withdrawMessage })
