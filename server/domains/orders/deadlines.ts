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

const unfinished = { mode: 'AI', to: 'CLOSED', since: 'created_at', after: RETRY_PERIOD_MS } as const
const outdated = { since: 'reported_at', after: REPORT_LIFETIME_MS, why: '报告已过有效期' } as const
const late = { mode: 'MANUAL', to: 'REFUNDING', since: 'due_at', after: LATE_REFUND_DELAY_MS } as const

/**
 * Time limits of order statuses. Reads use the same table as the job and show a status past its limit as the
 * next one, so a late job has no visible effect.
 */
export const deadlines: readonly Deadline[] = [
  { ...unfinished, from: 'WAIT_AUTH', why: '超时未授权' },
  { ...unfinished, from: 'FAILED', why: '超时未重试' },
  { ...unfinished, from: 'INSUFFICIENT', why: '样本不足' },
  { ...outdated, mode: 'AI', from: 'REPORTED', to: 'EXPIRED' },
  { ...outdated, mode: 'AI', from: 'UNLOCKED', to: 'DONE' },
  { ...outdated, mode: 'MANUAL', from: 'REPORTED', to: 'DONE' },
  { mode: 'MANUAL', from: 'UNPAID', to: 'CLOSED', since: 'pay_expire_at', after: 0, why: '超时未支付' },
  { mode: 'MANUAL', from: 'WAIT_INFO', to: 'REFUNDING', since: 'info_due_at', after: 0, why: '超时未补充资料' },
  { ...late, from: 'PAID', why: '超时未接单' },
  { ...late, from: 'ASSIGNED', why: '超时未出报告' },
  { ...late, from: 'REVALUING', why: '超时未完成复估' },
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
