import { chatTypeText } from '@/contract/labels'
import { type Conversation, conversation, conversations, markRead, noReply, replyChat } from '../domains/chat/desk'
import { newId } from '../domains/shared/secrets'
import { type Html, html } from '../http/html'
import { type DeskContext, type Fields, logged } from './auth'
import { formatTime } from './format'
import { csrfInput, pictureInput } from './page'
import { type Desk, type FormAction, idOf, type Req } from './pages'

type Row = Awaited<ReturnType<typeof conversations>>[number]
type Message = Conversation['messages'][number]

const item = (c: Row): Html => html`<li><a class="row" data-row href="/desk/chat/${c.user_id}">
<span><b>${c.nickname}</b> ${c.unread > 0 && html`<span class="tag warn">${c.unread} 条未读</span>`}
${c.waiting_since !== null && html`<span class="tag">待回复</span>`}</span><span class="end">${formatTime(c.at)}</span>
<small>${c.sender === 'STAFF' && '我们：'}${(c.body || `［${chatTypeText[c.type]}］`).slice(0, 80)}</small></a></li>`

/** Conversations awaiting an answer, the longest wait first. */
async function list({ deps }: DeskContext): Promise<Html> {
  const rows = await conversations(deps.db)
  const waiting = rows.filter((c) => c.waiting_since !== null)
  const others = rows.filter((c) => c.waiting_since === null)
  return html`<div data-live="/desk/chat"><h2>待回复（${waiting.length}）</h2><ul class="rows">${waiting.map(item)}</ul>
${others.length > 0 && html`<h2>其他会话</h2><ul class="rows">${others.map(item)}</ul>`}</div>`
}

async function contentOf({ deps, now, staff }: DeskContext, m: Message): Promise<Html | string> {
  if (m.image !== null) {
    const url = await deps.providers.storage.readUrl(m.image, now)
    return html`<a href="${url}" target="_blank" rel="noreferrer"><img src="${url}" alt="${m.sender === 'USER' ? '用户发来的图片' : '发给用户的图片'}"></a>`
  }
  const { card } = m
  if (card === null) return m.body
  const words = `${chatTypeText[m.type]}：${card.title || card.gameName}（${card.statusText}）`
  // appraisers ask about their own orders; another's answers 404
  return staff.role !== 'CONSULTANT' ? html`<a href="/desk/orders/${card.orderId}">${words}</a>` : words
}

const who = (m: Message, nickname: string) =>
  m.sender === 'USER' ? nickname : m.sender === 'STAFF' ? (m.nick ?? '客服') : '系统'

/**
 * Messages, oldest first.
 * @param user the one who asks; `user_seq`: how far they have read, where it is known
 * @param url the page that shows these messages; the script polls it, also on the answer to a refused form
 */
export async function messageList(
  ctx: DeskContext,
  all: readonly Message[],
  { nickname, user_seq }: { nickname: string; user_seq?: number },
  url: string,
): Promise<Html> {
  const lines = await Promise.all(
    all.map(async (m) => {
      const seen = m.sender === 'STAFF' && user_seq !== undefined && html` · ${m.seq <= user_seq ? '已读' : '未读'}`
      return html`<li class="said ${m.sender.toLowerCase()}"><small>${who(m, nickname)} · ${formatTime(m.at)}${seen}</small>
<div>${await contentOf(ctx, m)}</div></li>`
    }),
  )
  return html`<ol class="talk" data-live="${url}">${lines}</ol>`
}

async function chatPage(ctx: DeskContext, req: Req, typed: Fields = {}): Promise<Html> {
  const userId = idOf(req)
  const { deps, csrf } = ctx
  const chat = await conversation(deps.db, userId)
  await markRead(deps.db, userId, chat.messages.at(-1)?.seq ?? 0)
  return html`<p class="hint"><a href="/desk/chat" data-key="u">返回咨询</a> <kbd>u</kbd> · ${chat.nickname}</p>
${await messageList(ctx, chat.messages, chat, `/desk/chat/${userId}`)}
<form method="post" action="/desk/chat/${userId}/reply" enctype="multipart/form-data" class="card">${csrfInput(csrf)}
<input type="hidden" name="id" value="${typed.id ?? newId()}">
<label>回复（用户可见，1-500 字；不要索要密码、验证码，不要引导到站外）<kbd>i</kbd>
<textarea name="text" maxlength="500" data-key="i">${typed.text}</textarea></label>
${pictureInput('图片（可选，jpg、png 或 webp，不超过 10 MB）')}
<button class="go">发送</button></form>
${
  chat.waiting_since !== null &&
  html`<form method="post" action="/desk/chat/${userId}/done" class="card">${csrfInput(csrf)}<button>无需回复</button></form>`
}`
}

const reply: FormAction = async (ctx, req, fields) => {
  const { deps, staff, now, picture } = ctx
  const userId = idOf(req)
  const { id: clientId = '', text = '' } = fields
  // also before a picture is stored
  await conversation(deps.db, userId)
  const image = picture && (await deps.providers.storage.put(userId, picture, now))
  await logged(ctx, async (tx) => {
    const words = text.replaceAll('\r\n', '\n')
    const isSent = await replyChat(tx, { userId, staff, text: words, image, clientId, now })
    return isSent ? { action: 'CHAT_REPLY', subject: userId } : undefined
  })
  return { to: `/desk/chat/${userId}`, done: 'sent' }
}

const leave: FormAction = async (ctx, req) => {
  const userId = idOf(req)
  await logged(ctx, async (tx) => ((await noReply(tx, userId)) ? { action: 'CHAT_DONE', subject: userId } : undefined))
  return { to: '/desk/chat', done: 'changed' }
}

/** Chat with users, answered by any signed-in member of the staff. */
export function registerChat(desk: Desk): void {
  desk.page('/desk/chat', '咨询', list)
  desk.page('/desk/chat/:id', '咨询', chatPage, { reply, done: leave })
}
