/** Compares payments with what their payers received. docs/ledger.md lists the repair of each kind. */
import { sql } from 'kysely'
import { DAY_MS } from '@/contract/time'
import { MESSAGE_RETENTION_MS } from '../../accounts/notifications/list'
import { RECORDS_KEPT_MS } from '../../shared/retention'
import { type CheckQuery, hasPayLine, isErased, statusContradictsPayment, wasPaid } from './sql'

/** Statuses of an AI order whose owner may read the whole report. */
const unlocked = sql`('UNLOCKED', 'DONE', 'REFUNDING')`

/** SQL over `order_events e` and `orders o`: the transition caused by a payment. */
const payStep = sql`case o.mode when 'MANUAL' then e.from_status = 'UNPAID' and e.to_status = 'PAID'
  else e.from_status = 'REPORTED' and e.to_status = 'UNLOCKED' and e.note in ('PAY', 'COUPON') end`

/** SQL over `orders o`: unpaid, so it may lock a coupon. */
const waits = sql`((o.mode = 'MANUAL' and o.status = 'UNPAID') or (o.mode = 'AI' and o.status = 'REPORTED'))`

/** @param now ms: messages and events are kept for a limited time only */
export const entitlementChecks = (now: number) =>
  ({
    /** the order is unlocked, its report is locked */
    REPORT_LOCKED: sql`select o.id as order_id, r.report_no as ref from orders o join reports r on r.order_id = o.id
      where o.mode = 'AI' and o.status in ${unlocked} and r.status = 'LOCKED'`,

    /** the report is unlocked, its order is not */
    REPORT_UNLOCKED: sql`select o.id as order_id, r.report_no as ref from orders o join reports r on r.order_id = o.id
      where o.mode = 'AI' and o.status not in ${unlocked} and r.status = 'UNLOCKED'`,

    /** an order that should have a report has none */
    REPORT_MISSING: sql`select o.id as order_id, null as ref from orders o
      where ((o.mode = 'AI' and o.status in ${unlocked}) or (o.mode = 'MANUAL' and o.status in ('REPORTED', 'DONE')))
      and not exists (select from reports r where r.order_id = o.id) and not ${isErased}`,

    /** a paid order without a payment event */
    PAID_EVENT_MISSING: sql`select o.id as order_id, null as ref from orders o where ${wasPaid} and ${hasPayLine}
      and o.created_at > ${now - RECORDS_KEPT_MS}::bigint and not exists (select from order_events e where e.order_id = o.id and ${payStep})`,

    /** an order with two payment events */
    PAID_EVENT_TWICE: sql`select e.order_id, null as ref from order_events e join orders o on o.id = e.order_id
      where ${payStep} group by e.order_id having count(*) > 1`,

    /** an unpaid order with a payment event */
    PAID_EVENT_WITHOUT_PAYMENT: sql`select o.id as order_id, null as ref from order_events e
      join orders o on o.id = e.order_id
      where ${payStep} and o.pay_status = 'UNPAID' and not ${hasPayLine} and not ${statusContradictsPayment}
      group by o.id`,

    /** an order's status differs from that of its last event */
    LAST_EVENT_MISMATCH: sql`select o.id as order_id, e.to_status as ref from orders o
      left join (select order_id, max(id) as id from order_events group by order_id) as newest on newest.order_id = o.id
      left join order_events e on e.id = newest.id where e.to_status is distinct from o.status
      and (e.id is not null or o.created_at > ${now - RECORDS_KEPT_MS}::bigint)`,

    /** the owner was not notified of a payment; deleted messages are accounted for */
    PAID_MESSAGE_MISSING: sql`select o.id as order_id, null as ref from orders o
      where ${wasPaid} and ${hasPayLine} and o.paid_at > ${now - MESSAGE_RETENTION_MS + DAY_MS}::bigint
      and not exists (select from messages m where m.user_id = o.user_id and m.type = 'PAID' and m.biz_id = o.id)
      and not exists (select from deleted_receipts d where d.order_id = o.id) and not ${isErased}`,

    /** the owner was notified twice of one payment */
    PAID_MESSAGE_TWICE: sql`select m.biz_id as order_id, null as ref from messages m
      where m.type = 'PAID' group by m.biz_id having count(*) > 1`,

    /** a paid order references a coupon that is not used */
    COUPON_NOT_USED: sql`select o.id as order_id, o.coupon_id as ref from orders o
      where o.pay_status in ('PAID', 'REFUNDING') and o.coupon_id is not null and not ${statusContradictsPayment}
      and not exists (select from user_coupons c where c.coupon_id = o.coupon_id and c.order_id = o.id
        and c.status = 'USED') and not ${isErased}`,

    /** an unpaid order references a coupon that is not locked for it */
    COUPON_NOT_LOCKED: sql`select o.id as order_id, o.coupon_id as ref from orders o
      where ${waits} and o.coupon_id is not null and not ${statusContradictsPayment}
      and not exists (select from user_coupons c where c.coupon_id = o.coupon_id and c.order_id = o.id
        and c.status = 'LOCKED')`,

    /** a coupon is used for an order that is unpaid or does not reference it */
    COUPON_USED_WITHOUT_ORDER: sql`select c.order_id, c.coupon_id as ref from user_coupons c
      left join orders o on o.id = c.order_id where c.status = 'USED' and (o.id is null
      or o.coupon_id is distinct from c.coupon_id or (o.pay_status not in ('PAID', 'REFUNDING') and not ${statusContradictsPayment}))`,

    /** a coupon is locked for an order that is not awaiting payment or does not reference it */
    COUPON_LOCKED_WITHOUT_ORDER: sql`select c.order_id, c.coupon_id as ref from user_coupons c
      left join orders o on o.id = c.order_id where c.status = 'LOCKED'
      and (o.id is null or o.coupon_id is distinct from c.coupon_id or not ${waits})
      and not coalesce(o.pay_status in ('PAID', 'REFUNDING') and o.coupon_id = c.coupon_id, false)`,

    /** an order references another user's coupon */
    COUPON_OWNER: sql`select c.order_id, c.coupon_id as ref from user_coupons c join orders o on o.id = c.order_id
      where c.user_id <> o.user_id`,
  }) as const satisfies Record<string, CheckQuery | ReturnType<typeof sql>>
