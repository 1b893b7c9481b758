import type { Db } from '../db/database'
import { type DifferenceKind, openProviderRefunds } from '../domains/payments/accounting/check'
import { latestResult } from '../domains/payments/accounting/jobs'
import { type Html, html } from '../http/html'
import type { DeskContext } from './auth'
import { formatTime } from './format'

/** Differences listed per page; `npm run books:check` lists more. */
const MAX_ROWS = 50

/** Description of each kind of difference; docs/ledger.md lists the repairs by kind. */
const differenceText: { readonly [K in DifferenceKind]: string } = {
  PAYMENT_NOT_BOOKED: '已收款但没有入账',
  PAYMENT_BOOKED_TWICE: '同一笔收款记了两次账',
  LEDGER_WITHOUT_PAYMENT: '账上有、实际没有的收款',
  LEDGER_PAYMENT_MISMATCH: '收款与账目的金额、订单或流水号不同',
  PAYMENT_NOT_ASKED: '未完成的支付不会再查询',
  PAYMENT_QUARANTINED: '未完成的支付处理失败，已隔离',
  ORDER_STATUS_CONTRADICTS: '订单状态与支付状态矛盾',
  ORDER_WITHOUT_PAYMENT: '订单已付款，但没有收款',
  PAYMENT_WITHOUT_ORDER: '已收款，但订单未付款',
  ORDER_AMOUNT: '收款金额与订单金额不同',
  ORDER_PRICE: '应付金额不等于原价减优惠',
  REFUND_NOT_BOOKED: '已退款但没有入账',
  LEDGER_WITHOUT_REFUND: '账上有、实际没有的退款',
  REFUND_AMOUNT: '退款金额与收款金额不同',
  REFUND_AT_PROVIDER: '支付平台退款的金额与账目不同',
  ORDER_WITHOUT_REFUND: '订单已退款，但没有退款记录',
  REFUND_WITHOUT_ORDER: '已退款或正在退款，但订单不是退款状态',
  REFUND_NOT_STARTED: '已决定退款，但没有开始退',
  REFUND_NOT_TRIED: '进行中的退款不会再重试',
  REFUND_QUARANTINED: '退款处理失败，已隔离',
  DEADLINE_QUARANTINED: '到期订单处理失败，已隔离',
  SURPLUS_NOT_RETURNED: '多收的款项没有退回',
  REPORT_LOCKED: '已解锁的订单，报告仍锁定',
  REPORT_UNLOCKED: '未解锁的订单，报告已打开',
  REPORT_MISSING: '应有报告的订单没有报告',
  PAID_EVENT_MISSING: '订单记录里没有付款这一步',
  PAID_EVENT_TWICE: '订单记录里付款了两次',
  PAID_EVENT_WITHOUT_PAYMENT: '订单记录里有付款，实际没有',
  LAST_EVENT_MISMATCH: '订单状态与订单记录的最后一步不同',
  PAID_MESSAGE_MISSING: '付款后没有通知用户',
  PAID_MESSAGE_TWICE: '付款通知发了两次',
  COUPON_NOT_USED: '订单用了优惠券，但券没有核销',
  COUPON_NOT_LOCKED: '待付款订单的优惠券没有锁定',
  COUPON_USED_WITHOUT_ORDER: '优惠券已核销，但没有对应的已付款订单',
  COUPON_LOCKED_WITHOUT_ORDER: '优惠券被锁定，但没有对应的待付款订单',
  COUPON_OWNER: '订单用了别人的优惠券',
}

/** A newer release may have stored kinds that this one does not know. */
const wordsOf = (kind: string): string => (differenceText as Record<string, string | undefined>)[kind] ?? kind

/** Open refunds by providers, and the latest check of the ledger: time, number of orders, differences. */
export async function ledgerSection({ deps: { db } }: DeskContext): Promise<Html> {
  return html`${await providerRefunds(db)}${await latestCheck(db)}`
}

/** Refunds that were made at a provider's console, in part or with an amount that we do not know. */
async function providerRefunds(db: Db): Promise<Html | false> {
  const found = await openProviderRefunds(db)
  if (found.length === 0) return false
  return html`<p class="note bad" role="alert">${differenceText.REFUND_AT_PROVIDER}：请到支付平台核对，按 docs/ledger.md 中 REFUND_AT_PROVIDER 的办法处理。</p>
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
<div class="scroll card"><table><tr><th>不一致</th><th>名称</th><th>订单</th><th>相关编号</th></tr>${listed.map(
    ({ kind, orderId, ref }) =>
      html`<tr><td>${wordsOf(kind)}</td><td><code>${kind}</code></td><td><a href="/desk/orders/${orderId}">${orderId}</a></td><td><code>${ref}</code></td></tr>`,
  )}</table></div>${listed.length < total && html`<p class="hint">只列出前 ${listed.length} 处，全部见 npm run books:check。</p>`}`
}
