import { sql } from 'kysely'
import { MISSING, percent } from '@/contract/format'
import { isFarWorse } from '../domains/models/acceptance'
import { orderTraining, putIntoUse } from '../domains/models/staff-decisions'
import { type Html, html } from '../http/html'
import { type DeskContext, logged } from './auth'
import { dayOf, formatTime } from './format'
import { gamesOf } from './games'
import { csrfInput } from './page'
import type { Desk, FormAction } from './pages'

const MAX_ROWS = 120

const figure = (value: number | null) => html`<td class="num">${value === null ? MISSING : percent(value)}</td>`

/** The models in use, then the others, newest first: replaced or refused. */
async function models({ deps: { db }, csrf }: DeskContext, games: ReadonlyMap<string, string>) {
  const found = await db
    .selectFrom('models')
    .select(['id', 'game_id', 'active', 'trained_at', 'sample_n', 'refused', 'synthetic_share'])
    .select(['n', 'champion_error as champion', 'challenger_error as challenger', 'moved'])
    .select(sql<boolean>`body <> ''`.as('isKept'))
    .where('game_id', 'in', [...games.keys()])
    .orderBy('active', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_ROWS)
    .execute()
  const rows = found.map((row) => ({ ...row, isFarWorse: isFarWorse(row) }))
  /** The newest training erred too much, and another one of the same sales would too. */
  const wouldFail = (gameId: string) =>
    rows.filter((m) => m.game_id === gameId).sort((a, b) => b.id - a.id)[0]?.isFarWorse
  const button = ({ id, game_id, active, isKept, isFarWorse: isWorse }: (typeof rows)[number]) =>
    (active ? !wouldFail(game_id) : isKept && !isWorse) &&
    html`<form class="inline" method="post" action="/desk/models">${csrfInput(csrf)}<input type="hidden" name="game" value="${game_id}"><input type="hidden" name="seen" value="${rows.find((m) => m.active && m.game_id === game_id)?.id}">
<button class="link" name="use" value="${active ? '' : id}">${active ? '重新训练' : '换上'}</button></form>`
  return html`<div class="scroll card"><table><tr><th>游戏</th><th class="num">编号</th><th>训练</th><th class="num">样本</th><th class="num">合成</th><th class="num">比较的成交</th><th class="num">在用误差</th><th class="num">新模型误差</th><th class="num">价格变动</th><th>状态</th><th></th></tr>
${rows.map(
  (
    m,
  ) => html`<tr><td>${games.get(m.game_id)}</td><td class="num">${m.id}</td><td>${formatTime(m.trained_at)}</td><td class="num">${m.sample_n}</td>
${figure(m.synthetic_share)}<td class="num">${m.n ?? MISSING}</td>${[m.champion, m.challenger, m.moved].map(figure)}<td class="wide">${m.active ? '在用' : (m.refused ?? '已替换')}</td><td>${button(m)}</td></tr>`,
)}</table></div><p class="hint">新模型和在用模型在最新的真实成交上各估一次，两个都没有学过这些成交；价格变动是固定的 200 个账号的中位数。误差不超过在用的 1.05 倍、变动不超过 10%（误差小五分之一时不限）才自动换上，否则留在这里，由人换上；误差超过两倍的不能换上，也不能用同样的成交重新训练。</p>`
}

/** Daily figures of the model in use. */
async function monitoringTable({ deps: { db } }: DeskContext, games: ReadonlyMap<string, string>) {
  const rows = await db
    .selectFrom('model_monitoring')
    .selectAll()
    .where('game_id', 'in', [...games.keys()])
    .orderBy('day', 'desc')
    .orderBy('game_id')
    .limit(MAX_ROWS)
    .execute()
  if (rows.length === 0) return html`<p class="hint">还没有每日检验。</p>`
  return html`<div class="scroll card"><table><tr><th>日期</th><th>游戏</th><th class="num">模型</th><th class="num">新成交</th><th class="num">误差中位数</th><th class="num">区间覆盖</th><th class="num">未见过的选项</th><th class="num">总体稳定性</th></tr>
${rows.map(
  (
    w,
  ) => html`<tr><td class="day">${dayOf(w.day)}</td><td>${games.get(w.game_id)}</td><td class="num">${w.model_id}</td><td class="num">${w.n}</td>
${[percent(w.median_error), percent(w.coverage), percent(w.unknown_share), w.stability.toFixed(2)].map((text) => html`<td class="num">${w.n > 0 ? text : MISSING}</td>`)}</tr>`,
)}</table></div><p class="hint">训练之后的真实成交。</p>`
}

const numberOf = (id: string) => (/^\d{1,15}$/.test(id) ? Number(id) : 0)

/** Puts a model into use, or orders a training of the game. */
const decide: FormAction = async (ctx, _, { game = '', seen = '', use = '' }) => {
  const { gameId } = (await ctx.deps.repositories.games.find(game)).config
  await logged(ctx, async (tx) => {
    if (use === '') await orderTraining(tx, gameId, ctx.now)
    else await putIntoUse(tx, { gameId, id: numberOf(use), seen: numberOf(seen) })
    return { action: use === '' ? 'MODEL_TRAIN' : 'MODEL_USE', subject: `${gameId}${use && ` ${use}`}` }
  })
  return { to: '/desk/models', done: 'changed' }
}

async function page(ctx: DeskContext): Promise<Html> {
  const games = new Map((await gamesOf(ctx)).map(({ gameId, name }) => [gameId, name]))
  return html`<h2>每日检验</h2>${await monitoringTable(ctx, games)}<h2>模型</h2>${await models(ctx, games)}`
}

/** Models: which are in use, how they fit, and why they were replaced. */
export const registerModels = (desk: Desk): void => desk.page('/desk/models', '模型', page, { '': decide })
