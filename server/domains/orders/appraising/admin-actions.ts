/** Admin actions on orders of other users and appraisers. */
import { sql } from 'kysely'
import type { OrderStatus } from '@/contract/orderStatus'
import { wordedLength } from '@/contract/rules'
import { AppError, invalid } from '../../../core/app-error'
import type { Db } from '../../../db/database'
import { contactIssue } from '../../shared/contact-details'
import { lockOrder } from '../lock-order'
import { notifyOwner } from '../notify-owner'
import { transitionOrder } from '../order-transitions'
import { beginRefund } from '../refunding/request-refund'

/** length of a reason; shown to the user */
const WORDS = { min: 4, max: 100 }
/** Reason in the ledger and at the provider; the full reason is only shown to the user. */
const BY_STAFF = '客服退款'

/** Statuses in which the state tables allow a refund by staff. */
export const refundable: { readonly [M in 'AI' | 'MANUAL']: readonly OrderStatus[] } = {
  AI: ['UNLOCKED'],
  MANUAL: ['PAID', 'ASSIGNED', 'WAIT_INFO', 'REVALUING'],
}

interface By {
  orderId: string
  /** the admin */
  staffId: string
  now: number
}

function checkedWords(text: string): string {
  const words = text.trim()
  if (wordedLength(words) < WORDS.min || words.length > WORDS.max)
    throw invalid([{ path: 'words', msg: `请写明理由（${WORDS.min}-${WORDS.max} 字），用户会看到` }])
  const msg = contactIssue(words)
  if (msg) throw invalid([{ path: 'words', msg }])
  return words
}

/** Refunds an order in full at once, without a request. @throws AppError VALIDATION_FAILED, ORDER_STATUS_CHANGED */
export async function refundByStaff(tx: Db, { orderId, staffId, now, words }: By & { words: string }): Promise<void> {
  const remark = checkedWords(words)
  const order = await lockOrder(tx, orderId)
  const from = order?.status as OrderStatus
  if (!order || !refundable[order.mode].includes(from) || order.pay_status !== 'PAID')
    throw new AppError('ORDER_STATUS_CHANGED')
  const begin = { from, now, actor: `staff:${staffId}`, reason: BY_STAFF, remark, review: false } as const
  if (!(await beginRefund(tx, order, begin))) throw new AppError('ORDER_STATUS_CHANGED')
}

interface Assigned {
  id: string
  user_id: string
  title: string
  /** somebody else was to value it before */
  replaced?: boolean
}

/** Tells the owner who values their order now. */
const notifyOfAppraiser = (tx: Db, order: Assigned, { to, now }: HandOn) =>
  notifyOwner(tx, order, {
    title: order.replaced ? '已更换估价师' : '已安排估价师',
    summary: `“${order.title}”${order.replaced ? '改由' : '由'} ${to.nick} 估价`,
    now,
  })

interface HandOn {
  orderId: string
  to: { staffId: string; nick: string }
  now: number
}

/**
 * Gives an order that nobody took to an appraiser before its time limit. Until they begin it is not accepted: its owner may
 * still cancel it at once, and others may take it.
 * @returns false when it was taken meanwhile
 */
export async function assignUntaken(tx: Db, handOn: HandOn): Promise<boolean> {
  const { orderId, to, now } = handOn
  const patch = { appraiser_id: to.staffId, reassigned_at: now }
  if (!(await transitionOrder(tx, { orderId, from: 'PAID', to: 'ASSIGNED', now, actor: 'system', patch }))) return false
  const order = await lockOrder(tx, orderId)
  if (order) await notifyOfAppraiser(tx, order, handOn)
  return true
}

/**
 * Hands an order on before its time limit, when its price is still awaited: to somebody who has not given one, once.
 * Unlike a status, the appraiser is not part of the state machine.
 * @returns false when it was delivered, priced by them or handed on meanwhile
 */
export async function reassignOrder(tx: Db, handOn: HandOn): Promise<boolean> {
  const { orderId, to, now } = handOn
  const opinions = sql`from appraisals o where o.order_id = orders.id and orders.status = 'ASSIGNED'`
  const order = await tx
    .updateTable('orders')
    .set({ appraiser_id: to.staffId, reassigned_at: now })
    .where('id', '=', orderId)
    .where('status', 'in', ['ASSIGNED', 'REVALUING'])
    .where('reassigned_at', 'is', null)
    .where('appraiser_id', '<>', to.staffId)
    .where(sql<boolean>`not exists (select ${opinions} and o.staff_id = ${to.staffId})`)
    .returning(['id', 'user_id', 'title', sql<boolean>`not exists (select ${opinions})`.as('replaced')])
    .executeTakeFirst()
  if (!order) return false
  await notifyOfAppraiser(tx, order, handOn)
  return true
}
