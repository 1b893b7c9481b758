import { sql } from 'kysely'
import type { AppraisalDetails } from '@/contract/types'
import { AppError } from '../../core/app-error'
import type { Deps } from '../../core/context'
import { isModelPending } from '../models/repository'
import {
  type Appraiser,
  type DeliveredReport,
  deliverReport,
  modelValuation,
  takeOrder,
} from '../orders/appraising/appraiser-actions'
import { type RowOutcome, rowsJob } from '../shared/due-rows'
import type { Job } from '../shared/job'
import { SANDBOX_APPRAISER, SANDBOX_SECOND } from './staff'

/** The sandbox's fictitious appraiser; every report says so. */
export const demoAppraiser: Appraiser = { staffId: SANDBOX_APPRAISER, name: '沙箱估价师', no: 'A000', years: 0 }

/** The second appraiser of expert orders. */
const demoSecond: Appraiser = { staffId: SANDBOX_SECOND, name: '沙箱估价师（复核）', no: 'AS00', years: 0 }

const share = (fen: number, of: number) => Math.max(1, Math.round(fen * of))

/** An appraisal that agrees with the model. */
const demoDetails = (priceFen: number) => (): AppraisalDetails => ({
  ...{ lowFen: share(priceFen, 0.88), quickFen: share(priceFen, 0.94) },
  ...{ listFen: share(priceFen, 1.06), highFen: share(priceFen, 1.12) },
  ...{ corrections: [], struck: [], checked: [] },
})

/** Delivers with a price by the demo appraiser, for an expert order also with the second appraisal. */
export async function demoDeliver(
  deps: Deps,
  d: { orderId: string; priceFen: number; comment: string; now: number },
): Promise<DeliveredReport> {
  const compose = demoDetails(d.priceFen)
  const made = await deliverReport(deps, { ...d, compose, appraiser: demoAppraiser })
  if (typeof made !== 'string') return made
  const second = await deliverReport(deps, { ...d, compose, appraiser: demoSecond })
  if (typeof second === 'string') throw new AppError('ORDER_STATUS_CHANGED', { msg: '另一位估价师的估价与此相差太远' })
  return second
}

const COMMENT = '沙箱演示：这份报告由演示程序按模型价格给出，不是真人估价。'

/** An order may end or be handled manually meanwhile, which is not a failure. */
async function unlessChanged(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (e) {
    if (e instanceof AppError) return false
    throw e
  }
}

async function serve(deps: Deps, orderId: string, status: string, now: number): Promise<RowOutcome> {
  if (status === 'PAID') return deps.db.transaction().execute((tx) => takeOrder(tx, orderId, demoAppraiser, now))
  const order = await deps.db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow()
  const valued = await modelValuation(deps, order, now).catch((e: unknown) => {
    if (!isModelPending(e)) throw e
  })
  // without sales there is no price: the order is refunded by the late rule
  if (!valued) return false
  const { predictFen: priceFen } = valued.price
  return unlessChanged(() => demoDeliver(deps, { orderId, priceFen, comment: COMMENT, now }))
}

/**
 * The sandbox's appraiser, so that manual orders complete without the desk: takes an order some real time after it was
 * first seen, and delivers after the same time again. Real time, so that moving the sandbox's clock demonstrates the
 * late rules.
 */
export function demoAppraiserJob(realNow: () => number = Date.now): Job {
  const seen = new Map<string, number>()
  return rowsJob({ name: 'sandbox appraiser' }, (deps, now) => ({
    async due(notQuarantined) {
      const after = deps.settings.demoAppraiser * 1000
      if (!deps.settings.sandbox || after === 0) return []
      const rows = await deps.db
        .selectFrom('orders')
        .select(['id', 'status', 'appraiser_id', notQuarantined(sql`orders.id`).as('allowed')])
        .where('status', 'in', ['PAID', 'ASSIGNED', 'REVALUING'])
        .execute()
      const mine = rows.filter((r) => r.status === 'PAID' || r.appraiser_id === demoAppraiser.staffId)
      const keys = new Set(mine.map((r) => `${r.id} ${r.status}`))
      for (const key of seen.keys()) if (!keys.has(key)) seen.delete(key)
      for (const key of keys) seen.set(key, seen.get(key) ?? realNow())
      return mine.filter((r) => r.allowed && realNow() - (seen.get(`${r.id} ${r.status}`) ?? realNow()) >= after)
    },
    idOf: ({ id }) => id,
    process: ({ id, status }) => serve(deps, id, status, now),
  }))
}
