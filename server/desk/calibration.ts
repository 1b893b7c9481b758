import { sql } from 'kysely'
import { percent } from '@/contract/format'
import { type AppraiserStatistics, appraiserStatistics, salesOfOpinions } from '../domains/content/appraiser-statistics'
import { type Html, html } from '../http/html'
import type { DeskContext } from './auth'
import { bars } from './chart'
import { dayOf, yuan } from './format'
import type { Desk } from './pages'

const MAX_ROWS = 50

interface Delivered {
  orderId: string
  title: string
  nick: string
  at: number
  firstFen: number | null
  priceFen: number
  modelFen: number | null
  soldFen: number | null
}

/** Newest deliveries with the blind estimate, the final price, the model's price and the later sale that is compared with them. */
async function deliveries({ deps: { db }, staff }: DeskContext): Promise<Delivered[]> {
  const { rows } = await sql<Delivered>`
    select o.order_id as "orderId", d.title, s.nick, o.at, e.blind_fen as "firstFen", o.price_fen as "priceFen",
      (r.body -> 'computed' -> 'price' ->> 'predictFen')::bigint as "modelFen", sold.sold_fen as "soldFen"
    from appraisals o join orders d on d.id = o.order_id join staff s on s.staff_id = o.staff_id
    join reports r on r.order_id = o.order_id and r.version = o.version
    left join appraisal_drafts e on e.order_id = o.order_id and e.staff_id = o.staff_id
    left join (${salesOfOpinions}) sold on (sold.order_id, sold.staff_id, sold.version) = (o.order_id, o.staff_id, o.version)
    where ${staff.role === 'ADMIN' ? sql`true` : sql`o.staff_id = ${staff.staffId}`}
    order by o.at desc limit ${MAX_ROWS}`.execute(db)
  return rows
}

const share = (value: number | null) => (value === null ? '—' : percent(value))
/** Signed, so that too high and too low are distinguished. */
const bias = (value: number | null) =>
  value === null ? '—' : `${value < 0 ? '偏低' : '偏高'} ${percent(Math.abs(value))}`

const people = (rows: readonly AppraiserStatistics[]): Html => html`<div class="scroll card"><table>
<tr><th>估价师</th><th class="num">交付</th><th class="num">有成交</th><th class="num">与成交差距</th><th class="num">偏向</th><th class="num">首次到最终</th></tr>
${rows.map(
  (
    s,
  ) => html`<tr><td>${s.nick} ${s.no}</td><td class="num">${s.delivered}</td><td class="num">${s.sales}</td><td class="num">${share(s.medianGap)}</td>
<td class="num">${bias(s.medianBias)}</td><td class="num">${share(s.medianShift)}</td></tr>`,
)}</table></div><p class="hint">均为中位数。差距 = |估价 − 成交价| ÷ 成交价；首次到最终 = |首次估价 − 交付价| ÷ 交付价，越大说明看到模型后改动越多。</p>`

const fen = (value: number | null) => (value === null ? '—' : yuan(value))

const table = (rows: readonly Delivered[]): Html => html`<div class="scroll card"><table>
<tr><th>订单</th><th>估价师</th><th>日期</th><th class="num">首次</th><th class="num">AI</th><th class="num">交付</th><th class="num">成交</th></tr>
${rows.map(
  (
    r,
  ) => html`<tr><td><a href="/desk/orders/${r.orderId}">${r.title || r.orderId}</a></td><td>${r.nick}</td><td>${dayOf(r.at)}</td>
<td class="num">${fen(r.firstFen)}</td><td class="num">${fen(r.modelFen)}</td><td class="num">${yuan(r.priceFen)}</td><td class="num">${fen(r.soldFen)}</td></tr>`,
)}</table></div>`

/** An appraiser's own figures; an admin sees everybody's. */
async function calibrationPage(ctx: DeskContext): Promise<Html> {
  const { staff, deps } = ctx
  const all = await appraiserStatistics(deps.db, staff.role === 'ADMIN' ? undefined : [staff.no])
  const shown = all.filter(({ delivered, active }) => delivered > 0 || active)
  const rows = await deliveries(ctx)
  const sold = rows.flatMap(({ soldFen, priceFen, at }) =>
    soldFen
      ? [{ label: dayOf(at).slice(5), value: Math.round((Math.abs(priceFen - soldFen) / soldFen) * 1000) / 10 }]
      : [],
  )
  return html`${people(shown)}${sold.length > 0 && html`<h2>与成交差距（%）</h2>${bars(sold.reverse(), '每单与成交价的差距')}`}
<h2>最近交付</h2>${rows.length === 0 ? html`<p class="hint">还没有交付的报告。</p>` : table(rows)}`
}

export const registerCalibration = (desk: Desk): void => desk.page('/desk/calibration', '校准', calibrationPage)
