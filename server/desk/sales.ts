import { type Selectable, sql } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import { labelOf } from '@/contract/form/validate'
import { AppError, invalid } from '../core/app-error'
import { SYNTHETIC } from '../db/sales'
import type { HeldSales } from '../db/tables'
import { thankFor } from '../domains/market/follow-ups/sale-follow-up'
import { decideHeld, holdReasonText, openSales, saleChannelText } from '../domains/market/held-sales'
import { isSale, withdrawSales } from '../domains/models/sales/withdrawn-sales'
import { type Html, html } from '../http/html'
import { type DeskContext, type Fields, logged } from './auth'
import { dayOf, formatTime, yuan } from './format'
import { csrfInput } from './page'
import { type Desk, type FormAction, idOf, type Req } from './pages'
import { patternOf, searchForm, wordsOf } from './search'

const MAX_ROWS = 100
const MAX_FACTS = 8

/** The most informative answers about the account. */
function facts(config: FormConfig | undefined, answers: Answers): string {
  const fields = config?.fields.filter(({ key, role }) => answers[key] !== undefined && role !== 'none') ?? []
  return fields
    .slice(0, MAX_FACTS)
    .map((field) => `${field.label} ${config ? labelOf(config, field, answers[field.key]) : ''}`)
    .join('；')
}

type Held = Selectable<HeldSales>

interface Shown {
  config: FormConfig | undefined
  csrf: string
  picture: string | null | undefined
}

/** A held sale: price and reason, then what it is compared with and where it is from, then the account and the decision. */
function row(h: Held, { config, csrf, picture }: Shown): Html {
  const market =
    h.market_fen === null
      ? '模型无法比较'
      : `模型认为 ${yuan(h.market_fen)}（${(h.price_fen / h.market_fen).toFixed(2)} 倍）`
  const from = h.channel === 'FOLLOW_UP' ? [] : [h.source, h.external_id]
  const shown =
    picture &&
    html`<div class="pictures"><a href="${picture}" target="_blank" rel="noreferrer"><img src="${picture}" alt="成交截图" loading="lazy"></a></div>`
  return html`<li class="row"><span><b>${yuan(h.price_fen)}</b> <span class="tag">${h.kind === 'SOLD' ? '成交' : '挂牌'}</span>
<span class="tag warn">${holdReasonText[h.reason]}</span> ${h.detail}</span><small class="end">到达 ${formatTime(h.held_at)}</small>
<small class="whole">${market} · ${config?.name ?? h.game_id} · ${dayOf(h.at)} · ${[saleChannelText[h.channel], ...from].join(' ')}</small>
<div class="whole">${facts(config, h.attributes)}${shown}</div>
<form class="whole" method="post" action="/desk/sales/${h.id}">${csrfInput(csrf)}<button name="decision" value="ACCEPTED">采用</button> <button name="decision" value="REFUSED">不采用</button></form></li>`
}

async function queue({ deps, csrf, now }: DeskContext, req: Req): Promise<Html> {
  const configs = new Map((await deps.repositories.games.all()).map(({ config }) => [config.gameId, config]))
  const source = wordsOf(req)
  const open = openSales(deps.db).selectAll('held_sales').where('source', 'ilike', patternOf(source))
  const told = open.leftJoin('sale_followups as f', 'f.sale_id', 'held_sales.external_id').select('f.image')
  const rows = await told.limit(MAX_ROWS).execute()
  // links that expire soon
  const pictures = await Promise.all(rows.map(({ image }) => image && deps.providers.storage.readUrl(image, now)))
  return html`${searchForm('来源', source)}${rows.length === 0 && html`<p class="note good">没有待核的成交。</p>`}
<ul class="rows">${rows.map((h, i) => row(h, { config: configs.get(h.game_id), csrf, picture: pictures[i] }))}</ul>
<form method="post" action="/desk/sales/source" class="card">${csrfInput(csrf)}<h2>按来源处理</h2>
<label>来源<input name="source" value="${source}" maxlength="128" autocomplete="off" required></label>
<button name="decision" value="ACCEPTED">全部采用</button> <button name="decision" value="REFUSED">全部不采用</button>
<p class="hint">一次最多显示 ${MAX_ROWS} 条、处理 5,000 条待核的成交，最早的在前。</p></form>${removalForm(csrf)}`
}

const removalForm = (csrf: string) =>
  html`<form method="post" action="/desk/sales/remove" class="card">${csrfInput(csrf)}<h2>移除一条成交</h2>
<label>来源（source）<input name="source" maxlength="128" autocomplete="off" required></label><label>编号（externalId）<input name="externalId" maxlength="128" autocomplete="off" required></label><button>移除</button>
<p class="hint">合作方或导入的成交。移除后，再发或再导入这一条时按新内容接收。</p></form>`

const remove: FormAction = async (ctx, _, { source = '', externalId = '' }) => {
  const sale = { source: source.trim(), externalId: externalId.trim() }
  await logged(ctx, async (tx) => {
    const isNamed = sql<boolean>`(channel in ('PARTNER', 'IMPORT') and source <> ${SYNTHETIC} and ${isSale(sale)})`
    if ((await withdrawSales(tx, isNamed, ctx.now)) === 0)
      throw new AppError('NOT_FOUND', { msg: '没有这一条成交，请核对来源与编号' })
    return { action: 'SALE_REMOVE', subject: `${sale.source} ${sale.externalId}` }
  })
  return { to: '/desk/sales', done: 'changed' }
}

const decide: FormAction = async (ctx, req, fields: Fields) => {
  const [id, source] = [idOf(req), (fields.source ?? '').trim()]
  const isSource = id === 'source'
  const which = isSource
    ? sql<boolean>`(source = ${source})`
    : sql<boolean>`(held_sales.id = ${/^\d{1,15}$/.test(id) ? Number(id) : 0}::bigint)`
  const made = fields.decision
  if (made !== 'ACCEPTED' && made !== 'REFUSED') throw invalid([{ path: 'decision', msg: '请选择采用或不采用' }])
  await logged(ctx, async (tx) => {
    const sales = await decideHeld(tx, which, made, ctx.now)
    for (const sale of sales)
      if (made === 'ACCEPTED' && sale.channel === 'FOLLOW_UP') await thankFor(tx, sale.external_id, ctx.now)
    const price = sales.map((sale) => `${sale.game_id} ${yuan(sale.price_fen)}`)[0]
    const subject = isSource ? `${source} ×${sales.length}` : price
    return { action: made === 'ACCEPTED' ? 'SALE_ACCEPT' : 'SALE_REFUSE', subject }
  })
  return { to: '/desk/sales', done: 'changed' }
}

/** The sales that wait for a decision. */
export const registerSales = (desk: Desk): void =>
  desk.page('/desk/sales', '待核的成交', queue, { remove, ':id': decide })
