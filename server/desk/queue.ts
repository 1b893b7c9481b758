import { sql } from 'kysely'
import { keysOf, manualLevelText, modeText } from '@/contract/labels'
import { type OrderStatus, orderStatusText, unacceptedText } from '@/contract/orderStatus'
import { isUnaccepted } from '../domains/orders/appraising/blind-estimates'
import { type Html, html } from '../http/html'
import type { DeskContext } from './auth'
import { formatRemaining, formatTime, waited, yuan } from './format'
import { answeredBy, visibleOrders } from './visibility'

/** Rows per page: more than a day's work. */
const MAX_ROWS = 200

/** What an open order waits for. */
const openStatusText = {
  PAID: '待接单',
  ASSIGNED: '估价中',
  REVALUING: '待复估',
  REFUNDING: '退款审核',
  WAIT_INFO: '等用户补充资料',
} as const satisfies Partial<Record<OrderStatus, string>>

/** Open orders, most urgent first. Granted refunds are left out: they wait for the provider. */
const queue = ({ deps, staff }: DeskContext) =>
  deps.db
    .selectFrom('orders')
    .leftJoin('staff', 'staff.staff_id', 'orders.appraiser_id')
    .select(['orders.id', 'orders.order_no', 'orders.title', 'orders.status', 'orders.mode', 'orders.level'])
    .select(['orders.pay_fen', 'orders.urges', 'orders.remark', 'staff.nick', isUnaccepted.as('unaccepted')])
    .select(sql<number>`(select count(*) from appraisals o where o.order_id = orders.id)`.as('appraisals'))
    .select(
      sql<number>`(select count(*) from appraisal_drafts d where d.order_id = orders.id and blind_fen is not null)`.as(
        'begun',
      ),
    )
    .select(
      sql<number | null>`case orders.status when 'REFUNDING' then refund_due_at when 'WAIT_INFO' then info_due_at
      else due_at end`.as('until'),
    )
    .where('orders.status', 'in', keysOf(openStatusText))
    .where(sql<boolean>`(orders.status <> 'REFUNDING' or refund_due_at is not null)`)
    .where(visibleOrders(staff))
    .orderBy('until')
    .orderBy('orders.id')
    .limit(MAX_ROWS)
    .execute()

type Row = Awaited<ReturnType<typeof queue>>[number]

/** Delivered orders with a question to this appraiser, the longest wait first. */
const openQuestions = ({ deps, staff }: DeskContext) =>
  deps.db
    .selectFrom('orders')
    .leftJoin('staff', 'staff.staff_id', 'orders.appraiser_id')
    .select(['orders.id', 'orders.order_no', 'orders.title', 'orders.asked_at', 'staff.nick'])
    .select(
      sql<string | null>`(select m.body from chat_messages m where m.order_id = orders.id and m.sender = 'USER'
        order by m.seq desc limit 1)`.as('body'),
    )
    .where('orders.asked_at', 'is not', null)
    .where(answeredBy(staff))
    .orderBy('orders.asked_at')
    .limit(MAX_ROWS)
    .execute()

type Question = Awaited<ReturnType<typeof openQuestions>>[number]

const question = (q: Question, now: number): Html =>
  html`<li><a class="row" data-row href="/desk/orders/${q.id}"><span><b>${q.title}</b> <span class="tag warn">提问</span></span>
<span class="end">${waited(q.asked_at ?? now, now)}</span><small>${q.order_no}${q.nick && ` · ${q.nick}`} · ${(q.body || '［图片］').slice(0, 80)}</small></a></li>`

/** Of an order for two, of which a third is needed where they differ too much; who is at work is not in want of a colleague. */
const progress = ({ appraisals, begun }: Row) =>
  `${appraisals < 2 ? `${appraisals}/2 位已估价` : '等第三位'}${begun > appraisals ? `，${begun - appraisals} 位在估` : ''}`

function row(order: Row, now: number): Html {
  const { until, mode, level, urges, unaccepted } = order
  const waitsFor = unaccepted ? unacceptedText : openStatusText[order.status as keyof typeof openStatusText]
  return html`<li><a class="row" data-row href="/desk/orders/${order.id}"><span><b>${order.title}</b> <span class="tag">${waitsFor}</span>
${level === 'PRO' && html` <span class="tag">${manualLevelText.PRO}${order.status === 'ASSIGNED' && ` · ${progress(order)}`}</span>`}
${urges > 0 && html` <span class="tag warn">催 ${urges} 次</span>`}</span>
<span class="end ${until !== null && until <= now ? 'late' : ''}">${until !== null && formatRemaining(until, now)}</span>
<small>${modeText[mode]} · ${order.order_no}${order.nick && ` · ${order.nick}`}${order.remark && ` · ${order.remark.slice(0, 40)}`}</small>
<small class="end">${yuan(order.pay_fen)}${until !== null && ` · ${formatTime(until)}`}</small></a></li>`
}

const section = (title: string, rows: readonly Html[]): Html | string =>
  rows.length > 0 ? html`<section><h2>${title}（${rows.length}）</h2><ul class="rows">${rows}</ul></section>` : ''

/** The work queue by due time, whatever is to be done; orders that wait for their owner stand apart. */
export async function queuePage(ctx: DeskContext): Promise<Html> {
  if (ctx.staff.role === 'CONSULTANT')
    return html`<p class="card">订单由估价师处理。用户的问题在<a href="/desk/chat">咨询</a>和<a href="/desk/feedback">反馈</a>里。</p>`
  const [rows, questions] = await Promise.all([queue(ctx), openQuestions(ctx)])
  const toDo = rows.filter(({ status }) => status !== 'WAIT_INFO')
  const waiting = rows.filter(({ status }) => status === 'WAIT_INFO')
  const rowsOf = (orders: readonly Row[]) => orders.map((order) => row(order, ctx.now))
  const asked = questions.map((openQuestion) => question(openQuestion, ctx.now))
  return html`<p class="hint"><kbd>j</kbd> <kbd>k</kbd> 上下选择，<kbd>Enter</kbd> 打开 · <a href="/desk" data-key="r">刷新</a> <kbd>r</kbd></p>
<div data-live="/desk" data-every="10">${rows.length + questions.length === 0 && html`<p class="card">现在没有等待处理的订单。</p>`}
${section('用户提问', asked)}${section('待处理', rowsOf(toDo))}${section(openStatusText.WAIT_INFO, rowsOf(waiting))}
${rows.length === MAX_ROWS && html`<p class="hint">只显示最急的 ${MAX_ROWS} 单。</p>`}</div>`
}

export const statusTag = ({ mode, status, unaccepted }: Pick<Row, 'mode' | 'status' | 'unaccepted'>): Html =>
  html`<span class="tag">${unaccepted ? unacceptedText : orderStatusText(mode, status as OrderStatus)}</span>`
