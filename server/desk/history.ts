import { sql } from 'kysely'
import { manualLevelText, modeText } from '@/contract/labels'
import { isUnaccepted } from '../domains/orders/appraising/blind-estimates'
import { type Html, html } from '../http/html'
import type { DeskContext } from './auth'
import { formatTime, yuan } from './format'
import type { Desk, Req } from './pages'
import { statusTag } from './queue'
import { patternOf, searchForm, wordsOf } from './search'
import { visibleOrders } from './visibility'

const MAX_ROWS = 50

/** Orders this member may see, AI orders too for an admin; newest first. */
const orders = ({ deps, staff }: DeskContext) =>
  deps.db
    .selectFrom('orders')
    .innerJoin('users', 'users.id', 'orders.user_id')
    .leftJoin('staff', 'staff.staff_id', 'orders.appraiser_id')
    .select(['orders.id', 'orders.order_no', 'orders.title', 'orders.status', 'orders.mode', 'orders.level'])
    .select(['orders.created_at', 'orders.pay_fen', 'staff.nick', 'users.nickname', isUnaccepted.as('unaccepted')])
    .where(visibleOrders(staff))
    .orderBy('orders.created_at', 'desc')
    .orderBy('orders.id', 'desc')
    .limit(MAX_ROWS)

/** The newest orders found by number, title or user. */
async function found(ctx: DeskContext, words: string) {
  // a whole number first, because only that is found by an index
  const exact = await orders(ctx).where('orders.order_no', '=', words.toUpperCase()).execute()
  if (exact.length > 0) return exact
  const like = patternOf(words)
  return orders(ctx)
    .where(sql<boolean>`(orders.order_no ilike ${like} or orders.title ilike ${like} or users.nickname ilike ${like})`)
    .execute()
}

async function historyPage(ctx: DeskContext, req: Req): Promise<Html> {
  const words = wordsOf(req)
  const rows = await found(ctx, words)
  return html`${searchForm('订单编号、标题或用户', words)}
<p class="hint"><kbd>/</kbd> 查找，<kbd>j</kbd> <kbd>k</kbd> 上下选择，<kbd>Enter</kbd> 打开</p>
${rows.length === 0 && html`<p class="card">没有符合的订单。</p>`}
<ul class="rows">${rows.map(
    (
      o,
    ) => html`<li><a class="row" data-row href="/desk/orders/${o.id}"><span><b>${o.title || o.order_no}</b> ${statusTag(o)}</span>
<span class="end">${yuan(o.pay_fen)}</span><small>${modeText[o.mode]}${o.level && ` · ${manualLevelText[o.level]}`} · ${o.order_no} · ${o.nickname}${o.nick && ` · ${o.nick}`}</small>
<small class="end">${formatTime(o.created_at)}</small></a></li>`,
  )}</ul>
${rows.length === MAX_ROWS && html`<p class="hint">只显示最新的 ${MAX_ROWS} 单。</p>`}`
}

/** Search in all orders, also ended ones. */
export const registerHistory = (desk: Desk): void => desk.page('/desk/orders', '全部订单', historyPage)
