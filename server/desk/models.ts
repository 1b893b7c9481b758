import { sql } from 'kysely'
import { MISSING, percent } from '@/contract/format'
import { requireReason } from '../domains/market/held-sales'
import { MIN_NEW_VERIFIED } from '../domains/models/hold-out'
import { modelsInUse, requestTraining, rollBackByHand } from '../domains/models/roll-back'
import { logDesk } from '../domains/staff/log'
import { type Html, html, options } from '../http/html'
import type { DeskContext } from './auth'
import { dayOf, formatTime } from './format'
import { csrfInput } from './page'
import type { Desk, FormAction, Req } from './pages'
import { hasWords, nothingFound, positionOf, searchForm, wordsOf } from './search'

const roles: Record<string, string> = { CHAMPION: '在用', FORMER: '上一个', TAKEN_BACK: '被换下' }
const verdicts = {
  FEW: '新成交太少',
  FITS: '正常',
  DRIFTS: '漂移，待重新训练',
  TAKEN_BACK: '不如上一个，已换回',
} as const

/** Names of the games that have the words in name or id. */
const namesOf = async ({ deps }: DeskContext, words: string) =>
  new Map(
    (await deps.games.all()).flatMap(({ config: { gameId, name } }) =>
      hasWords(words, name, gameId) ? [[gameId, name] as const] : [],
    ),
  )

/** Rows of each list on a page; the address has a position for each. */
const most = { days: 120, decisions: 120, models: 60 } as const
type List = keyof typeof most

/** The row after which a list goes on. */
function after({ query }: Req, list: List): { at: number; id: number } | undefined {
  const from = positionOf(query[list])
  return from && /^\d{1,15}$/.test(from.id) ? { at: from.at, id: Number(from.id) } : undefined
}

/** The rows of a page, and a link to the next. */
function pageOf<Row>(req: Req, list: List, found: readonly Row[], positionText: (row: Row) => string) {
  const rows = found.slice(0, most[list])
  const last = found.length > rows.length ? rows.at(-1) : undefined
  const url = last && `/desk/models?${new URLSearchParams({ q: wordsOf(req), [list]: positionText(last) })}#${list}`
  return { rows, older: url && html`<p><a href="${url}">更早的</a></p>` }
}

/** The models in use, then the others, newest first: replaced or refused. */
async function models({ deps: { db } }: DeskContext, req: Req, games: ReadonlyMap<string, string>): Promise<Html> {
  const from = after(req, 'models')
  const found = await db
    .selectFrom('models')
    .select(['id', 'game_id', 'active', 'trained_at', 'sample_n', 'synthetic', 'synthetic_share', 'refused'])
    .where('game_id', 'in', [...games.keys()])
    .$if(from !== undefined, (q) => q.where(sql<boolean>`(active, id) < (${from?.at === 1}, ${from?.id}::bigint)`))
    .orderBy('active', 'desc')
    .orderBy('id', 'desc')
    .limit(most.models + 1)
    .execute()
  const { rows, older } = pageOf(req, 'models', found, (m) => `${Number(m.active)}-${m.id}`)
  return html`<div class="scroll card"><table><tr><th>游戏</th><th class="num">编号</th><th>训练</th><th class="num">样本</th><th class="num">合成</th><th>状态</th></tr>
${rows.map(
  (
    m,
  ) => html`<tr><td>${games.get(m.game_id) ?? m.game_id}</td><td class="num">${m.id}</td><td>${formatTime(m.trained_at)}</td><td class="num">${m.sample_n}</td>
<td class="num">${percent(m.synthetic_share)}</td><td>${m.active ? '在用' : (m.refused ?? '已替换')}</td></tr>`,
)}</table></div>${older}`
}

/** Daily figures of the model in use and the one before it, on the same sales. */
async function monitoringTable({ deps: { db } }: DeskContext, req: Req, games: ReadonlyMap<string, string>) {
  const from = after(req, 'days')
  const gameOfLast = sql`(select l.game_id from model_monitoring l where l.day = ${from?.at}::bigint and l.model_id = ${from?.id}::bigint)`
  const found = await db
    .selectFrom('model_monitoring')
    .selectAll()
    .where('game_id', 'in', [...games.keys()])
    .$if(from !== undefined, (q) =>
      q.where(sql<boolean>`(day < ${from?.at}::bigint or (day = ${from?.at}::bigint
        and (game_id > ${gameOfLast} or (game_id = ${gameOfLast} and model_id < ${from?.id}::bigint))))`),
    )
    .orderBy('day', 'desc')
    .orderBy('game_id')
    .orderBy('model_id', 'desc')
    .limit(most.days + 1)
    .execute()
  const { rows, older } = pageOf(req, 'days', found, (w) => `${w.day}-${w.model_id}`)
  if (rows.length === 0) return html`<p class="hint">还没有每日检验。</p>`
  return html`<div class="scroll card"><table><tr><th>日期</th><th>游戏</th><th>模型</th><th>结论</th><th class="num">新成交</th><th class="num">误差中位数</th><th class="num">区间覆盖</th><th class="num">未见过的选项</th><th class="num">总体稳定性</th></tr>
${rows.map(
  (
    w,
  ) => html`<tr><td class="day">${dayOf(w.day)}</td><td>${games.get(w.game_id) ?? w.game_id}</td><td>${roles[w.role] ?? w.role} ${w.model_id}</td><td>${verdicts[w.verdict]}</td><td class="num">${w.n}</td>
${[percent(w.median_error), percent(w.coverage), percent(w.unknown_share), w.stability.toFixed(2)].map((figure) => html`<td class="num">${w.n > 0 ? figure : MISSING}</td>`)}</tr>`,
)}</table></div>${older}<p class="hint">同一天、同一批训练之后的真实成交；误差和在用模型自己在真实成交上的回测比，没有这样的回测就只看另外三项。漂移会触发重新训练；在用的比上一个差 15% 以上时自动换回。</p>`
}

const decisionText = { PROMOTED: '换上', REFUSED: '不换', ROLLED_BACK: '换回', ORDERED: '要求重新训练' } as const
const ruleText = { SAME_SALES: '同样的新成交', BACKTEST: '各自的回测', NONE: '没有可比的' } as const

/** `−1.2 ± 0.4 点`: the difference of both errors and its standard error. */
const pointsOf = (difference: number, standardError: number) =>
  `${difference > 0 ? '+' : '−'}${Math.abs(100 * difference).toFixed(1)} ± ${(100 * standardError).toFixed(1)} 点`

/** Whether each new model replaced the one in use, and the figures of both on the same sales. */
async function decisionsTable({ deps: { db } }: DeskContext, req: Req, games: ReadonlyMap<string, string>) {
  const from = after(req, 'decisions')
  const found = await db
    .selectFrom('model_decisions')
    .selectAll()
    .where('game_id', 'in', [...games.keys()])
    .$if(from !== undefined, (q) => q.where('id', '<', from?.id ?? 0))
    .orderBy('id', 'desc')
    .limit(most.decisions + 1)
    .execute()
  const { rows, older } = pageOf(req, 'decisions', found, ({ at, id }) => `${at}-${id}`)
  if (rows.length === 0) return html`<p class="hint">还没有更换过模型。</p>`
  return html`<div class="scroll card"><table><tr><th>时间</th><th>游戏</th><th>决定</th><th>依据</th><th class="num">成交</th><th class="num">天数</th><th class="num">在用误差</th><th class="num">新模型误差</th><th class="num">相差</th><th>说明</th></tr>
${rows.map((d) => {
  const [old, fresh, spread] = [d.champion_error, d.challenger_error, d.standard_error]
  return html`<tr><td>${formatTime(d.at)}</td><td>${games.get(d.game_id) ?? d.game_id}</td><td>${decisionText[d.decision]} ${d.challenger_id ?? ''}</td><td>${ruleText[d.rule]}</td>
<td class="num">${d.n ?? ''}</td><td class="num">${d.days ?? ''}</td><td class="num">${old !== null && percent(old)}</td><td class="num">${fresh !== null && percent(fresh)}</td>
<td class="num">${old !== null && fresh !== null && spread !== null && pointsOf(fresh - old, spread)}</td><td class="wide">${d.reason}</td></tr>`
})}</table></div>${older}<p class="hint">两个模型都没有学过的最新成交，各估一次。新模型的平均误差不高于在用的一个标准误才换上；这样的成交不到 ${MIN_NEW_VERIFIED} 条时比较各自的回测；回测也不足时无从比较：经核实的成交比在用模型训练时多四分之一、表单换了版本、真实成交取代合成数据，或有人要求重新训练，才换上。在用模型学过的价格被撤回或更正时，最快一天后重新训练：新模型明显更差仍不换，无从比较就换上，不再等。</p>`
}

/** A person may go back to the previous model, or have a new one trained and compared. */
const orders = (
  games: ReadonlyMap<string, string>,
  inUse: ReadonlyMap<string, number>,
  csrf: string,
) => html`<form method="post" action="/desk/models" class="card">${csrfInput(csrf)}<h2>人工处理</h2>
${[...inUse].map(([gameId, id]) => html`<input type="hidden" name="inUse-${gameId}" value="${id}">`)}
<label>游戏<select name="game">${options(Object.fromEntries(games), undefined)}</select></label><label>理由<input name="note" maxlength="200" autocomplete="off" required></label>
<button name="do" value="TRAIN">重新训练并比较</button> <button name="do" value="BACK">换回上一个模型</button>
<p class="hint">换回之后，当时已有的成交不会再自动训练出新模型；要等之后的新成交，或在这里要求重新训练。</p></form>`

const decide: FormAction = async ({ deps, staff, now }, _, fields) => {
  const { game = '', note = '' } = fields
  const reason = requireReason(note)
  const { config } = await deps.games.find(game)
  const isBack = fields.do === 'BACK'
  const order = { gameId: config.gameId, reason, now }
  await deps.db.transaction().execute(async (tx) => {
    if (isBack) await rollBackByHand(tx, { ...order, seen: Number(fields[`inUse-${config.gameId}`]) })
    else await requestTraining(tx, order)
    const action = isBack ? 'MODEL_BACK' : 'MODEL_TRAIN'
    await logDesk(tx, { staffId: staff.staffId, action, now, subject: config.gameId, note: reason })
  })
  return { to: '/desk/models', done: 'changed' }
}

async function page(ctx: DeskContext, req: Req): Promise<Html> {
  const words = wordsOf(req)
  const games = await namesOf(ctx, words)
  if (games.size === 0) return html`${searchForm('游戏', words)}${nothingFound}`
  return html`${searchForm('游戏', words)}<h2 id="days">每日检验</h2>${await monitoringTable(ctx, req, games)}<h2 id="decisions">更换</h2>${await decisionsTable(ctx, req, games)}<h2 id="models">模型</h2>${await models(ctx, req, games)}${orders(games, await modelsInUse(ctx.deps.db), ctx.csrf)}`
}

/** Models: which are in use, how they fit, and why they were replaced. */
export function registerModels(desk: Desk): void {
  desk.page('/desk/models', '模型', page)
  desk.form('/desk/models', '模型', decide, page)
}
