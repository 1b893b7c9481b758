import { sql, type Updateable } from 'kysely'
import { visibleText } from '@/contract/rules'
import type { RevaluationRequest } from '@/contract/types'
import { invalid } from '../../core/app-error'
import type { Db } from '../../db/database'
import type { Orders } from '../../db/tables'
import { hasValidReport } from '../reports/validity'
import { type Actor, transitionOrder } from './order-transitions'
import { deliveryDueAt } from './periods'

/** @throws AppError VALIDATION_FAILED without a reason, or with 其他 and no text */
export function validRevaluation({
  reasons = [],
  remark = '',
}: {
  reasons?: RevaluationRequest['reasons']
  remark?: string
}): RevaluationRequest {
  const text = remark.trim()
  if (reasons.length === 0) throw invalid([{ path: 'reasons', msg: '请选择复估的原因' }])
  if (reasons.includes('OTHER') && visibleText(text) === '')
    throw invalid([{ path: 'remark', msg: '请写明复估的原因' }])
  return { reasons, text }
}

interface Revaluation {
  orderId: string
  now: number
  actor: Actor
  request: RevaluationRequest
  patch?: Updateable<Orders>
}

/** The one free revaluation of a manual report: REPORTED → REVALUING. @returns false when used up or too late */
export const beginRevaluation = (tx: Db, { orderId, now, actor, request, patch }: Revaluation): Promise<boolean> =>
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
      revaluation_request: JSON.stringify(request),
      revalued: true,
    },
    only: sql<boolean>`not revalued and ${hasValidReport(now)}`,
  })
