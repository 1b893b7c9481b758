/** Reconciles our records with each other, with the provider, and with what our servers have acknowledged. */
import { type Database, openDatabase } from '../../db/database'
import { checkLedger as compare, type Difference, type DifferenceKind } from '../../domains/payments/accounting/check'
import type { Settings } from '../../settings'
import type { WechatStub } from '../pay/wechat-stub'
import { COUPON_TEMPLATE } from './fixture'
import type { Payments } from './payments'

export interface Reconciliation {
  /** orders that were paid for */
  paid: number
  surplus: number
  refunds: number
  /** acknowledged payments that are not in the ledger exactly once */
  lost: string[]
  /** what `npm run books:check` finds: rows that one transaction writes together and that are there only in part */
  halfCommitted: string[]
  /** overdue open work, and sums that differ */
  others: string[]
}

type Rows = Awaited<ReturnType<typeof read>>

async function read({ db }: Database) {
  const [orders, ledger, payments, refunds, coupons] = await Promise.all([
    db.selectFrom('orders').selectAll().execute(),
    db.selectFrom('ledger').selectAll().execute(),
    db.selectFrom('payments').selectAll().execute(),
    db.selectFrom('refunds').selectAll().execute(),
    db.selectFrom('user_coupons').selectAll().where('template_id', '=', COUPON_TEMPLATE).execute(),
  ])
  return { orders, ledger, payments, refunds, coupons }
}

const sorted = (list: readonly (string | null)[]) => [...list].map(String).sort()

/** Entries that one list contains more often than the other, each with the sign of its side. */
function differences(name: string, left: readonly (string | null)[], right: readonly (string | null)[]): string[] {
  const counts = new Map<string, number>()
  for (const id of sorted(left)) counts.set(id, (counts.get(id) ?? 0) + 1)
  for (const id of sorted(right)) counts.set(id, (counts.get(id) ?? 0) - 1)
  return [...counts].filter(([, n]) => n !== 0).map(([id, n]) => `${name}: ${id} ${n > 0 ? `+${n}` : n}`)
}

function others({ orders, ledger, payments, refunds, coupons }: Rows, stand: WechatStub): string[] {
  const sum = (list: readonly { amount_fen: number }[]) => list.reduce((all, l) => all + l.amount_fen, 0)
  const kept = orders.filter((o) => o.pay_status === 'PAID' || o.pay_status === 'REFUNDING')
  const difference = sum(ledger) - kept.reduce((all, o) => all + o.pay_fen, 0)
  const ended = ['PAID', 'REFUNDED', 'CANCELED', 'CLOSED']
  const taken = [...stand.trades.values()].filter((t) => t.state === 'SUCCESS')
  // the sandbox's own cashier keeps no ledger
  const settled = ledger.filter((l) => l.kind !== 'REFUND' && l.provider === 'wechat')
  const atProvider = new Set(payments.filter((p) => p.provider === 'wechat').map((p) => p.id))
  return [
    ...(difference === 0 ? [] : [`ledger and kept orders differ by ${difference} fen`]),
    ...differences(
      "provider's payments ↔ ledger",
      taken.map((t) => `${t.txn} ${t.total}`),
      settled.map((l) => `${l.txn} ${l.amount_fen}`),
    ),
    ...differences(
      "provider's refunds ↔ ours",
      [...stand.refunds.values()].map((r) => `${r.refundNo} ${r.amount}`),
      refunds.filter((r) => atProvider.has(r.payment_id)).map((r) => `${r.id} ${r.amount_fen}`),
    ),
    ...orders.filter((o) => !ended.includes(o.status)).map((o) => `order ${o.id} stays ${o.status}`),
    ...payments
      .filter((p) => ['CREATED', 'CLOSING'].includes(p.status))
      .map((p) => `payment ${p.id} stays ${p.status}`),
    ...refunds.filter((r) => r.status !== 'DONE').map((r) => `refund ${r.id} stays ${r.status}`),
    ...coupons.filter((c) => c.status === 'LOCKED').map((c) => `coupon ${c.coupon_id} stays LOCKED`),
  ]
}

function lost({ ledger }: Rows, { acknowledged, toldPaid }: Pick<Payments, 'acknowledged' | 'toldPaid'>): string[] {
  const entries = (test: (line: (typeof ledger)[number]) => boolean) => ledger.filter(test).length
  const payments = [...acknowledged].filter(
    (id) => entries((l) => l.payment_id === id && (l.kind === 'PAY' || l.kind === 'SURPLUS')) !== 1,
  )
  const orders = [...toldPaid].filter((id) => entries((l) => l.order_id === id && l.kind === 'PAY') !== 1)
  return [...payments.map((id) => `payment ${id}`), ...orders.map((id) => `order ${id}`)]
}

const line = ({ kind, orderId, ref = '' }: Difference) => `${kind} ${orderId} ${ref}`
/** a partly handled payment: it stays open until staff handle it */
const isWaiting = (kind: DifferenceKind) => kind.endsWith('_QUARANTINED')

/** Reads everything after the servers have settled open work and stopped. */
export async function reconcile(
  where: Pick<Settings, 'dataDir' | 'databaseUrl'>,
  stand: WechatStub,
  payments: Payments,
): Promise<Reconciliation> {
  const database = await openDatabase(where)
  const [rows, { differences }] = await Promise.all([read(database), compare(database.db)]).finally(() =>
    database.close(),
  )
  const count = (kind: string) => rows.ledger.filter((l) => l.kind === kind).length
  return {
    ...{ paid: count('PAY'), surplus: count('SURPLUS'), refunds: count('REFUND') },
    lost: lost(rows, payments),
    halfCommitted: differences.filter(({ kind }) => !isWaiting(kind)).map(line),
    others: [...others(rows, stand), ...differences.filter(({ kind }) => isWaiting(kind)).map(line)],
  }
}
