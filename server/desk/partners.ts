import { sql } from 'kysely'
import { AppError } from '../app-error'
import { requireReason } from '../domains/market/held-sales'
import {
  addPartner,
  type Partner,
  type PartnerKey,
  rotateSecret,
  settleLevel,
} from '../domains/market/partners/partners'
import { removePartnerSale } from '../domains/market/partners/remove-sale'
import { logDesk } from '../domains/staff/log'
import { type Html, html } from '../http/html'
import type { DeskContext, Fields } from './auth'
import { formatTime } from './format'
import { csrfInput } from './page'
import { type Desk, type FormAction, idOf, type Req } from './pages'
import { hasWords, nothingFound, patternOf, searchForm, wordsOf } from './search'

const MAX_CALLS = 100

const button = (id: string, act: string, words: string, csrf: string) =>
  html`<form class="inline" method="post" action="/desk/partners/${id}/${act}">${csrfInput(csrf)}<button class="link">${words}</button></form> `

function row(p: Partner, { csrf }: DeskContext): Html {
  return html`<li class="row"><span><a href="/desk/partners/${p.partner_id}"><b>${p.name}</b></a>
<span class="tag${p.stopped_at !== null && ' warn'}">${p.stopped_at === null ? '在用' : '停用'}</span>${p.moved_level !== null && html` <span class="tag warn">${p.moved_level}</span>`}</span>
<small class="whole"><code>${p.partner_id}</code></small>
<div class="whole">${button(p.partner_id, 'rotate', '更换密钥', csrf)}${p.stopped_at === null ? button(p.partner_id, 'stop', '停用', csrf) : button(p.partner_id, 'resume', '启用', csrf)}</div></li>`
}

async function page(ctx: DeskContext, req: Req, typed: Fields = {}): Promise<Html> {
  const words = wordsOf(req)
  const all = await ctx.deps.db.selectFrom('partners').selectAll().orderBy('name').execute()
  const partners = all.filter(({ name, partner_id }) => hasWords(words, name, partner_id))
  return html`${all.length > 0 && searchForm('名称或公钥', words)}${all.length > partners.length && partners.length === 0 && nothingFound}<ul class="rows">${partners.map((p) => row(p, ctx))}</ul>
<form method="post" action="/desk/partners" class="card">${csrfInput(ctx.csrf)}<h2>新增合作方</h2>
<label>名称<input name="name" value="${typed.name}" maxlength="40" autocomplete="off" required></label><button class="go">新增</button>
<p class="hint">密钥只显示一次。接口与示例见 docs/partners.md。</p></form>`
}

/** Of a partner whose level has moved: its rows wait, and those stored are left out, until staff decide. */
const movedNote = ({ partner_id: id, moved_level: moved }: Partner, csrf: string) =>
  moved !== null &&
  html`<p class="note warn">${moved}。它的成交都待核，已存的不用于任何统计和训练。核对后${button(id, 'settle', '恢复使用', csrf)}</p>`

/** Calls, the newest first; the words are looked for in the reasons of refusals. */
async function calls({ deps: { db } }: DeskContext, req: Req, partnerId: string): Promise<Html> {
  const words = wordsOf(req)
  const before = /^\d{1,15}$/.test(String(req.query.before)) ? Number(req.query.before) : undefined
  const rows = await db
    .selectFrom('partner_calls')
    .selectAll()
    .where('partner_id', '=', partnerId)
    .$if(before !== undefined, (q) => q.where('id', '<', before ?? 0))
    .$if(words !== '', (q) => q.where(sql<boolean>`reasons::text ilike ${patternOf(words)}`))
    .orderBy('id', 'desc')
    .limit(MAX_CALLS + 1)
    .execute()
  const found = rows.slice(0, MAX_CALLS)
  const last = rows.length > MAX_CALLS ? found.at(-1) : undefined
  const older = last && `/desk/partners/${partnerId}?${new URLSearchParams({ q: words, before: String(last.id) })}`
  return html`${searchForm('在拒绝原因中查找', words)}
<div class="scroll card"><table><tr><th>时间</th><th class="num">行数</th><th class="num">接收</th><th class="num">已有</th><th class="num">待核</th><th class="num">拒绝</th><th>拒绝原因</th></tr>
${found.map(
  (c) => html`<tr><td>${formatTime(c.at)}</td><td class="num">${c.lines}</td><td class="num">${c.accepted}</td>
<td class="num">${c.known}</td><td class="num">${c.held}</td><td class="num">${c.refused}</td>
<td>${Object.entries(c.reasons).map(([reason, n]) => html`${reason} ×${n}<br>`)}</td></tr>`,
)}</table></div>${older && html`<p><a href="${older}">更早的</a></p>`}`
}

const find = async ({ deps: { db } }: DeskContext, partnerId: string): Promise<Partner> => {
  const partner = await db.selectFrom('partners').selectAll().where('partner_id', '=', partnerId).executeTakeFirst()
  if (!partner) throw new AppError('NOT_FOUND', { msg: '没有这个合作方' })
  return partner
}

async function one(ctx: DeskContext, req: Req, typed: Fields = {}): Promise<Html> {
  const partner = await find(ctx, idOf(req))
  return html`<p>${partner.name} <code>${partner.partner_id}</code></p>${movedNote(partner, ctx.csrf)}
<h2>更正成交</h2><form method="post" action="/desk/partners/${partner.partner_id}/remove" class="card">${csrfInput(ctx.csrf)}
<label>来源（source）<input name="source" value="${typed.source}" maxlength="128" autocomplete="off" required></label><label>编号（externalId）<input name="externalId" value="${typed.externalId}" maxlength="128" autocomplete="off" required></label>
<label>理由<input name="note" value="${typed.note}" maxlength="200" autocomplete="off" required></label><button>移除这一条</button>
<p class="hint">移除后，合作方再发这一条时按新内容接收。</p></form><h2>请求记录</h2>${await calls(ctx, req, partner.partner_id)}`
}

const shownOnce = ({ key, secret }: PartnerKey): Html => html`<p class="note good" role="status">密钥只显示这一次：</p>
<p>X-Partner-Key <code>${key}</code></p><p>密钥 <code>${secret}</code></p><p><a href="/desk/partners">返回合作方</a></p>`

const add: FormAction = async ({ deps, staff, now }, _req, { name = '' }) => {
  const made = await deps.db.transaction().execute(async (tx) => {
    const key = await addPartner(tx, deps.encryption, name, now)
    await logDesk(tx, { staffId: staff.staffId, action: 'PARTNER_ADD', now, subject: key.key, note: name.trim() })
    return key
  })
  return { body: shownOnce(made) }
}

const change: FormAction = async (ctx, req, { source = '', externalId = '', note = '' }) => {
  const { deps, staff, now } = ctx
  const partner = await find(ctx, idOf(req))
  const log = { staffId: staff.staffId, now, subject: partner.partner_id, note: partner.name }
  const { act } = req.params
  if (act === 'rotate') {
    const made = await deps.db.transaction().execute(async (tx) => {
      await logDesk(tx, { ...log, action: 'PARTNER_RENEW' })
      return rotateSecret(tx, deps.encryption, partner.partner_id)
    })
    return { body: shownOnce(made) }
  }
  await deps.db.transaction().execute(async (tx) => {
    if (act === 'stop' || act === 'resume') {
      const stopped = tx.updateTable('partners').set({ stopped_at: act === 'stop' ? now : null })
      await stopped.where('partner_id', '=', partner.partner_id).execute()
      await logDesk(tx, { ...log, action: act === 'stop' ? 'PARTNER_STOP' : 'PARTNER_RESUME' })
    } else if (act === 'settle') {
      await settleLevel(tx, partner.partner_id)
      await logDesk(tx, { ...log, action: 'PARTNER_SETTLE' })
    } else if (act === 'remove') {
      const sale = { source: source.trim(), externalId: externalId.trim() }
      const reason = requireReason(note)
      if (!(await removePartnerSale(tx, partner.partner_id, sale, now)))
        throw new AppError('NOT_FOUND', { msg: '这个合作方没有这一条成交，请核对来源与编号' })
      await logDesk(tx, { ...log, action: 'PARTNER_SALE', note: `${sale.source} ${sale.externalId}：${reason}` })
    } else throw new AppError('NOT_FOUND')
  })
  return {
    to: act === 'remove' || act === 'settle' ? `/desk/partners/${partner.partner_id}` : '/desk/partners',
    done: 'changed',
  }
}

/** Partners that send sales: keys, calls, and how their prices compare with the market. */
export function registerPartners(desk: Desk): void {
  desk.page('/desk/partners', '合作方', page)
  desk.form('/desk/partners', '合作方', add, page)
  desk.page('/desk/partners/:id', '合作方', (ctx, req) => one(ctx, req))
  desk.form('/desk/partners/:id/:act', '合作方', change, one)
}
