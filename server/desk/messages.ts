import { invalid } from '../refusal'
import { newId } from '../rooms/secrets'
import { logDesk } from '../rooms/staff/log'
import { messageOf, most, tellAll, tellOne } from '../rooms/user/broadcasts'
import type { Fields, Visit } from './door'
import { type Html, html, options } from './html'
import { proof } from './page'
import { type Act, type Desk, formIdOf } from './pages'
import { adminOnly } from './reach'
import { userTyped } from './who'
import { moment } from './words'

const MOST = 50
const kinds = { SYSTEM: '系统通知', ACTIVITY: '活动消息（只发给开启了“活动通知”的用户）' } as const
const targets = { ONE: '一位用户', ALL: '全部用户' } as const

/** What went to all users, the newest first. */
async function sent({ deps: { db } }: Visit): Promise<Html> {
  const rows = await db.selectFrom('broadcasts').selectAll().orderBy('created_at', 'desc').limit(MOST).execute()
  if (rows.length === 0) return html`<p class="hint">还没有给全部用户发过消息。</p>`
  return html`<div class="scroll card"><table><tr><th>时间</th><th>类型</th><th>标题</th><th>正文</th><th class="num">已送达</th><th>状态</th></tr>
${rows.map(
  (
    b,
  ) => html`<tr><td>${moment(b.created_at)}</td><td>${b.kind === 'SYSTEM' ? '系统通知' : '活动消息'}</td><td>${b.title}</td><td>${b.body}</td>
<td class="num">${b.sent}</td><td>${b.done_at === null ? '发送中' : '已发完'}</td></tr>`,
)}</table></div>`
}

async function page(visit: Visit, typed: Fields = {}): Promise<Html> {
  adminOnly(visit.staff)
  return html`<form method="post" action="/desk/messages" class="card">${proof(visit.csrf)}<h2>发消息</h2>
<input type="hidden" name="id" value="${typed.id ?? newId()}">
<label>消息类型<select name="kind">${options(kinds, typed.kind)}</select></label>
<label>发给谁<select name="target">${options(targets, typed.target)}</select></label>
<label>手机号或用户 ID（发给一位用户时填）<input name="who" value="${typed.who}" autocomplete="off" autocapitalize="none"></label>
<label>标题（1-${most.title} 字）<input name="title" value="${typed.title}" maxlength="${most.title}" autocomplete="off" required></label>
<label>正文（1-${most.body} 字）<textarea name="body" maxlength="${most.body}" required>${typed.body}</textarea></label>
<label>点“去看看”打开的页面（/pages…，可不填）<input name="link" value="${typed.link}" maxlength="300" autocomplete="off" autocapitalize="none"></label>
<label class="check"><input type="checkbox" name="sure"${typed.sure !== undefined && html` checked`}>确认发给全部用户，发出后不能撤回</label>
<button class="go">发送</button></form><h2>发给全部用户的消息</h2>${await sent(visit)}`
}

const send: Act = async (visit, _req, fields) => {
  const { deps, staff, now } = visit
  adminOnly(staff)
  const id = formIdOf(fields)
  const { kind = '', title = '', body = '', link = '', target, who = '', sure } = fields
  const told = messageOf({ kind, title, body, link })
  const log = { staffId: staff.staffId, now, note: told.title }
  if (target === 'ALL') {
    if (who.trim() !== '') throw invalid([{ path: 'who', msg: '发给全部用户时不填手机号或用户 ID' }])
    if (sure === undefined) throw invalid([{ path: 'sure', msg: '请勾选确认发给全部用户' }])
    await deps.db.transaction().execute(async (tx) => {
      if (await tellAll(tx, { id, told, now })) await logDesk(tx, { ...log, action: 'MESSAGE_ALL', subject: id })
    })
    return { to: '/desk/messages', done: 'sending' }
  }
  if (target !== 'ONE') throw invalid([{ path: 'target', msg: '请选择发给谁' }])
  const userId = await userTyped(deps.db, who)
  await deps.db.transaction().execute(async (tx) => {
    if (await tellOne(tx, { id, userId, told, now }))
      await logDesk(tx, { ...log, action: 'MESSAGE_ONE', subject: userId })
  })
  return { to: '/desk/messages', done: 'sent' }
}

/** What the staff tells users: one of them, or all. */
export function registerMessages(desk: Desk): void {
  desk.page('/desk/messages', '消息', (visit) => page(visit))
  desk.form('/desk/messages', '消息', send, (visit, _req, typed) => page(visit, typed))
}
