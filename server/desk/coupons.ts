import { sql } from 'kysely'
import { couponTerm, couponWorth } from '@/contract/couponText'
import { couponCentreStateText, couponScopeText } from '@/contract/labels'
import { DAY_MS } from '@/contract/time'
import { AppError } from '../core/app-error'
import { stateOf } from '../domains/coupons/centre'
import type { Template } from '../domains/coupons/grant'
import { addTemplate, endTemplate, grantManually, isRuleTemplate } from '../domains/coupons/grant-by-hand'
import { newId } from '../domains/shared/secrets'
import { logDesk } from '../domains/staff/log'
import { type Html, html } from '../http/html'
import type { DeskContext, Fields } from './auth'
import { templateFields, templateOf } from './coupon-form'
import { findUserByInput } from './find-user'
import { dayOf } from './format'
import { type Game, gamesOf } from './games'
import { csrfInput } from './page'
import { type Desk, type FormAction, formIdOf, idOf, type Req } from './pages'
import { nothingFound, patternOf, searchForm, wordsOf } from './search'

const MAX_ROWS = 200
const ruleOf = ({ type, amount_fen, percent, cap_fen, threshold_fen }: Template) => ({
  ...{ type, amountFen: amount_fen, thresholdFen: threshold_fen },
  ...(percent !== null && { percent }),
  ...(cap_fen !== null && { capFen: cap_fen }),
})

const days = (start: number | null, end: number | null): string =>
  `${start === null ? '' : dayOf(start)} 至 ${end === null ? '不限' : dayOf(end - DAY_MS)}`

const usable = ({ valid_type, days: n, start_at, end_at }: Template) =>
  valid_type === 'DAYS' ? `领取后 ${n} 天` : days(start_at, end_at)

const scopeOf = ({ scope, game_ids }: Template, games: readonly Game[]): string =>
  scope === 'GAME'
    ? game_ids.map((id) => games.find(({ gameId }) => gameId === id)?.name ?? id).join('、')
    : couponScopeText[scope]

/** Status of a template as text. */
function state(t: Template, now: number): string {
  if (isRuleTemplate(t.template_id)) return '由规则发放'
  const is = stateOf(t, 0, now)
  return is === 'AVAILABLE' && !t.listed ? '员工可发放' : couponCentreStateText[is]
}

function actions(t: Template, { now, csrf }: DeskContext, typed: Fields): Html | false {
  if (isRuleTemplate(t.template_id) || stateOf(t, 0, now) === 'ENDED') return false
  const url = `/desk/coupons/${t.template_id}`
  const who = typed.template === t.template_id ? typed.who : undefined
  return html`<details${who !== undefined && html` open`}><summary>发给用户</summary><form method="post" action="${url}/give">${csrfInput(csrf)}
<input type="hidden" name="id" value="${newId()}"><input type="hidden" name="template" value="${t.template_id}">
<label>手机号或用户 ID<input name="who" value="${who}" autocomplete="off" autocapitalize="none" required></label><button>发放</button></form></details>
<form class="inline" method="post" action="${url}/end">${csrfInput(csrf)}<button class="link">结束</button></form>`
}

const row = (t: Template, games: readonly Game[], ctx: DeskContext, typed: Fields): Html => html`<tr><td>${t.name}</td>
<td>${couponWorth(ruleOf(t))}<br><small>${couponTerm(ruleOf(t))}</small></td><td>${scopeOf(t, games)}</td><td>${usable(t)}</td>
<td class="num">${t.given} / ${t.total < 0 ? '不限' : t.total}</td><td>${state(t, ctx.now)}</td><td>${actions(t, ctx, typed)}</td></tr>`

async function list(ctx: DeskContext, req: Req, typed: Fields = {}): Promise<Html> {
  const words = wordsOf(req)
  const like = patternOf(words)
  const games = await gamesOf(ctx)
  const rows = await ctx.deps.db
    .selectFrom('coupon_templates')
    .selectAll()
    // only templates with a total are counted when a coupon is given
    .select(
      sql<number>`case when total < 0 then greatest(given, (select count(*) from user_coupons c
        where c.template_id = coupon_templates.template_id)) else given end`.as('given'),
    )
    .where((e) => e.or([e('name', 'ilike', like), e('template_id', 'ilike', like)]))
    .orderBy('listed', 'desc')
    .orderBy('sort')
    .orderBy('template_id')
    .limit(MAX_ROWS)
    .execute()
  const gives = typed.template !== undefined
  return html`${searchForm('名称或编号', words)}${rows.length === 0 && nothingFound}<div class="scroll card"><table>
<tr><th>名称</th><th>优惠</th><th>适用范围</th><th>使用期限</th><th class="num">已发 / 总数</th><th>状态</th><th></th></tr>
${rows.map((t) => row(t, games, ctx, typed))}</table></div>
<form method="post" action="/desk/coupons" class="card">${csrfInput(ctx.csrf)}<h2>新增优惠券</h2>
<input type="hidden" name="id" value="${gives ? newId() : (typed.id ?? newId())}">${templateFields(gives ? {} : typed, games)}
<button class="go">新增</button></form><p class="hint">优惠券保存后不能修改，填错了请结束后重新新增。</p>`
}

const add: FormAction = async (ctx, _req, fields) => {
  const { deps, staff, now } = ctx
  const id = formIdOf(fields)
  const made = templateOf(fields, await gamesOf(ctx), now)
  await deps.db.transaction().execute(async (tx) => {
    if (await addTemplate(tx, id, made))
      await logDesk(tx, { staffId: staff.staffId, action: 'COUPON_ADD', now, subject: id, note: made.name })
  })
  return { to: '/desk/coupons', done: 'changed' }
}

const end: FormAction = async ({ deps, staff, now }, req) => {
  const id = idOf(req)
  await deps.db.transaction().execute(async (tx) => {
    const name = await endTemplate(tx, id, now)
    if (name === undefined) throw new AppError('NOT_FOUND', { msg: '没有这张优惠券，或它已经结束' })
    await logDesk(tx, { staffId: staff.staffId, action: 'COUPON_END', now, subject: id, note: name })
  })
  return { to: '/desk/coupons', done: 'ended' }
}

const give: FormAction = async ({ deps, staff, now }, req, fields) => {
  const couponId = formIdOf(fields)
  const templateId = idOf(req)
  const userId = await findUserByInput(deps.db, fields.who ?? '')
  await deps.db.transaction().execute(async (tx) => {
    if (await grantManually(tx, { templateId, userId, couponId, now }))
      await logDesk(tx, { staffId: staff.staffId, action: 'COUPON_GIVE', now, subject: userId, note: templateId })
  })
  return { to: '/desk/coupons', done: 'given' }
}

/** Coupons: list and create templates, end them, give one to a user. */
export function registerCoupons(desk: Desk): void {
  desk.page('/desk/coupons', '优惠券', (ctx, req) => list(ctx, req))
  desk.form('/desk/coupons', '优惠券', add, list)
  desk.form('/desk/coupons/:id/end', '优惠券', end, (ctx, req) => list(ctx, req))
  desk.form('/desk/coupons/:id/give', '优惠券', give, list)
}
