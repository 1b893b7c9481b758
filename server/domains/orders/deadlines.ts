import { type RawBuilder, sql } from 'kysely'
import type { OrderStatus } from '@/contract/orderStatus'
import { REPORT_LIFETIME_MS } from '../reports/validity'
import { LATE_REFUND_DELAY_MS, RETRY_PERIOD_MS } from './periods'

export interface Deadline {
  mode: 'AI' | 'MANUAL'
  from: OrderStatus
  to: 'CLOSED' | 'EXPIRED' | 'DONE' | 'REFUNDING'
  /** column of the order from which the limit runs, and how long, ms */
  since: 'created_at' | 'reported_at' | 'pay_expire_at' | 'due_at' | 'info_due_at'
  after: number
  /** reason for the log and the user */
  why: string
}

/**
 * Time limits of order statuses. Reads use the same table as the job and show a status past its limit as the
 * next one, so a late job has no visible effect.
 */
export const deadlines: readonly Deadline[] = [
  { mode: 'AI', from: 'WAIT_AUTH', to: 'CLOSED', since: 'created_at', after: RETRY_PERIOD_MS, why: '超时未授权' },
  { mode: 'AI', from: 'FAILED', to: 'CLOSED', since: 'created_at', after: RETRY_PERIOD_MS, why: '超时未重试' },
  { mode: 'AI', from: 'INSUFFICIENT', to: 'CLOSED', since: 'created_at', after: RETRY_PERIOD_MS, why: '样本不足' },
  {
    mode: 'AI',
    from: 'REPORTED',
    to: 'EXPIRED',
    since: 'reported_at',
    after: REPORT_LIFETIME_MS,
    why: '报告已过有效期',
  },
  { mode: 'AI', from: 'UNLOCKED', to: 'DONE', since: 'reported_at', after: REPORT_LIFETIME_MS, why: '报告已过有效期' },
  { mode: 'MANUAL', from: 'UNPAID', to: 'CLOSED', since: 'pay_expire_at', after: 0, why: '超时未支付' },
  { mode: 'MANUAL', from: 'PAID', to: 'REFUNDING', since: 'due_at', after: LATE_REFUND_DELAY_MS, why: '超时未接单' },
  {
    mode: 'MANUAL',
    from: 'ASSIGNED',
    to: 'REFUNDING',
    since: 'due_at',
    after: LATE_REFUND_DELAY_MS,
    why: '超时未出报告',
  },
  { mode: 'MANUAL', from: 'WAIT_INFO', to: 'REFUNDING', since: 'info_due_at', after: 0, why: '超时未补充资料' },
  {
    mode: 'MANUAL',
    from: 'REPORTED',
    to: 'DONE',
    since: 'reported_at',
    after: REPORT_LIFETIME_MS,
    why: '报告已过有效期',
  },
  {
    mode: 'MANUAL',
    from: 'REVALUING',
    to: 'REFUNDING',
    since: 'due_at',
    after: LATE_REFUND_DELAY_MS,
    why: '超时未完成复估',
  },
]

/** When an order that waits for its delivery is refunded because it is late, ms; undefined in other statuses. */
export function lateRefundAt(status: OrderStatus, dueAt: number): number | undefined {
  const deadline = deadlines.find(({ from, since }) => from === status && since === 'due_at')
  return deadline && dueAt + deadline.after
}

/** SQL over `orders`; the column is compared without an expression around it, so that an index finds the rows. */
export const isOver = (d: Deadline, now: number) =>
  sql<boolean>`orders.mode = ${sql.lit(d.mode)} and orders.status = ${sql.lit(d.from)}
    and ${sql.ref(`orders.${d.since}`)} <= ${now}::bigint - ${sql.lit(d.after)}::bigint`

/** SQL over `orders`: the effective status at a time, taking time limits into account. */
export const statusAt = (now: number): RawBuilder<OrderStatus> =>
  sql`case ${sql.join(
    deadlines.map((d) => sql`when ${isOver(d, now)} then ${sql.lit(d.to)}`),
    sql` `,
  )} else orders.status end`
