import { sql } from 'kysely'
import { couponTerm, couponWorth } from '@/contract/couponText'
import { couponCentreStateText, couponScopeText } from '@/contract/labels'
import { DAY_MS } from '@/contract/time'
import { AppError } from '../core/app-error'
import { stateOf } from '../domains/payments/coupons/centre'
import type { Template } from '../domains/payments/coupons/grant'
import { addTemplate, endTemplate, isRuleTemplate } from '../domains/payments/coupons/grant-by-hand'
import { newId } from '../domains/shared/secrets'
import { type Html, html } from '../http/html'
import { type DeskContext, type Fields, logged } from './auth'
import { templateFields, templateOf } from './coupon-form'
import { dayOf } from './format'
import { type Game, gamesOf } from './games'
import { csrfInput } from './page'
import { type Desk, type FormAction, formIdOf, idOf, type Req } from './pages'

const MAX_ROWS = 200
const ruleOf = ({ type, amount_fen, percent, cap_fen, threshold_fen }: Template) => ({
  ...{ type, amountFen: amount_fen, thresholdFen: threshold_fen },
  ...(percent !== null && { percent }),
  ...(cap_fen !== null && { capFen: cap_fen }),
})

const usable = ({ valid_type, days, end_at }: Template) =>
  valid_type === 'DAYS' ? `领取后 ${days} 天` : `至 ${end_at === null ? '不限' : dayOf(end_at - DAY_MS)}`

const scopeOf = ({ scope, game_ids }: Template, games: readonly Game[]): string =>
  scope === 'GAME'
    ? game_ids.map((id) => games.find(({ gameId }) => gameId === id)?.name ?? id).join('、')
    : couponScopeText[scope]

const endForm = (t: Template, { now, csrf }: DeskContext): Html | false =>
  !isRuleTemplate(t.template_id) &&
  stateOf(t, 0, now) !== 'ENDED' &&
  html`<form class="inline" method="post" action="/desk/coupons/${t.template_id}/end">${csrfInput(csrf)}<button class="link">结束</button></form>`

const row = (t: Template, games: readonly Game[], ctx: DeskContext): Html => html`<tr><td>${t.name}</td>
<td>${couponWorth(ruleOf(t))}<br><small>${couponTerm(ruleOf(t))}</small></td><td>${scopeOf(t, games)}</td><td>${usable(t)}</td>
<td class="num">${t.given} / ${t.total < 0 ? '不限' : t.total}</td><td>${isRuleTemplate(t.template_id) ? '由规则发放' : couponCentreStateText[stateOf(t, 0, ctx.now)]}</td><td>${endForm(t, ctx)}</td></tr>`

async function list(ctx: DeskContext, _: Req, typed: Fields = {}): Promise<Html> {
  const games = await gamesOf(ctx)
  const rows = await ctx.deps.db
    .selectFrom('coupon_templates')
    .selectAll()
    // only templates with a total are counted when a coupon is given
    .select(
      sql<number>`case when total < 0 then greatest(given, (select count(*) from user_coupons c
        where c.template_id = coupon_templates.template_id)) else given end`.as('given'),
    )
    .orderBy('listed', 'desc')
    .orderBy('sort')
    .orderBy('template_id')
    .limit(MAX_ROWS)
    .execute()
  return html`<div class="scroll card"><table>
<tr><th>名称</th><th>优惠</th><th>适用范围</th><th>使用期限</th><th class="num">已发 / 总数</th><th>状态</th><th></th></tr>
${rows.map((t) => row(t, games, ctx))}</table></div>
<form method="post" action="/desk/coupons" class="card">${csrfInput(ctx.csrf)}<h2>新增优惠券</h2>
<input type="hidden" name="id" value="${typed.id ?? newId()}">${templateFields(typed, games)}
<button class="go">新增</button></form><p class="hint">优惠券保存后不能修改，填错了请结束后重新新增。</p>`
}

const add: FormAction = async (ctx, _req, fields) => {
  const id = formIdOf(fields)
  const made = templateOf(fields, await gamesOf(ctx), ctx.now)
  await logged(ctx, async (tx) =>
    (await addTemplate(tx, id, made)) ? { action: 'COUPON_ADD', subject: id, note: made.name } : undefined,
  )
  return { to: '/desk/coupons', done: 'changed' }
}

const end: FormAction = async (ctx, req) => {
  const id = idOf(req)
  await logged(ctx, async (tx) => {
    const note = await endTemplate(tx, id, ctx.now)
    if (note === undefined) throw new AppError('NOT_FOUND', { msg: '没有这张优惠券，或它已经结束' })
    return { action: 'COUPON_END', subject: id, note }
  })
  return { to: '/desk/coupons', done: 'changed' }
}

/** Coupons: list and create templates, end them. */
export const registerCoupons = (desk: Desk): void =>
  desk.page('/desk/coupons', '优惠券', list, { '': add, ':id/end': end })
