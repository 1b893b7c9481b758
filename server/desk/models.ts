import { sql } from 'kysely'
import { MISSING, percent } from '@/contract/format'
import { orderTraining, putIntoUse } from '../domains/models/staff-decisions'
import { logDesk } from '../domains/staff/log'
import { type Html, html } from '../http/html'
import type { DeskContext } from './auth'
import { dayOf, formatTime } from './format'
import { csrfInput } from './page'
import type { Desk, FormAction, Req } from './pages'
import { hasWords, nothingFound, positionOf, searchForm, wordsOf } from './search'

const verdicts = { FEW: '新成交太少', FITS: '正常', DRIFTS: '漂移' } as const

/** Names of the games that have the words in name or id. */
const namesOf = async ({ deps }: DeskContext, words: string) =>
  new Map(
    (await deps.games.all()).flatMap(({ config: { gameId, name } }) =>
      hasWords(words, name, gameId) ? [[gameId, name] as const] : [],
    ),
  )

/** Rows of each list on a page; the address has a position for each. */
const most = { days: 120, models: 60 } as const
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

const figure = (value: number | null) => html`<td class="num">${value === null ? MISSING : percent(value)}</td>`

/** The models in use, then the others, newest first: replaced or refused. */
async function models({ deps: { db }, csrf }: DeskContext, req: Req, games: ReadonlyMap<string, string>) {
  const from = after(req, 'models')
  const found = await db
    .selectFrom('models')
    .leftJoin('models as used', (join) =>
      join.onRef('used.game_id', '=', 'models.game_id').on('used.active', '=', true),
    )
    .select(['models.id', 'models.game_id', 'models.active', 'models.trained_at', 'models.sample_n', 'models.refused'])
    .select(['models.synthetic_share', 'models.n', 'models.champion_error', 'models.challenger_error', 'models.moved'])
    .select([sql<boolean>`models.body <> ''`.as('isKept'), 'used.id as seen'])
    .where('models.game_id', 'in', [...games.keys()])
    .$if(from !== undefined, (q) =>
      q.where(sql<boolean>`(models.active, models.id) < (${from?.at === 1}, ${from?.id}::bigint)`),
    )
    .orderBy('models.active', 'desc')
    .orderBy('models.id', 'desc')
    .limit(most.models + 1)
    .execute()
  const { rows, older } = pageOf(req, 'models', found, (m) => `${Number(m.active)}-${m.id}`)
  const button = ({ id, game_id, seen, active, isKept }: (typeof rows)[number]) =>
    (active || isKept) &&
    html`<form class="inline" method="post" action="/desk/models">${csrfInput(csrf)}<input type="hidden" name="game" value="${game_id}"><input type="hidden" name="seen" value="${seen}">
<button class="link" name="use" value="${active ? '' : id}">${active ? '重新训练' : '换上'}</button></form>`
  return html`<div class="scroll card"><table><tr><th>游戏</th><th class="num">编号</th><th>训练</th><th class="num">样本</th><th class="num">合成</th><th class="num">比较的成交</th><th class="num">在用误差</th><th class="num">新模型误差</th><th class="num">价格变动</th><th>状态</th><th></th></tr>
${rows.map(
  (
    m,
  ) => html`<tr><td>${games.get(m.game_id) ?? m.game_id}</td><td class="num">${m.id}</td><td>${formatTime(m.trained_at)}</td><td class="num">${m.sample_n}</td>
${figure(m.synthetic_share)}<td class="num">${m.n ?? MISSING}</td>${[m.champion_error, m.challenger_error, m.moved].map(figure)}<td class="wide">${m.active ? '在用' : (m.refused ?? '已替换')}</td><td>${button(m)}</td></tr>`,
)}</table></div>${older}<p class="hint">新模型和在用模型在最新的真实成交上各估一次，两个都没有学过这些成交；价格变动是固定的 200 个账号的中位数。误差不超过在用的 1.05 倍、变动不超过 10%（误差小五分之一时不限）才自动换上，否则留在这里，由人换上；误差超过两倍的不能换上。“重新训练”按同样的规则比较。</p>`
}

/** Daily figures of the model in use. */
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
  return html`<div class="scroll card"><table><tr><th>日期</th><th>游戏</th><th class="num">模型</th><th>结论</th><th class="num">新成交</th><th class="num">误差中位数</th><th class="num">区间覆盖</th><th class="num">未见过的选项</th><th class="num">总体稳定性</th></tr>
${rows.map(
  (
    w,
  ) => html`<tr><td class="day">${dayOf(w.day)}</td><td>${games.get(w.game_id) ?? w.game_id}</td><td class="num">${w.model_id}</td><td>${verdicts[w.verdict]}</td><td class="num">${w.n}</td>
${[percent(w.median_error), percent(w.coverage), percent(w.unknown_share), w.stability.toFixed(2)].map((figure) => html`<td class="num">${w.n > 0 ? figure : MISSING}</td>`)}</tr>`,
)}</table></div>${older}<p class="hint">训练之后的真实成交；误差和在用模型自己在真实成交上的回测比，没有这样的回测就只看另外三项。</p>`
}

/** Puts a model into use, or orders a training of the game. */
const decide: FormAction = async ({ deps, staff, now }, _, { game = '', seen = '', use = '' }) => {
  const { config } = await deps.games.find(game)
  const { gameId } = config
  await deps.db.transaction().execute(async (tx) => {
    if (use === '') await orderTraining(tx, gameId, now)
    else await putIntoUse(tx, { gameId, id: numberOf(use), seen: numberOf(seen) })
    const action = use === '' ? 'MODEL_TRAIN' : 'MODEL_USE'
    await logDesk(tx, { staffId: staff.staffId, action, now, subject: `${gameId}${use && ` ${use}`}` })
  })
  return { to: '/desk/models', done: 'changed' }
}

const numberOf = (id: string) => (/^\d{1,15}$/.test(id) ? Number(id) : 0)

async function page(ctx: DeskContext, req: Req): Promise<Html> {
  const words = wordsOf(req)
  const games = await namesOf(ctx, words)
  if (games.size === 0) return html`${searchForm('游戏', words)}${nothingFound}`
  return html`${searchForm('游戏', words)}<h2 id="days">每日检验</h2>${await monitoringTable(ctx, req, games)}<h2 id="models">模型</h2>${await models(ctx, req, games)}`
}

/** Models: which are in use, how they fit, and why they were replaced. */
export function registerModels(desk: Desk): void {
  desk.page('/desk/models', '模型', page)
  desk.form('/desk/models', '模型', decide, page)
}
