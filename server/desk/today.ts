import { type RawBuilder, sql } from 'kysely'
import { roundToYuan } from '@/contract/format'
import { modeText, payTypeText } from '@/contract/labels'
import { DAY_MS } from '@/contract/time'
import { chinaDayStart, parseChinaDay } from '../core/clock'
import { type Html, html } from '../http/html'
import type { DeskContext } from './auth'
import { bars } from './chart'
import { dayOf, yuan } from './format'
import { ledgerSection } from './ledger-check'
import type { Desk } from './pages'

/** Rows of counters or channels, largest first. */
const MAX_ROWS = 50

interface FigureRow {
  kind: string
  name: string
  n: number
  fen: number
}

/** All figures of one day in one query, as rows by kind. Amounts come from the ledger, by means of payment. */
const numbers = (from: number): RawBuilder<FigureRow> => {
  const on = (column: string) =>
    sql`${sql.ref(column)} >= ${from}::bigint and ${sql.ref(column)} < ${from + DAY_MS}::bigint`
  return sql<FigureRow>`
    select 'ORDER' as kind, mode as name, count(*) as n, 0::bigint as fen from orders where ${on('created_at')} group by mode
    union all select 'REPORT', o.mode, count(*), 0 from reports r join orders o on o.id = r.order_id
      where ${on('r.created_at')} group by o.mode
    union all select l.kind, coalesce(p.pay_type, l.provider), count(*), sum(l.amount_fen)::bigint from ledger l
      left join payments p on p.id = l.payment_id where ${on('l.at')} group by 1, 2
    union all select 'REVIEW', '', count(*), coalesce(sum(pay_fen), 0)::bigint from orders
      where status = 'REFUNDING' and refund_due_at is not null
    union all select 'USER', '', count(*), 0 from users where ${on('created_at')}
    union all select 'FEEDBACK', '', count(*), 0 from feedback where ${on('created_at')}`
}

interface Channel {
  channel: string
  visits: number
  users: number
  orders: number
  fen: number
}

/** Results of each channel on one day: visits as counted by the app, the rest by the user's sign-up channel. */
const byChannel = (from: number): RawBuilder<Channel> => {
  const on = (column: string) =>
    sql`${sql.ref(column)} >= ${from}::bigint and ${sql.ref(column)} < ${from + DAY_MS}::bigint`
  return sql<Channel>`
    select channel, sum(visits)::bigint as visits, sum(users)::bigint as users, sum(orders)::bigint as orders,
      sum(fen)::bigint as fen from (
      select biz_id as channel, n as visits, 0 as users, 0 as orders, 0 as fen from daily_counters
        where key = 'VISIT' and day = ${from}::bigint
      union all select channel, 0, 1, 0, 0 from users where ${on('created_at')}
      union all select u.channel, 0, 0, 1, 0 from orders o join users u on u.id = o.user_id where ${on('o.created_at')}
      union all select u.channel, 0, 0, 0, l.amount_fen from ledger l join orders o on o.id = l.order_id
        join users u on u.id = o.user_id where l.kind = 'PAY' and ${on('l.at')}) as each_one
    group by channel order by visits desc, users desc, channel limit ${MAX_ROWS}`
}

const kinds = [
  { kind: 'ORDER', title: '新订单', money: false },
  { kind: 'REPORT', title: '出报告', money: false },
  { kind: 'PAY', title: '实收', money: true },
  { kind: 'SURPLUS', title: '多收（自动退回）', money: true },
  { kind: 'REFUND', title: '退款', money: true },
  { kind: 'REVIEW', title: '现在待审核的退款', money: true },
  { kind: 'USER', title: '新用户', money: false },
  { kind: 'FEEDBACK', title: '新反馈', money: false },
]

const names: Record<string, string> = {
  ...modeText,
  ...payTypeText,
  WX_H5: '微信支付（H5）',
  WX_MINI: '微信支付（小程序）',
  WX_JSAPI: '微信支付（公众号）',
}

/** Names of the app's counters; unknown keys are shown unchanged. */
const hitNames: Record<string, string> = {
  VISIT: '从渠道打开',
  CHANNEL_OUT: '去第三方平台上架',
  ARTICLE_VIEW: '阅读文章',
  HELP_YES: '帮助：有帮助',
  HELP_NO: '帮助：没帮助',
}

const table = (rows: readonly FigureRow[]): Html => html`<div class="scroll card"><table>
<tr><th>项目</th><th>渠道</th><th class="num">数量</th><th class="num">金额</th></tr>
${kinds.flatMap(({ kind, title, money }) => {
  const mine = rows.filter((r) => r.kind === kind)
  const all = mine.length > 0 ? mine : [{ kind, name: '', n: 0, fen: 0 }]
  return all.map(
    (r) =>
      html`<tr><td>${title}</td><td>${names[r.name] ?? r.name}</td><td class="num">${r.n}</td><td class="num">${money && yuan(r.fen)}</td></tr>`,
  )
})}</table></div>`

/** First ms (China time) of the requested day, today by default. */
function dayStart(day: unknown, now: number): number {
  return (typeof day === 'string' && parseChinaDay(day)) || chinaDayStart(now)
}

const channelTable = (rows: readonly Channel[]): Html =>
  rows.length === 0
    ? html`<p class="hint">这一天还没有记录。</p>`
    : html`<div class="scroll card"><table>
<tr><th>渠道</th><th class="num">访问</th><th class="num">注册</th><th class="num">订单</th><th class="num">实收</th></tr>
${rows.map(
  (r) =>
    html`<tr><td>${r.channel || '（没有渠道码）'}</td><td class="num">${r.visits}</td><td class="num">${r.users}</td><td class="num">${r.orders}</td><td class="num">${yuan(r.fen)}</td></tr>`,
)}</table></div>
<p class="hint">访问：同意隐私政策的人从带渠道码的链接打开；注册、订单、实收按用户注册时的渠道。</p>`

/** All counters; those of the day first. */
async function hitTable({ deps: { db } }: DeskContext, from: number): Promise<Html> {
  const rows = await db
    .selectFrom('counters as h')
    .leftJoin('daily_counters as d', (on) =>
      on.onRef('d.key', '=', 'h.key').onRef('d.biz_id', '=', 'h.biz_id').on('d.day', '=', from),
    )
    .select(['h.key', 'h.biz_id', 'h.n', (e) => e.fn.coalesce('d.n', sql<number>`0`).as('of_day')])
    .orderBy('of_day', 'desc')
    .orderBy('h.n', 'desc')
    .orderBy('h.key')
    .limit(MAX_ROWS)
    .execute()
  if (rows.length === 0) return html`<p class="hint">还没有记录。</p>`
  return html`<div class="scroll card"><table>
<tr><th>项目</th><th>对象</th><th class="num">当天</th><th class="num">累计</th></tr>${rows.map(
    (h) =>
      html`<tr><td>${hitNames[h.key] ?? h.key}</td><td>${h.biz_id}</td><td class="num">${h.of_day}</td><td class="num">${h.n}</td></tr>`,
  )}</table></div>`
}

/** Days on the charts. */
const CHART_DAYS = 14

/** Manual orders, delivered reports and takings of the last days. */
async function charts({ deps: { db } }: DeskContext, from: number): Promise<Html> {
  const first = from - (CHART_DAYS - 1) * DAY_MS
  const { rows } = await sql<{ day: number; orders: number; reports: number; fen: number }>`
    select d.day::bigint as day,
      (select count(*)::int from orders o where o.created_at >= d.day and o.created_at < d.day + ${DAY_MS}) as orders,
      (select count(*)::int from reports r where r.created_at >= d.day and r.created_at < d.day + ${DAY_MS}) as reports,
      (select coalesce(sum(l.amount_fen), 0)::bigint from ledger l where l.kind = 'PAY' and l.at >= d.day and l.at < d.day + ${DAY_MS}) as fen
    from generate_series(${first}::bigint, ${from}::bigint, ${DAY_MS}::bigint) as d(day) order by 1`.execute(db)
  const of = (value: (row: (typeof rows)[number]) => number, name: string) =>
    html`<section><h3>${name}</h3>${bars(
      rows.map((row) => ({ label: dayOf(row.day).slice(5), value: value(row) })),
      name,
    )}</section>`
  return html`<h2>近 ${CHART_DAYS} 天</h2><div class="charts">${of((r) => r.orders, '新订单')}${of((r) => r.reports, '出报告')}${of((r) => roundToYuan(r.fen) / 100, '实收（元）')}</div>`
}

async function today(ctx: DeskContext, asked: unknown): Promise<Html> {
  const { db } = ctx.deps
  const from = dayStart(asked, ctx.now)
  const { rows } = await numbers(from).execute(db)
  const channels = await byChannel(from).execute(db)
  const link = (at: number) => html`<a href="/desk/today?day=${dayOf(at)}">${dayOf(at)}</a>`
  return html`<p>${link(from - DAY_MS)} · <b>${dayOf(from)}</b>${from + DAY_MS <= ctx.now && html` · ${link(from + DAY_MS)}`}</p>
${table(rows)}${await charts(ctx, from)}<h2>渠道</h2>${channelTable(channels.rows)}<h2>点击</h2>${await hitTable(ctx, from)}
<h2>账目核对</h2>${await ledgerSection(ctx)}`
}

/** Daily figures, for operators. */
export const registerToday = (desk: Desk): void =>
  desk.page('/desk/today', '日报', (ctx, req) => today(ctx, req.query.day))
