import { type RawBuilder, sql } from 'kysely'
import { modeText, payTypeText } from '@/contract/labels'
import { chinaTime } from '../clock'
import type { Visit } from './door'
import { type Html, html } from './html'
import type { Desk } from './pages'
import { adminOnly } from './reach'
import { dayOf, yuan } from './words'

const DAY = 86_400_000
/** Counters of one look, the largest first. */
const MOST_HITS = 50

interface Line {
  kind: string
  name: string
  n: number
  fen: number
}

/** Everything of one day in one question: rows by kind. Money is what the ledger says, by what it was paid with. */
const numbers = (from: number): RawBuilder<Line> => {
  const on = (column: string) =>
    sql`${sql.ref(column)} >= ${from}::bigint and ${sql.ref(column)} < ${from + DAY}::bigint`
  return sql<Line>`
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

const table = (rows: readonly Line[]): Html => html`<div class="scroll card"><table>
<tr><th>项目</th><th>渠道</th><th class="num">数量</th><th class="num">金额</th></tr>
${kinds.flatMap(({ kind, title, money }) => {
  const mine = rows.filter((r) => r.kind === kind)
  const all = mine.length > 0 ? mine : [{ kind, name: '', n: 0, fen: 0 }]
  return all.map(
    (r) =>
      html`<tr><td>${title}</td><td>${names[r.name] ?? r.name}</td><td class="num">${r.n}</td><td class="num">${money && yuan(r.fen)}</td></tr>`,
  )
})}</table></div>`

/** The day that was asked for, else today: its first ms in China. */
function dayStart(day: unknown, now: number): number {
  const at = typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00+08:00`) : Number.NaN
  return Number.isNaN(at) ? chinaTime(now).dayStart : at
}

async function today(visit: Visit, asked: unknown): Promise<Html> {
  adminOnly(visit.staff)
  const { db } = visit.deps
  const from = dayStart(asked, visit.now)
  const { rows } = await numbers(from).execute(db)
  const hits = await db.selectFrom('hits').selectAll().orderBy('n', 'desc').orderBy('key').limit(MOST_HITS).execute()
  const link = (at: number) => html`<a href="/desk/today?day=${dayOf(at)}">${dayOf(at)}</a>`
  return html`<p>${link(from - DAY)} · <b>${dayOf(from)}</b>${from + DAY <= visit.now && html` · ${link(from + DAY)}`}</p>
${table(rows)}<h2>点击（累计）</h2>${
    hits.length === 0
      ? html`<p class="hint">还没有记录。</p>`
      : html`<div class="scroll card"><table><tr><th>键</th><th>渠道</th><th class="num">次数</th></tr>${hits.map(
          (h) => html`<tr><td>${h.key}</td><td>${h.biz_id}</td><td class="num">${h.n}</td></tr>`,
        )}</table></div>`
  }`
}

/** A day in numbers, for those who run the place. */
export const registerToday = (desk: Desk): void =>
  desk.page('/desk/today', '日报', (visit, req) => today(visit, req.query.day))
