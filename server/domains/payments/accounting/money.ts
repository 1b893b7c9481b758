/** Compares orders, payments, refunds and ledger. docs/ledger.md lists the repair of each kind. */
import { sql } from 'kysely'
import { type CheckQuery, type DifferenceRow, hasPayLine, statusContradictsPayment, wasPaid } from './sql'

const booked = sql`exists (select from ledger l where l.payment_id = p.id and l.kind <> 'REFUND')`
/** Refunds of the payment that settled order `o`, not of surplus payments. */
const refundOfOrder = sql`from refunds r join ledger l on l.payment_id = r.payment_id and l.kind = 'PAY'
  where l.order_id = o.id`

/** Payments of which the provider has paid back another amount than is booked, or does not say how much. */
const refundsAtProvider = sql<DifferenceRow>`select p.order_id, p.id as ref from payments p
  left join ledger l on l.payment_id = p.id and l.kind = 'REFUND'
  where p.refunded_fen is not null and (p.status = 'PAID' or l.id is not null) and p.refunded_fen <> coalesce(-l.amount_fen, -1)`

export const moneyChecks = {
  /** a received payment without a ledger entry */
  PAYMENT_NOT_BOOKED: sql`select p.order_id, p.id as ref from payments p where p.status = 'PAID' and not ${booked}`,

  /** one payment booked both as the order's and as surplus */
  PAYMENT_BOOKED_TWICE: sql`select l.order_id, l.payment_id as ref from ledger l
    join ledger s on s.payment_id = l.payment_id and s.kind = 'SURPLUS' where l.kind = 'PAY'`,

  /** a ledger entry for a payment that was not received */
  LEDGER_WITHOUT_PAYMENT: sql`select l.order_id, l.payment_id as ref from ledger l
    join payments p on p.id = l.payment_id where l.kind <> 'REFUND' and p.status <> 'PAID'`,

  /** amount, order, provider or transaction number differ between payment and ledger */
  LEDGER_PAYMENT_MISMATCH: sql`select l.order_id, l.payment_id as ref from ledger l
    join payments p on p.id = l.payment_id where l.kind <> 'REFUND' and p.status = 'PAID'
    and (l.amount_fen, l.order_id, l.provider, l.txn) is distinct from (p.amount_fen, p.order_id, p.provider, p.txn)`,

  /** an open payment that is not scheduled to be queried */
  PAYMENT_NOT_ASKED: sql`select p.order_id, p.id as ref from payments p
    where p.status in ('CREATED', 'CLOSING') and p.next_ask_at is null`,

  /** an open payment that the job has quarantined after three failures */
  PAYMENT_QUARANTINED: sql`select p.order_id, p.id as ref from job_failures f join payments p on p.id = f.row_id
    where f.job in ('payments that wait', 'unwanted payments') and f.quarantined_at is not null
    and p.status in ('CREATED', 'CLOSING')`,

  /** status and pay status of an order contradict each other */
  ORDER_STATUS_CONTRADICTS: sql`select o.id as order_id, null as ref from orders o where ${statusContradictsPayment}`,

  /** a paid order without a payment in the ledger (an unbooked payment is PAYMENT_NOT_BOOKED) */
  ORDER_WITHOUT_PAYMENT: sql`select o.id as order_id, null as ref from orders o where ${wasPaid} and not ${hasPayLine}
    and not exists (select from payments p where p.order_id = o.id and p.status = 'PAID' and not ${booked})`,

  /** the ledger says the order was settled, the order says unpaid */
  PAYMENT_WITHOUT_ORDER: sql`select l.order_id, l.payment_id as ref from ledger l join orders o on o.id = l.order_id
    where l.kind = 'PAY' and o.pay_status = 'UNPAID' and not ${statusContradictsPayment}`,

  /** the amount an order was settled with differs from its price */
  ORDER_AMOUNT: sql`select o.id as order_id, p.id as ref from ledger l join orders o on o.id = l.order_id
    join payments p on p.id = l.payment_id where l.kind = 'PAY' and ${wasPaid}
    and l.amount_fen = p.amount_fen and o.pay_fen <> p.amount_fen`,

  /** a paid order's amount is not its price less its discount */
  ORDER_PRICE: sql`select o.id as order_id, o.coupon_id as ref from orders o join ledger l on l.order_id = o.id
    where l.kind = 'PAY' and ${wasPaid} and l.amount_fen = o.pay_fen
    and o.pay_fen <> greatest(0, o.origin_fen - o.discount_fen)`,

  /** a completed refund without a ledger entry */
  REFUND_NOT_BOOKED: sql`select r.order_id, r.id as ref from refunds r where r.status = 'DONE'
    and not exists (select from ledger l where l.payment_id = r.payment_id and l.kind = 'REFUND')`,

  /** a refund in the ledger that was not completed */
  LEDGER_WITHOUT_REFUND: sql`select l.order_id, l.txn as ref from ledger l where l.kind = 'REFUND'
    and not exists (select from refunds r where r.id = l.txn and r.payment_id = l.payment_id and r.status = 'DONE')`,

  /** a refund, and its ledger entry, must be the whole payment */
  REFUND_AMOUNT: sql`select r.order_id, r.id as ref from refunds r join payments p on p.id = r.payment_id
    left join ledger l on l.kind = 'REFUND' and l.txn = r.id and l.payment_id = r.payment_id
    where r.status <> 'FAILED' and (r.amount_fen <> p.amount_fen or l.amount_fen <> -r.amount_fen)`,

  /** the provider has paid back another amount than is booked */
  REFUND_AT_PROVIDER: refundsAtProvider,

  /** an order is refunded, but no money was returned */
  ORDER_WITHOUT_REFUND: sql`select o.id as order_id, null as ref from orders o
    where o.pay_status = 'REFUNDED' and o.pay_fen > 0 and not ${statusContradictsPayment}
    and not exists (select ${refundOfOrder} and r.status = 'DONE')
    and not exists (select from ledger l join ledger s on s.payment_id = l.payment_id and s.kind = 'REFUND'
      where l.order_id = o.id and l.kind = 'PAY')`,

  /** a refund exists for an order whose status does not say so */
  REFUND_WITHOUT_ORDER: sql`select o.id as order_id, r.id as ref from refunds r
    join ledger l on l.payment_id = r.payment_id and l.kind = 'PAY' join orders o on o.id = l.order_id
    where o.pay_status <> case when r.status = 'DONE' then 'REFUNDED' else 'REFUNDING' end
    and r.status <> 'FAILED' and not ${statusContradictsPayment}`,

  /** a refund was decided but not started */
  REFUND_NOT_STARTED: sql`select o.id as order_id, null as ref from orders o
    where o.pay_status = 'REFUNDING' and o.refund_due_at is null and o.pay_fen > 0 and not ${statusContradictsPayment}
    and not exists (select ${refundOfOrder} and r.status <> 'FAILED')`,

  /** a refund in progress that is not scheduled for a retry */
  REFUND_NOT_TRIED: sql`select r.order_id, r.id as ref from refunds r
    where r.status in ('PENDING', 'PROCESSING') and r.next_at is null`,

  /** a refund that the job has quarantined after three failures; not begun if it has no refund number */
  REFUND_QUARANTINED: sql`select r.order_id, r.id as ref from job_failures f join refunds r on r.id = f.row_id
    where f.job = 'refunds' and f.quarantined_at is not null and r.status in ('PENDING', 'PROCESSING')
    union all select o.id, null from job_failures f join orders o on o.id = f.row_id
    where f.job = 'unanswered refunds' and f.quarantined_at is not null and o.status = 'REFUNDING'
    and o.refund_due_at is not null`,

  /** an order past its time limit that the job has quarantined after three failures; `ref` is its current status, which waits */
  DEADLINE_QUARANTINED: sql`select o.id as order_id, o.status as ref from job_failures f join orders o on o.id = f.row_id
    where f.job = 'order deadlines' and f.quarantined_at is not null
    and o.status not in ('PROCESSING', 'REFUNDING', 'DONE', 'EXPIRED', 'REFUNDED', 'CANCELED', 'CLOSED')`,

  /** a surplus payment that is not being returned, also because the provider refused; REFUND_AT_PROVIDER otherwise */
  SURPLUS_NOT_RETURNED: sql`select l.order_id, l.payment_id as ref from ledger l where l.kind = 'SURPLUS'
    and not exists (select from refunds r where r.payment_id = l.payment_id and r.status <> 'FAILED')
    and not exists (select from payments p where p.id = l.payment_id and p.refunded_fen is not null)
    and not exists (select from ledger s where s.payment_id = l.payment_id and s.kind = 'PAY')`,
} as const satisfies Record<string, CheckQuery | ReturnType<typeof sql>>
