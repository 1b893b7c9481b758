import { sql, type Updateable } from 'kysely'
import type { Db } from '../../db/database'
import type { OrdersTable } from '../../db/tables'
import { REPORT_LIFETIME_MS } from '../reports/validity'
import { workingTimeFrom } from '../shared/working-hours'
import { type Actor, move } from './order-status'
import { DELIVERY_PERIOD_MS } from './terms'

interface Revalue {
  orderId: string
  now: number
  actor: Actor
  patch?: Updateable<OrdersTable>
}

/** The one free re-check of a manual report: REPORTED → REVALUING. @returns false when used up or too late */
export const beginRevalue = (tx: Db, { orderId, now, actor, patch }: Revalue): Promise<boolean> =>
  move(tx, {
    orderId,
    from: 'REPORTED',
    to: 'REVALUING',
    now,
    actor,
    patch: {
      due_at: workingTimeFrom(now, DELIVERY_PERIOD_MS),
      late_coupon_at: null,
      reassigned_at: null,
      ...patch,
      revalued: true,
    },
    only: sql<boolean>`not revalued and reported_at > ${now - REPORT_LIFETIME_MS}::bigint`,
  })
