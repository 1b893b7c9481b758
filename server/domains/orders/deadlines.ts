import { type RawBuilder, sql } from 'kysely'
import type { OrderStatus } from '@/contract/labels'
import { REPORT_VALID_FOR } from '../reports/validity'
import { LATE_REFUND_AFTER, RETRY_WITHIN } from './terms'

export interface Deadline {
  mode: 'AI' | 'MANUAL'
  from: OrderStatus
  to: 'CLOSED' | 'EXPIRED' | 'DONE' | 'REFUNDING'
  /** ms, as SQL over the order's row */
  at: RawBuilder<number>
  /** reason for the log and the user */
  why: string
}

const after = (column: string, ms: number) => sql<number>`${sql.ref(`orders.${column}`)} + ${sql.lit(ms)}::bigint`
const at = (column: string) => sql<number>`${sql.ref(`orders.${column}`)}`

/**
 * Time limits of order statuses (rule 2.6). Reads use the same table as the job and show a status past its limit as the
 * next one, so a late job has no visible effect.
 */
export const deadlines: readonly Deadline[] = [
  { mode: 'AI', from: 'WAIT_AUTH', to: 'CLOSED', at: after('created_at', RETRY_WITHIN), why: '超时未授权' },
  { mode: 'AI', from: 'FAILED', to: 'CLOSED', at: after('created_at', RETRY_WITHIN), why: '超时未重试' },
  { mode: 'AI', from: 'INSUFFICIENT', to: 'CLOSED', at: after('created_at', RETRY_WITHIN), why: '样本不足' },
  { mode: 'AI', from: 'REPORTED', to: 'EXPIRED', at: after('reported_at', REPORT_VALID_FOR), why: '报告已过有效期' },
  { mode: 'AI', from: 'UNLOCKED', to: 'DONE', at: after('reported_at', REPORT_VALID_FOR), why: '报告已过有效期' },
  { mode: 'MANUAL', from: 'UNPAID', to: 'CLOSED', at: at('pay_expire_at'), why: '超时未支付' },
  { mode: 'MANUAL', from: 'PAID', to: 'REFUNDING', at: after('due_at', LATE_REFUND_AFTER), why: '超时未接单' },
  { mode: 'MANUAL', from: 'ASSIGNED', to: 'REFUNDING', at: after('due_at', LATE_REFUND_AFTER), why: '超时未出报告' },
  { mode: 'MANUAL', from: 'WAIT_INFO', to: 'REFUNDING', at: at('info_due_at'), why: '超时未补充资料' },
  { mode: 'MANUAL', from: 'REPORTED', to: 'DONE', at: after('reported_at', REPORT_VALID_FOR), why: '报告已过有效期' },
  { mode: 'MANUAL', from: 'REVALUING', to: 'REFUNDING', at: after('due_at', LATE_REFUND_AFTER), why: '超时未完成复估' },
]

export const isOver = (d: Deadline, now: number) =>
  sql<boolean>`orders.mode = ${sql.lit(d.mode)} and orders.status = ${sql.lit(d.from)} and ${d.at} <= ${now}::bigint`

/** SQL over `orders`: the effective status at a time, taking time limits into account. */
export const statusAt = (now: number): RawBuilder<OrderStatus> =>
  sql`case ${sql.join(
    deadlines.map((d) => sql`when ${isOver(d, now)} then ${sql.lit(d.to)}`),
    sql` `,
  )} else orders.status end`
