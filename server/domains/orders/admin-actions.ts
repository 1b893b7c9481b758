/** Admin actions on orders of other users and appraisers. */
import { sql } from 'kysely'
import type { OrderStatus } from '@/contract/orderStatus'
import { wordedLength } from '@/contract/rules'
import { AppError, invalid } from '../../core/app-error'
import type { Db } from '../../db/database'
import { notify } from '../notifications/send'
import { hasValidReport } from '../reports/validity'
import { contactIssue } from '../shared/contact-details'
import { notPaidBack } from './begin-revaluation'
import { transitionOrder } from './order-transitions'
import { deliveryDueAt } from './periods'
import { orderRecord } from './refund-outcome'
import { beginRefund } from './request-refund'

/** length of a reason; shown to the user */
const WORDS = { min: 4, max: 100 }
/** Reason in the ledger and at the provider; the full reason is only shown to the user. */
const BY_STAFF = '客服退款'

/** Statuses in which the state tables allow a refund by staff. */
export const refundable: { readonly [M in 'AI' | 'MANUAL']: readonly OrderStatus[] } = {
  AI: ['UNLOCKED'],
  MANUAL: ['PAID', 'ASSIGNED', 'WAIT_INFO', 'REVALUING'],
}
export const reassignable: readonly OrderStatus[] = ['ASSIGNED', 'WAIT_INFO']

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

async function lockedOrder(tx: Db, orderId: string) {
  const order = await tx
    .selectFrom('orders')
    .select(['id', 'user_id', 'title', 'mode', 'status', 'pay_status', 'pay_fen', 'appraiser_id'])
    .where('id', '=', orderId)
    .forUpdate()
    .executeTakeFirst()
  if (!order) throw new AppError('NOT_FOUND', { msg: '没有这个订单' })
  return { ...order, status: order.status as OrderStatus }
}

/** Refunds an order in full at once, without a request. @throws AppError VALIDATION_FAILED, ORDER_STATUS_CHANGED */
export async function refundByStaff(tx: Db, { orderId, staffId, now, words }: By & { words: string }): Promise<void> {
  const remark = checkedWords(words)
  const order = await lockedOrder(tx, orderId)
  const { status: from } = order
  if (!refundable[order.mode].includes(from) || order.pay_status !== 'PAID') throw new AppError('ORDER_STATUS_CHANGED')
  const begin = { from, now, actor: `staff:${staffId}`, reason: BY_STAFF, remark, review: false } as const
  if (!(await beginRefund(tx, order, begin))) throw new AppError('ORDER_STATUS_CHANGED')
}

/** Reopens a delivered report for correction; does not use up the owner's free revaluation. @throws as `refundByStaff` */
export async function reopenReport(tx: Db, { orderId, staffId, now, words }: By & { words: string }): Promise<void> {
  const why = checkedWords(words)
  const { user_id: userId, title } = await lockedOrder(tx, orderId)
  const moved = await transitionOrder(tx, {
    orderId,
    from: 'REPORTED',
    to: 'REVALUING',
    now,
    actor: `staff:${staffId}`,
    patch: {
      due_at: deliveryDueAt(now),
      late_coupon_at: null,
      reassigned_at: null,
      revaluation_request: null,
    },
    note: 'REOPEN',
    only: sql<boolean>`${hasValidReport(now)} and ${notPaidBack}`,
  })
  if (!moved) throw new AppError('ORDER_STATUS_CHANGED')
  const summary = `“${title}”：${why}。原报告会保留，新版完成后通知您`
  await notify(tx, {
    ...{ userId, type: 'SYSTEM', title: '正在重新核对您的报告', summary, bizType: 'ORDER', bizId: orderId },
    ...{ link: orderRecord(orderId, 'ALL'), now },
  })
}

interface Told {
  id: string
  user_id: string
  title: string
}

/** Tells the owner who values their order now. */
const tellAppraiser = (tx: Db, order: Told, what: { title: string; summary: string }, now: number) =>
  notify(tx, {
    ...{ userId: order.user_id, type: 'SYSTEM', title: what.title },
    ...{ summary: `“${order.title}”${what.summary}`, bizType: 'ORDER', bizId: order.id },
    ...{ link: orderRecord(order.id, 'ALL'), now },
  })

const replaced = (nick: string) => ({ title: '已更换估价师', summary: `改由 ${nick} 估价` })
const arranged = (nick: string) => ({ title: '已安排估价师', summary: `由 ${nick} 估价` })

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
export async function assignUntaken(tx: Db, { orderId, to, now }: HandOn): Promise<boolean> {
  const patch = { appraiser_id: to.staffId, reassigned_at: now }
  if (!(await transitionOrder(tx, { orderId, from: 'PAID', to: 'ASSIGNED', now, actor: 'system', patch }))) return false
  await tellAppraiser(tx, await lockedOrder(tx, orderId), arranged(to.nick), now)
  return true
}

/**
 * Hands an order on before its time limit, when its price is still awaited: to somebody who has not given one, once.
 * Unlike a status, the appraiser is not part of the state machine.
 * @returns false when it was delivered, priced by them or handed on meanwhile
 */
export async function reassignOrder(tx: Db, { orderId, to, now }: HandOn): Promise<boolean> {
  const opinions = sql`from appraisals o where o.order_id = orders.id and orders.status = 'ASSIGNED'`
  const order = await tx
    .updateTable('orders')
    .set({ appraiser_id: to.staffId, reassigned_at: now })
    .where('id', '=', orderId)
    .where('status', 'in', ['ASSIGNED', 'REVALUING'])
    .where('reassigned_at', 'is', null)
    .where('appraiser_id', '<>', to.staffId)
    .where(sql<boolean>`not exists (select ${opinions} and o.staff_id = ${to.staffId})`)
    .returning(['id', 'user_id', 'title', sql<boolean>`exists (select ${opinions})`.as('joins')])
    .executeTakeFirst()
  if (!order) return false
  await tellAppraiser(tx, order, (order.joins ? arranged : replaced)(to.nick), now)
  return true
}

/**
 * Reassigns an order if it is still assigned to the appraiser it is taken from.
 * @throws AppError VALIDATION_FAILED: not an active appraiser, or the same · ORDER_STATUS_CHANGED
 */
export async function reassign(tx: Db, { orderId, now, to }: By & { to: string }): Promise<{ nick: string }> {
  const order = await lockedOrder(tx, orderId)
  const next = await tx
    .selectFrom('staff')
    .select('nick')
    .where('staff_id', '=', to)
    .where('role', 'in', ['APPRAISER', 'ADMIN'])
    .where('active', '=', true)
    .executeTakeFirst()
  if (!next || to === order.appraiser_id) throw invalid([{ path: 'to', msg: '请选择另一位在岗的估价师' }])
  const changed = await tx
    .updateTable('orders')
    .set({ appraiser_id: to })
    .where('id', '=', orderId)
    .where('mode', '=', 'MANUAL')
    .where('status', 'in', [...reassignable])
    .returning('id')
    .executeTakeFirst()
  if (!changed) throw new AppError('ORDER_STATUS_CHANGED')
  await tellAppraiser(tx, order, replaced(next.nick), now)
  return next
}
