import type { Db } from '../db/database'
import { openProviderRefunds } from '../domains/payments/accounting/check'
import { latestResult } from '../domains/payments/accounting/jobs'
import { type Html, html } from '../http/html'
import type { DeskContext } from './auth'
import { formatTime } from './format'

/** Differences listed per page; `npm run books:check` lists more. */
const MAX_ROWS = 50

/** Open refunds by providers, and the latest check of the ledger: time, number of orders, differences. */
export async function ledgerSection({ deps: { db } }: DeskContext): Promise<Html> {
  return html`${await providerRefunds(db)}${await latestCheck(db)}`
}

/** Refunds that were made at a provider's console, in part or with an amount that we do not know. */
async function providerRefunds(db: Db): Promise<Html | false> {
  const found = await openProviderRefunds(db)
  if (found.length === 0) return false
  return html`<p class="note bad" role="alert">支付平台退款的金额与账目不同：请到支付平台核对，按 docs/ledger.md 中 REFUND_AT_PROVIDER 的办法处理。</p>
<div class="scroll card"><table><tr><th>订单</th><th>支付编号</th></tr>${found
    .slice(0, MAX_ROWS)
    .map(
      ({ orderId, ref }) =>
        html`<tr><td><a href="/desk/orders/${orderId}">${orderId}</a></td><td><code>${ref}</code></td></tr>`,
    )}</table></div>`
}

async function latestCheck(db: Db): Promise<Html> {
  const last = await latestResult(db)
  if (!last) return html`<p class="hint">还没有核对过。每天凌晨 4 点后自动核对一次。</p>`
  const { counts, differences, orders } = last
  const when = html`${formatTime(last.started_at)} 核对了 ${orders ?? 0} 个订单`
  const kinds = Object.entries(counts ?? {})
  if (kinds.length === 0) return html`<p class="note good">${when}：订单、支付、账目、权益和优惠券一致。</p>`
  const total = kinds.reduce((sum, [, n]) => sum + n, 0)
  const listed = (differences ?? []).slice(0, MAX_ROWS)
  return html`<p class="note bad" role="alert">${when}：有 ${total} 处不一致，请按 docs/ledger.md 中的办法处理。</p>
<div class="scroll card"><table><tr><th>不一致</th><th>订单</th><th>相关编号</th></tr>${listed.map(
    ({ kind, orderId, ref }) =>
      html`<tr><td><code>${kind}</code></td><td><a href="/desk/orders/${orderId}">${orderId}</a></td><td><code>${ref}</code></td></tr>`,
  )}</table></div>${listed.length < total && html`<p class="hint">只列出前 ${listed.length} 处，全部见 npm run books:check。</p>`}`
}
