import type { FastifyReply } from 'fastify'
import { type DeskRole, deskRoles } from '../domains/staff/accounts'
import type { DeskStaff } from '../domains/staff/sessions'
import { type Html, html } from '../http/html'

/** Confirmations shown after a redirect; the URL carries only the key. */
const done = {
  took: '已接单，请核对资料后估价',
  asked: '已请用户补充资料',
  committed: '首次估价已保存，现在可以看 AI 的价格',
  drafted: '草稿已保存',
  delivered: '报告已交付',
  opined: '您的估价已保存，等待另一位估价师',
  apart: '两位的估价相差超过 20%，等待第三位估价师',
  granted: '已同意退款，款项将原路退回',
  refused: '已拒绝退款并告知用户',
  sent: '已发送',
  sending: '已开始发送，全部送达约需几分钟',
  changed: '已保存',
  allowed: '已放行，将在一分钟内退款',
} as const
export type Done = keyof typeof done

export interface PageOptions {
  title: string
  body: Html
  staff?: DeskStaff
  /** CSRF token of the session */
  csrf?: string
  path?: string
  error?: string | undefined
  /** from the query string: untrusted */
  done?: unknown
}

const links = [
  { href: '/desk', name: '订单', roles: ['APPRAISER', 'ADMIN'] },
  { href: '/desk/orders', name: '查找', roles: ['APPRAISER', 'ADMIN'] },
  { href: '/desk/chat', name: '咨询', roles: deskRoles },
  { href: '/desk/feedback', name: '反馈', roles: deskRoles },
  { href: '/desk/operations', name: '运行', roles: ['ADMIN'] },
  { href: '/desk/content', name: '内容', roles: ['ADMIN'] },
  { href: '/desk/coupons', name: '优惠券', roles: ['ADMIN'] },
  { href: '/desk/messages', name: '消息', roles: ['ADMIN'] },
  { href: '/desk/sales', name: '成交', roles: ['ADMIN'] },
  { href: '/desk/models', name: '模型', roles: ['ADMIN'] },
  { href: '/desk/partners', name: '合作方', roles: ['ADMIN'] },
  { href: '/desk/log', name: '操作记录', roles: ['ADMIN'] },
  { href: '/desk/staff', name: '账号', roles: ['ADMIN'] },
] as const satisfies { href: string; name: string; roles: readonly DeskRole[] }[]

/** Hidden CSRF field, required in every form of a signed-in page. */
export const csrfInput = (csrf: string): Html => html`<input type="hidden" name="csrf" value="${csrf}">`

/** A file input with a Chinese label: the browser's own button uses the language of the system. */
export const pictureInput = (words: string): Html => html`<div class="file"><label><span class="hint">${words}</span>
<input type="file" name="picture" accept="image/jpeg,image/png,image/webp"><span class="file-button">选择图片</span></label>
<output data-file>未选择图片</output></div>`

/** The page of the navigation that a path belongs to; an order belongs to the queue. */
function currentOf(path: string): string | undefined {
  if (/^\/desk\/orders\/./.test(path)) return '/desk'
  return links
    .map(({ href }) => href)
    .find((href) => path === href || (href !== '/desk' && path.startsWith(`${href}/`)))
}

const nav = (staff: DeskStaff, csrf: string, path: string) => {
  const current = currentOf(path)
  return html`<nav aria-label="工作台">
${links
  .filter(({ roles }) => roles.some((role) => role === staff.role))
  .map(({ href, name }) => html`<a href="${href}"${href === current && html` aria-current="page"`}>${name}</a>`)}
<span class="who">${staff.nick} ${staff.no}</span><a href="/desk/password">改密码</a>
<form method="post" action="/desk/logout">${csrfInput(csrf)}<button class="link">退出</button></form></nav>`
}

const noticeText = (key: unknown) =>
  typeof key === 'string' && Object.hasOwn(done, key) ? done[key as Done] : undefined

function documentOf({ title, body, staff, csrf = '', path = '', error, done: key }: PageOptions): Html {
  const good = noticeText(key)
  return html`<!doctype html><html lang="zh-CN"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
<title>${title} · 估价工作台</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/desk/desk.css">
<script src="/desk/desk.js" defer></script></head><body><header><a class="home" href="/desk">估价工作台</a>
${staff?.sandbox && html`<span class="tag warn">沙箱</span>`}${staff && !staff.mustChange && nav(staff, csrf, path)}</header>
<main><h1>${title}</h1>${error && html`<p class="note bad" role="alert" tabindex="-1" data-first>${error}</p>`}
${good && html`<p class="note good" role="status">${good}</p>`}${body}</main></body></html>`
}

/** Sends a page of the desk, marked as not cacheable. */
export const show = (reply: FastifyReply, shown: PageOptions, status = 200) =>
  reply.code(status).type('text/html; charset=utf-8').send(documentOf(shown).text)
