import { AppError, invalid } from '../core/app-error'
import { broadcast, maxLength, messageOf, sendToUser, withdraw } from '../domains/notifications/broadcasts'
import { newId } from '../domains/shared/secrets'
import { logDesk } from '../domains/staff/log'
import { type Html, html, options } from '../http/html'
import type { DeskContext, Fields } from './auth'
import { findUserByInput } from './find-user'
import { formatTime } from './format'
import { csrfInput } from './page'
import { type Desk, type FormAction, formIdOf, idOf, type Req } from './pages'
import { nothingFound, patternOf, searchForm, wordsOf } from './search'

const MAX_ROWS = 50
const kinds = { SYSTEM: '系统通知', ACTIVITY: '活动消息（只发给开启了“活动通知”的用户）' } as const
const targets = { ONE: '一位用户', ALL: '全部用户' } as const

const stateOf = ({ done_at, withdrawn_at }: { done_at: number | null; withdrawn_at: number | null }) =>
  withdrawn_at !== null ? '已撤回' : done_at === null ? '发送中' : '已发完'
const withdrawForm = (id: string, csrf: string) =>
  html`<form class="inline" method="post" action="/desk/messages/${id}/withdraw">${csrfInput(csrf)}<button class="link">撤回</button></form>`

/** Messages to all users with the words in title or body, newest first. */
async function sent({ deps: { db }, csrf }: DeskContext, words: string): Promise<Html> {
  const like = patternOf(words)
  const rows = await db
    .selectFrom('broadcasts')
    .selectAll()
    .where((e) => e.or([e('title', 'ilike', like), e('body', 'ilike', like)]))
    .orderBy('created_at', 'desc')
    .limit(MAX_ROWS)
    .execute()
  if (rows.length === 0 && words === '') return html`<p class="hint">还没有给全部用户发过消息。</p>`
  return html`${searchForm('标题或正文', words)}${rows.length === 0 && nothingFound}<div class="scroll card"><table><tr><th>时间</th><th>类型</th><th>标题</th><th>正文</th><th class="num">已送达</th><th>状态</th><th></th></tr>
${rows.map(
  (
    b,
  ) => html`<tr><td>${formatTime(b.created_at)}</td><td>${b.kind === 'SYSTEM' ? '系统通知' : '活动消息'}</td><td>${b.title}</td><td>${b.body}</td>
<td class="num">${b.sent}</td><td>${stateOf(b)}</td>
<td>${b.withdrawn_at === null && withdrawForm(b.id, csrf)}</td></tr>`,
)}</table></div>`
}

async function page(ctx: DeskContext, req: Req, typed: Fields = {}): Promise<Html> {
  return html`<form method="post" action="/desk/messages" class="card">${csrfInput(ctx.csrf)}<h2>发消息</h2>
<input type="hidden" name="id" value="${typed.id ?? newId()}">
<label>消息类型<select name="kind">${options(kinds, typed.kind)}</select></label>
<label>发给谁<select name="target">${options(targets, typed.target)}</select></label>
<label>手机号或用户 ID（发给一位用户时填）<input name="who" value="${typed.who}" autocomplete="off" autocapitalize="none"></label>
<label>标题（1-${maxLength.title} 字）<input name="title" value="${typed.title}" maxlength="${maxLength.title}" autocomplete="off" required></label>
<label>正文（1-${maxLength.body} 字）<textarea name="body" maxlength="${maxLength.body}" required>${typed.body}</textarea></label>
<label>点“去看看”打开的页面（/pages…，可不填）<input name="link" value="${typed.link}" maxlength="300" autocomplete="off" autocapitalize="none"></label>
<label class="check"><input type="checkbox" name="sure"${typed.sure !== undefined && html` checked`}>确认发给全部用户</label>
<p class="hint">发给全部用户的可以撤回：没收到的不再发，收到的不再显示；已经看过的无法收回。发给一位用户的不能撤回。</p>
<button class="go">发送</button></form><h2>发给全部用户的消息</h2>${await sent(ctx, wordsOf(req))}`
}

const send: FormAction = async (ctx, _req, fields) => {
  const { deps, staff, now } = ctx
  const id = formIdOf(fields)
  const { kind = '', title = '', body = '', link = '', target, who = '', sure } = fields
  const message = messageOf({ kind, title, body, link })
  const log = { staffId: staff.staffId, now }
  if (target === 'ALL') {
    if (who.trim() !== '') throw invalid([{ path: 'who', msg: '发给全部用户时不填手机号或用户 ID' }])
    if (sure === undefined) throw invalid([{ path: 'sure', msg: '请勾选确认发给全部用户' }])
    await deps.db.transaction().execute(async (tx) => {
      if (await broadcast(tx, { id, text: message, now }))
        await logDesk(tx, { ...log, action: 'MESSAGE_ALL', subject: id, note: message.title })
    })
    return { to: '/desk/messages', done: 'sending' }
  }
  if (target !== 'ONE') throw invalid([{ path: 'target', msg: '请选择发给谁' }])
  const userId = await findUserByInput(deps.db, who)
  await deps.db.transaction().execute(async (tx) => {
    // log without the message text, which may name the user: the log outlives the account
    if (await sendToUser(tx, { id, userId, text: message, now }))
      await logDesk(tx, { ...log, action: 'MESSAGE_ONE', subject: userId })
  })
  return { to: '/desk/messages', done: 'sent' }
}

const withdrawMessage: FormAction = async ({ deps, staff, now }, req) => {
  const id = idOf(req)
  await deps.db.transaction().execute(async (tx) => {
    const title = await withdraw(tx, id, now)
    if (title === undefined) throw new AppError('NOT_FOUND', { msg: '没有这条消息，或它已经撤回' })
    await logDesk(tx, { staffId: staff.staffId, now, action: 'MESSAGE_WITHDRAW', subject: id, note: title })
  })
  return { to: '/desk/messages', done: 'withdrawn' }
}

/** Messages from the staff to one user or to all. */
export function registerMessages(desk: Desk): void {
  desk.page('/desk/messages', '消息', (ctx, req) => page(ctx, req))
  desk.form('/desk/messages', '消息', send, page)
  desk.form('/desk/messages/:id/withdraw', '消息', withdrawMessage, (ctx, req) => page(ctx, req))
}
