import { AppError, invalid, orderNotFound } from '../../core/app-error'
import type { Deps } from '../../core/context'
import { type DeliveredReport, takeOrder } from '../orders/appraising/appraiser-actions'
import { isUnaccepted } from '../orders/appraising/blind-estimates'
import { demoAppraiser, demoDeliver } from './demo-appraiser'

/**
 * Delivers a report by the sandbox's appraiser; an order that nobody has accepted is assigned first.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, ORDER_STATUS_CHANGED
 */
export async function sandboxReport(deps: Deps, body: unknown): Promise<DeliveredReport> {
  const { orderId, priceFen, comment = '' } = (body ?? {}) as Record<string, unknown>
  if (typeof orderId !== 'string') throw invalid([{ path: 'orderId', msg: '请给出订单' }])
  if (typeof priceFen !== 'number') throw invalid([{ path: 'priceFen', msg: '请填写大于 0 的价格（分）' }])
  if (typeof comment !== 'string') throw invalid([{ path: 'comment', msg: '估价说明应为文字' }])
  const columns = deps.db.selectFrom('orders').select(['status', isUnaccepted.as('unaccepted')])
  const order = await columns.where('id', '=', orderId).executeTakeFirst()
  if (!order) throw orderNotFound()
  if (order.status === 'PAID' || order.unaccepted) {
    const take = deps.db.transaction().execute((tx) => takeOrder(tx, orderId, demoAppraiser, deps.clock.now()))
    if (!(await take)) throw new AppError('ORDER_STATUS_CHANGED')
  }
  // delivered after the assignment, so that the two messages arrive in the right order
  return demoDeliver(deps, { orderId, priceFen, comment, now: deps.clock.now() })
}
