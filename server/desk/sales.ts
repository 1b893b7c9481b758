import type { Answers, FormConfig } from '@/contract/form/types'
import { labelOf } from '@/contract/form/validate'
import { percent } from '@/contract/format'
import { invalid } from '../app-error'
import { SYNTHETIC } from '../db/sales'
import { reviewFollowUp, saleScreenshots } from '../domains/followups/sale-follow-up'
import {
  decideOne,
  decideSource,
  heldSales,
  holdReasonText,
  type ReviewDecision,
  requireReason,
  type SourceQuality,
  saleChannelText,
  withWaiting,
} from '../domains/market/held-sales'
import { logDesk } from '../domains/staff/log'
import { type Html, html } from '../http/html'
import type { DeskContext, Fields } from './auth'
import { dayOf, formatTime, percentOfLogRatio, yuan } from './format'
import { csrfInput } from './page'
import { type Desk, type FormAction, idOf, type Req } from './pages'
import { hasWords, nothingFound, positionOf, searchForm, wordsOf } from './search'

const MAX_ROWS = 100
const MAX_SOURCES = 500
const MAX_FACTS = 8

const configsOf = async ({ deps }: DeskContext): Promise<Map<string, FormConfig>> =>
  new Map((await deps.games.all()).map(({ config }) => [config.gameId, config]))

/** Own sources have one channel each; those of partners and imports have names. */
const sourceText = ({ channel, source }: Pick<SourceQuality, 'channel' | 'source'>) => {
  if (source === SYNTHETIC) return '合成'
  const isNamed = channel === 'PARTNER' || channel === 'IMPORT'
  return isNamed ? `${saleChannelText[channel]} ${source}` : saleChannelText[channel]
}

async function quality(ctx: DeskContext, req: Req): Promise<Html> {
  const games = await configsOf(ctx)
  const words = wordsOf(req)
  const nameOf = (gameId: string) => games.get(gameId)?.name ?? gameId
  const { db, publicStatistics } = ctx.deps
  const found = (await withWaiting(db, await publicStatistics.salesQuality())).filter((row) =>
    hasWords(words, nameOf(row.gameId), sourceText(row)),
  )
  const rows = found.slice(0, MAX_SOURCES)
  return html`<p><a href="/desk/sales/queue">待核的成交</a></p>${searchForm('游戏或来源', words)}${rows.length === 0 && nothingFound}
${rows.length < found.length && html`<p class="hint">共 ${found.length} 个来源，只显示前 ${rows.length} 个。</p>`}<div class="scroll card"><table>
<tr><th>游戏</th><th>来源</th><th class="num">记录</th><th class="num">近 30 天</th><th>最新</th><th class="num">相对行情</th><th class="num">漂移</th><th class="num">异常</th><th class="num">待核</th></tr>
${rows.map(
  (r) => html`<tr><td>${nameOf(r.gameId)}</td><td>${sourceText(r)}</td><td class="num">${r.n}</td>
<td class="num">${r.recent}</td><td class="day">${r.newest !== null && dayOf(Number(r.newest))}</td><td class="num">${r.shift !== null && percentOfLogRatio(r.shift)}</td><td class="num">${r.drift !== null && percentOfLogRatio(r.drift)}</td>
<td class="num">${r.outliers !== null && percent(r.outliers)}</td><td class="num">${r.waiting}</td></tr>`,
)}</table></div><p class="hint">相对行情：到达时的价格与当时模型之比的中位数。漂移：近 30 天的相对行情与之前相差多少。异常：高于两倍或低于一半的比例。待核是现在的数，其余最多是半小时前的。</p>`
}

/** The most informative answers about the account. */
function facts(config: FormConfig | undefined, answers: Answers): string {
  const fields = config?.fields.filter(({ key, role }) => answers[key] !== undefined && role !== 'none') ?? []
  return fields
    .slice(0, MAX_FACTS)
    .map((field) => `${field.label} ${config ? labelOf(config, field, answers[field.key]) : ''}`)
    .join('；')
}

type Held = Awaited<ReturnType<typeof heldSales>>[number]

const decision = (
  h: Held,
  csrf: string,
) => html`<form class="decide" method="post" action="/desk/sales/${h.id}">${csrfInput(csrf)}
<label>理由<input name="note" maxlength="200" autocomplete="off" required></label>
<button name="decision" value="ACCEPTED">采用</button> <button name="decision" value="REFUSED">不采用</button></form>`

const outcome = (h: Held) =>
  html`${h.decision === 'ACCEPTED' ? '已采用' : '未采用'} ${h.nick} ${formatTime(h.decided_at ?? 0)}<br>${h.note}`

/** Links of the pictures that owners added to reports still to be decided, by external id; they expire soon. */
async function picturesOf({ deps: { db, storage }, now }: DeskContext, held: readonly Held[]) {
  const followUps = held.filter(({ channel, decided_at }) => channel === 'FOLLOW_UP' && decided_at === null)
  const keys = await saleScreenshots(
    db,
    followUps.map(({ external_id }) => external_id),
  )
  return new Map(await Promise.all([...keys].map(async ([id, key]) => [id, await storage.readUrl(key, now)] as const)))
}

const screenshot = (url: string) =>
  html`<div class="pictures"><a href="${url}" target="_blank" rel="noreferrer"><img src="${url}" alt="成交截图" loading="lazy"></a></div>`

interface Shown {
  config: FormConfig | undefined
  csrf: string
  picture: string | undefined
}

/** A held sale: price and reason, then what it is compared with and where it is from, then the account and the decision. */
function row(h: Held, { config, csrf, picture }: Shown): Html {
  const market =
    h.market_fen === null
      ? '模型无法比较'
      : `模型认为 ${yuan(h.market_fen)}（${(h.price_fen / h.market_fen).toFixed(2)} 倍）`
  const from = h.channel === 'FOLLOW_UP' ? [] : [h.source, h.external_id]
  return html`<li class="row"><span><b>${yuan(h.price_fen)}</b> <span class="tag">${h.kind === 'SOLD' ? '成交' : '挂牌'}</span>
<span class="tag warn">${holdReasonText[h.reason]}</span> ${h.detail}</span><small class="end">到达 ${formatTime(h.held_at)}</small>
<small class="whole">${market} · ${config?.name ?? h.game_id} · ${dayOf(h.at)} · ${[saleChannelText[h.channel], ...from].join(' ')}</small>
<div class="whole">${facts(config, h.attributes)}${picture !== undefined && screenshot(picture)}</div>
<div class="whole">${h.decided_at === null ? decision(h, csrf) : outcome(h)}</div></li>`
}

function searchOf(req: Req) {
  const from = positionOf(req.query.from)
  return {
    q: wordsOf(req),
    decided: req.query.decided === '1',
    from: from && /^\d{1,18}$/.test(from.id) ? from : undefined,
  }
}

/** The rows after the last one shown. */
function nextPage({ q, decided }: ReturnType<typeof searchOf>, { id, held_at, decided_at }: Held): Html {
  const from = `${decided ? decided_at : held_at}-${id}`
  const url = `/desk/sales/queue?${new URLSearchParams({ q, ...(decided && { decided: '1' }), from })}`
  return html`<p><a href="${url}">${decided ? '更早' : '更晚'}的</a></p>`
}

async function queue(ctx: DeskContext, req: Req): Promise<Html> {
  const games = await configsOf(ctx)
  const sought = searchOf(req)
  const found = await heldSales(ctx.deps.db, sought, MAX_ROWS + 1)
  const rows = found.slice(0, MAX_ROWS)
  const last = found.length > rows.length ? rows.at(-1) : undefined
  const pictures = await picturesOf(ctx, rows)
  const show = (h: Held) =>
    row(h, { config: games.get(h.game_id), csrf: ctx.csrf, picture: pictures.get(h.external_id) })
  const list = html`<ul class="rows">${rows.map(show)}</ul>${last && nextPage(sought, last)}`
  return html`<form method="get" class="card"><label>查找来源、编号或游戏<input name="q" value="${sought.q}" maxlength="60"></label>
<label class="check"><input type="checkbox" name="decided" value="1"${sought.decided && html` checked`}>看已处理的</label><button>查找</button></form>
${rows.length === 0 ? html`<p class="note good">没有${sought.decided ? '处理过' : '待核'}的成交。</p>` : list}
<form method="post" action="/desk/sales/source" class="card">${csrfInput(ctx.csrf)}<h2>按来源处理</h2>
<label>来源<input name="source" maxlength="128" autocomplete="off" required></label><label>理由<input name="note" maxlength="200" autocomplete="off" required></label>
<button name="decision" value="ACCEPTED">全部采用</button> <button name="decision" value="REFUSED">全部不采用</button>
<p class="hint">一次最多处理 5,000 条待核的成交。</p></form>`
}

/** @throws AppError VALIDATION_FAILED */
function decisionOf(given: string | undefined): ReviewDecision {
  if (given === 'ACCEPTED' || given === 'REFUSED') return given
  throw invalid([{ path: 'decision', msg: '请选择采用或不采用' }])
}

const decideHeld: FormAction = async (ctx, req, fields: Fields) => {
  const { deps, staff, now } = ctx
  const id = idOf(req)
  const made = decisionOf(fields.decision)
  const note = requireReason(fields.note ?? '')
  const log = {
    staffId: staff.staffId,
    action: made === 'ACCEPTED' ? 'SALE_ACCEPT' : 'SALE_REFUSE',
    now,
    note,
  } as const
  await deps.db.transaction().execute(async (tx) => {
    const decided = { decision: made, note, staffId: staff.staffId, now }
    if (id === 'source') {
      const source = (fields.source ?? '').trim()
      const sales = await decideSource(tx, source, decided)
      for (const sale of sales) if (sale.channel === 'FOLLOW_UP') await reviewFollowUp(tx, sale, made, now)
      await logDesk(tx, { ...log, subject: `${source} ×${sales.length}` })
      return
    }
    const sale = await decideOne(tx, /^\d{1,15}$/.test(id) ? Number(id) : 0, decided)
    if (sale.channel === 'FOLLOW_UP') await reviewFollowUp(tx, sale, made, now)
    await logDesk(tx, { ...log, subject: `${sale.gameId} ${yuan(sale.priceFen)}` })
  })
  return { to: '/desk/sales/queue', done: 'changed' }
}

/** Quality of the sales data, and the sales that wait for a decision. */
export function registerSales(desk: Desk): void {
  desk.page('/desk/sales', '成交数据', quality)
  desk.page('/desk/sales/queue', '待核的成交', queue)
  desk.form('/desk/sales/:id', '待核的成交', decideHeld, queue)
}
