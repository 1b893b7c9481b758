import { type RawBuilder, sql } from 'kysely'
import { keysOf, manualLevelText, modeText } from '@/contract/labels'
import { manualOrderStatusText } from '@/contract/orderStatus'
import { isUnaccepted } from '../domains/orders/blind-estimates'
import { type Html, html, options } from '../http/html'
import type { DeskContext } from './auth'
import { formatTime, yuan } from './format'
import type { Desk, Req } from './pages'
import { statusTag } from './queue'
import { MAX_WORDS, type Position, patternOf, positionOf, wordsOf } from './search'
import { visibleOrders } from './visibility'

const PAGE_ROWS = 50

interface OrderFilter {
  words: string
  status: string
  /** orders older than this one; undefined: the newest */
  older?: Position | undefined
}

const filterOf = (req: Req): OrderFilter => ({
  words: wordsOf(req),
  status: keysOf(manualOrderStatusText).find((key) => key === req.query.status) ?? '',
  older: positionOf(req.query.older),
})

/** Orders this member may see that meet a condition, AI orders too for an admin; newest first, and one more than a page. */
function select({ deps, staff }: DeskContext, { status, older }: OrderFilter, meets: RawBuilder<boolean>) {
  return deps.db
    .selectFrom('orders')
    .innerJoin('users', 'users.id', 'orders.user_id')
    .leftJoin('staff', 'staff.staff_id', 'orders.appraiser_id')
    .select(['orders.id', 'orders.order_no', 'orders.title', 'orders.status', 'orders.mode', 'orders.level'])
    .select(['orders.created_at', 'orders.pay_fen', 'staff.nick', 'users.nickname', isUnaccepted.as('unaccepted')])
    .where(visibleOrders(staff))
    .$if(status !== '', (q) => q.where('orders.status', '=', status))
    .where(meets)
    .$if(older !== undefined, (q) =>
      q.where(sql<boolean>`(orders.created_at, orders.id) < (${older?.at}::bigint, ${older?.id})`),
    )
    .orderBy('orders.created_at', 'desc')
    .orderBy('orders.id', 'desc')
    .limit(PAGE_ROWS + 1)
    .execute()
}

/** Orders valued by a person of this name. Who values an order stays unknown to the other appraisers until its report. */
const valuedBy = ({ role, staffId }: DeskContext['staff'], like: string) => sql`
  select o.order_id from appraisals o join staff s on s.staff_id = o.staff_id where s.nick ilike ${like}
    and (${role === 'ADMIN'} or o.staff_id = ${staffId} or exists (select from reports r where r.order_id = o.order_id))`

/** One page of the orders found by number, title, user or appraiser: who holds it or has valued it. */
async function found(ctx: DeskContext, filter: OrderFilter) {
  const { words } = filter
  const like = patternOf(words)
  // a whole number first, because only that is found by an index
  const exact = words === '' ? [] : await select(ctx, filter, sql`orders.order_no = ${words.toUpperCase()}`)
  const containing = sql<boolean>`(orders.order_no ilike ${like} or orders.title ilike ${like} or users.nickname ilike ${like} or staff.nick ilike ${like} or orders.id in (${valuedBy(ctx.staff, like)}))`
  const rows = exact.length > 0 ? exact : await select(ctx, filter, containing)
  return { page: rows.slice(0, PAGE_ROWS), more: rows.length > PAGE_ROWS }
}

async function historyPage(ctx: DeskContext, req: Req): Promise<Html> {
  const filter = filterOf(req)
  const { page, more } = await found(ctx, filter)
  const last = page.at(-1)
  const older = new URLSearchParams({
    q: filter.words,
    status: filter.status,
    older: `${last?.created_at}-${last?.id}`,
  })
  return html`<form method="get" action="/desk/orders" class="card search"><label>订单编号、标题、用户或估价师
<input name="q" value="${filter.words}" maxlength="${MAX_WORDS}" data-key="/" autocomplete="off"></label>
<label>状态<select name="status">${options({ '': '全部', ...manualOrderStatusText }, filter.status)}</select></label><button class="go">查找</button></form>
<p class="hint"><kbd>/</kbd> 查找，<kbd>j</kbd> <kbd>k</kbd> 上下选择，<kbd>Enter</kbd> 打开</p>
${page.length === 0 && html`<p class="card">没有符合的订单。</p>`}
<ul class="rows">${page.map(
    (
      o,
    ) => html`<li><a class="row" data-row href="/desk/orders/${o.id}"><span><b>${o.title || o.order_no}</b> ${statusTag(o)}</span>
<span class="end">${yuan(o.pay_fen)}</span><small>${modeText[o.mode]}${o.level && ` · ${manualLevelText[o.level]}`} · ${o.order_no} · ${o.nickname}${o.nick && ` · ${o.nick}`}</small>
<small class="end">${formatTime(o.created_at)}</small></a></li>`,
  )}</ul>
${more && html`<p><a href="/desk/orders?${String(older)}">下一页</a></p>`}`
}

/** Search in all orders, also ended ones. */
export const registerHistory = (desk: Desk): void => desk.page('/desk/orders', '全部订单', historyPage)
