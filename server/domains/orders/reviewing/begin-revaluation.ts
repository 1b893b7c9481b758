import { sql, type Updateable } from 'kysely'
import type { Db } from '../../../db/database'
import type { Orders } from '../../../db/tables'
import { hasValidReport } from '../../reports/validity'
import { type Actor, transitionOrder } from '../order-transitions'
import { deliveryDueAt } from '../periods'

interface Revaluation {
  orderId: string
  now: number
  actor: Actor
  /** why the owner asks for it */
  text: string
  patch?: Updateable<Orders>
}

/** The one free revaluation of a manual report: REPORTED → REVALUING. @returns false when used up or too late */
export const beginRevaluation = (tx: Db, { orderId, now, actor, text, patch }: Revaluation): Promise<boolean> =>
  transitionOrder(tx, {
    orderId,
    from: 'REPORTED',
    to: 'REVALUING',
    now,
    actor,
    patch: {
      due_at: deliveryDueAt(now),
      late_coupon_at: null,
      reassigned_at: null,
      ...patch,
      revaluation_request: text,
      revalued: true,
    },
    only: sql<boolean>`not revalued and ${hasValidReport(now)}`,
  })
