import { feedbackStatusText, feedbackTypeText } from '@/contract/labels'
import { AppError } from '../core/app-error'
import { receiveFeedback, replyFeedback } from '../domains/accounts/feedback'
import { type Html, html } from '../http/html'
import { type DeskContext, type Fields, logged } from './auth'
import { formatTime } from './format'
import { csrfInput } from './page'
import { type Desk, type FormAction, idOf, type Req } from './pages'

const MAX_ROWS = 100

const rows = ({ deps: { db } }: DeskContext) =>
  db.selectFrom('feedback').innerJoin('users', 'users.id', 'feedback.user_id').selectAll('feedback').select('nickname')

type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]

const typeOf = ({ type }: Row) => feedbackTypeText[type as keyof typeof feedbackTypeText] ?? feedbackTypeText[6]

const item = (f: Row): Html => html`<li><a class="row" data-row href="/desk/feedback/${f.id}">
<span><b>${typeOf(f)}</b> <span class="tag">${feedbackStatusText[f.status]}</span></span><span class="end">${formatTime(f.created_at)}</span>
<small>${f.nickname}：${f.content.slice(0, 80)}</small></a></li>`

/** Feedback without a reply, oldest first, then the latest replies. */
async function list(ctx: DeskContext): Promise<Html> {
  const waiting = await rows(ctx)
    .where('status', '<>', 'REPLIED')
    .orderBy('feedback.created_at')
    .limit(MAX_ROWS)
    .execute()
  const over = await rows(ctx).where('status', '=', 'REPLIED').orderBy('replied_at', 'desc').limit(20).execute()
  return html`<h2>待回复（${waiting.length}）</h2><ul class="rows">${waiting.map(item)}</ul>
${over.length > 0 && html`<h2>最近已回复</h2><ul class="rows">${over.map(item)}</ul>`}`
}

async function feedbackPage(ctx: DeskContext, req: Req, typed: Fields = {}): Promise<Html> {
  const { deps, staff, now, csrf } = ctx
  const f = await rows(ctx).where('feedback.id', '=', idOf(req)).executeTakeFirst()
  if (!f) throw new AppError('NOT_FOUND', { msg: '没有这条反馈' })
  const pictures = await Promise.all(f.images.map((key) => deps.providers.storage.readUrl(key, now)))
  // often a phone number: only for roles that may call users
  const contact =
    f.contact_sealed !== null && staff.role === 'ADMIN' && deps.encryption.decrypt(f.contact_sealed, f.user_id)
  return html`<p class="hint"><a href="/desk/feedback" data-key="u">返回反馈</a> <kbd>u</kbd></p><div class="card"><dl>
<dt>类型</dt><dd>${typeOf(f)} <span class="tag">${feedbackStatusText[f.status]}</span></dd>
<dt>用户</dt><dd>${f.nickname} · ${formatTime(f.created_at)}</dd>${contact && html`<dt>联系方式</dt><dd>${contact}</dd>`}
<dt>内容</dt><dd>${f.content}</dd>${f.reply !== null && html`<dt>回复</dt><dd>${f.reply}</dd>`}</dl></div>
${pictures.length > 0 && html`<div class="pictures">${pictures.map((url, i) => html`<img src="${url}" alt="反馈图片 ${i + 1}">`)}</div>`}
${
  f.status === 'SUBMITTED' &&
  html`<form method="post" action="/desk/feedback/${f.id}/take" class="card">${csrfInput(csrf)}<button data-key="t">受理</button> <kbd>t</kbd></form>`
}${
  f.status !== 'REPLIED' &&
  html`<form method="post" action="/desk/feedback/${f.id}/reply" class="card">${csrfInput(csrf)}<label>回复（用户可见，1-500 字）<kbd>i</kbd>
<textarea name="reply" maxlength="500" required data-key="i">${typed.reply}</textarea></label><button class="go">回复</button></form>`
}`
}

const take: FormAction = async (ctx, req) => {
  const id = idOf(req)
  await logged(ctx, async (tx) => {
    if (!(await receiveFeedback(tx, id))) throw new AppError('ORDER_STATUS_CHANGED', { msg: '这条反馈已有人受理' })
    return { action: 'FEEDBACK_TAKE', subject: id }
  })
  return { to: `/desk/feedback/${id}`, done: 'changed' }
}

const reply: FormAction = async (ctx, req, fields) => {
  const id = idOf(req)
  await logged(ctx, async (tx) => {
    await replyFeedback(tx, { id, reply: (fields.reply ?? '').replaceAll('\r\n', '\n'), now: ctx.now })
    return { action: 'FEEDBACK_REPLY', subject: id }
  })
  return { to: '/desk/feedback', done: 'sent' }
}

/** Users' feedback and the staff's replies. */
export function registerFeedback(desk: Desk): void {
  desk.page('/desk/feedback', '用户反馈', list)
  desk.page('/desk/feedback/:id', '用户反馈', feedbackPage, { take, reply })
}
