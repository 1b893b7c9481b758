import { sql } from 'kysely'
import { keysOf, manualLevelText, modeText } from '@/contract/labels'
import { manualOrderStatusText, type OrderStatus } from '@/contract/orderStatus'
import { type Html, html, options } from '../http/html'
import type { DeskContext } from './auth'
import { formatTime, yuan } from './format'
import type { Desk, Req } from './pages'
import { statusTag } from './queue'
import { visibleOrders } from './visibility'

const PAGE_ROWS = 50
const MAX_QUERY = 40

const textOf = (value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '').trim().slice(0, MAX_QUERY) : ''

interface Asked {
  words: string
  status: string
  page: number
}

function asked({ query }: Req): Asked {
  const page = Number(textOf(query.page))
  return {
    words: textOf(query.q),
    status: keysOf(manualOrderStatusText).find((key) => key === query.status) ?? '',
    page: Number.isInteger(page) && page > 1 && page < 1000 ? page : 1,
  }
}

/** Manual orders this member may see: by number, title, user or appraiser; newest first. */
const found = ({ deps, staff }: DeskContext, { words, status, page }: Asked) => {
  const like = `%${words.replace(/[\\%_]/g, '\\$&')}%`
  return deps.db
    .selectFrom('orders')
    .innerJoin('users', 'users.id', 'orders.user_id')
    .leftJoin('staff', 'staff.staff_id', 'orders.appraiser_id')
    .select(['orders.id', 'orders.order_no', 'orders.title', 'orders.status', 'orders.mode', 'orders.level'])
    .select(['orders.created_at', 'orders.pay_fen', 'staff.nick', 'users.nickname'])
    .where('orders.mode', '=', 'MANUAL')
    .where(visibleOrders(staff))
    .$if(status !== '', (q) => q.where('orders.status', '=', status))
    .$if(words !== '', (q) =>
      q.where(
        sql<boolean>`(orders.order_no ilike ${like} or orders.title ilike ${like} or users.nickname ilike ${like} or staff.nick ilike ${like})`,
      ),
    )
    .orderBy('orders.created_at', 'desc')
    .orderBy('orders.id')
    .offset((page - 1) * PAGE_ROWS)
    .limit(PAGE_ROWS + 1)
    .execute()
}

async function historyPage(visit: DeskContext, req: Req): Promise<Html> {
  const want = asked(req)
  const rows = await found(visit, want)
  const link = (page: number) =>
    `/desk/orders?${new URLSearchParams({ q: want.words, status: want.status, page: String(page) })}`
  return html`<form method="get" action="/desk/orders" class="card search"><label>订单编号、标题、用户或估价师
<input name="q" value="${want.words}" maxlength="${MAX_QUERY}" data-key="/" autocomplete="off"></label>
<label>状态<select name="status">${options({ '': '全部', ...manualOrderStatusText }, want.status)}</select></label><button class="go">查找</button></form>
<p class="hint"><kbd>/</kbd> 查找，<kbd>j</kbd> <kbd>k</kbd> 上下选择，<kbd>Enter</kbd> 打开</p>
${rows.length === 0 && html`<p class="card">没有符合的订单。</p>`}
<ul class="rows">${rows.slice(0, PAGE_ROWS).map(
    (
      o,
    ) => html`<li><a class="row" data-row href="/desk/orders/${o.id}"><span><b>${o.title || o.order_no}</b> ${statusTag(o.mode, o.status as OrderStatus)}</span>
<span class="end">${yuan(o.pay_fen)}</span><small>${modeText[o.mode]}${o.level && ` · ${manualLevelText[o.level]}`} · ${o.order_no} · ${o.nickname}${o.nick && ` · ${o.nick}`}</small>
<small class="end">${formatTime(o.created_at)}</small></a></li>`,
  )}</ul>
<p>${want.page > 1 && html`<a href="${link(want.page - 1)}">上一页</a> `}${rows.length > PAGE_ROWS && html`<a href="${link(want.page + 1)}">下一页</a>`}</p>`
}

/** Search in all manual orders, also ended ones. */
export const registerHistory = (desk: Desk): void => desk.page('/desk/orders', '全部订单', historyPage)
