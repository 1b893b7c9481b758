import { sql } from 'kysely'
import { REPORT_PAGE } from '@/contract/pages'
import { wordedLength } from '@/contract/rules'
import type { AppraisalDetails } from '@/contract/types'
import { AppError, invalid, orderNotFound } from '../../../core/app-error'
import type { Deps } from '../../../core/context'
import type { Db } from '../../../db/database'
import type { Valued } from '../../../engine/types'
import { valuate } from '../../../engine/valuate'
import { notify } from '../../accounts/notifications/send'
import { submittedPictures } from '../../games/answered-pictures'
import type { ActiveModel } from '../../models/repository'
import { type AgreedPrice, type Appraisal, ownPrice } from '../../reports/appraised-price'
import { transferShare } from '../../reports/publishing/share'
import {
  type Person,
  reportBody,
  type StoredAppraisal,
  type StoredReport,
  storeAppraisedReport,
} from '../../reports/store'
import { contactIssue, secretIssue } from '../../shared/contact-details'
import { pageLink } from '../../shared/page-link'
import { lockOrder } from '../lock-order'
import { notifyOwner } from '../notify-owner'
import { transitionOrder } from '../order-transitions'
import type { OrderRow } from '../paying/lock-price'
import { MAX_INFO_REQUESTS, SUPPLY_PERIOD_MS } from '../periods'
import { unlockIncluded } from '../unlock-report'
import { validateAppraisal } from './appraisal-details'
import { type AppraisalWait, addAppraisal, storeAppraisal } from './appraisals'
import { acceptBegun, isUnaccepted } from './blind-estimates'

export interface Appraiser {
  staffId: string
  name: string
  no: string
  years: number
}

/**
 * PAID → ASSIGNED, or accepts an order that was given to somebody who has not begun it.
 * @param only additional condition over `orders`
 * @returns false when it was taken by another appraiser, is not available, or the condition is not met
 */
export async function takeOrder(
  tx: Db,
  orderId: string,
  { staffId, name }: Appraiser,
  now: number,
  only = sql<boolean>`true`,
): Promise<boolean> {
  const actor = `staff:${staffId}` as const
  const patch = { assigned_at: now, appraiser_id: staffId }
  const accepted = () =>
    tx
      .updateTable('orders')
      .set(patch)
      .where('id', '=', orderId)
      .where(isUnaccepted)
      .where(only)
      .returning('id')
      .executeTakeFirst()
  const take = { orderId, from: 'PAID', to: 'ASSIGNED', now, actor, patch, only } as const
  if (!(await transitionOrder(tx, take)) && !(await accepted())) return false
  const order = await lockOrder(tx, orderId)
  if (order)
    await notifyOwner(tx, order, { title: '已接单', summary: `${name} 已接单，正在为“${order.title}”估价`, now })
  return true
}

/**
 * Why the owner may not be asked for information: three requests at most, and none once the order is late, because each
 * moves its time limit and so the refund. Returning from a refused refund is no request.
 */
async function requestIssue(tx: Db, { id: orderId, due_at }: OrderRow, now: number): Promise<string | undefined> {
  if ((due_at ?? now) < now) return '已过约定的交付时间，不能再请用户补充，请按现有资料估价'
  const requests = await tx
    .selectFrom('order_events')
    .select('id')
    .where('order_id', '=', orderId)
    .where('from_status', '=', 'ASSIGNED')
    .where('to_status', '=', 'WAIT_INFO')
    .execute()
  return requests.length < MAX_INFO_REQUESTS ? undefined : `已请用户补充 ${MAX_INFO_REQUESTS} 次，请按现有资料估价`
}

/** ASSIGNED → WAIT_INFO by one of the order's appraisers. @throws AppError VALIDATION_FAILED, ORDER_STATUS_CHANGED */
export async function requestInfo(
  tx: Db,
  { orderId, staffId, wanted, now }: { orderId: string; staffId: string; wanted: string; now: number },
): Promise<void> {
  const text = wanted.trim()
  if (wordedLength(text) === 0 || text.length > 200)
    throw invalid([{ path: 'wanted', msg: '请写明需要补充的资料（1-200 字）' }])
  const order = await lockOrder(tx, orderId)
  if (!order) throw orderNotFound()
  const msg = contactIssue(text) ?? secretIssue(text) ?? (await requestIssue(tx, order, now))
  if (msg) throw invalid([{ path: 'wanted', msg }])
  await acceptBegun(tx, { orderId, staffId, now })
  const moved = await transitionOrder(tx, {
    orderId,
    from: 'ASSIGNED',
    to: 'WAIT_INFO',
    now,
    actor: `staff:${staffId}`,
    patch: { info_wanted: text, info_due_at: now + SUPPLY_PERIOD_MS },
  })
  if (!moved) throw new AppError('ORDER_STATUS_CHANGED')
  const summary = `“${order.title}”需要补充：${text}。请在 48 小时内补充，逾期将全额退款`
  await notifyOwner(tx, order, { type: 'NEED_INFO', title: '待补充资料', summary, now })
}

/** The model's valuation beside an appraiser's, and its model. */
export type ModelValuation = Valued & { active: ActiveModel }

/**
 * The model's current valuation of an order's answers; undefined when there is none.
 * @param waits ms to wait for a first model; default of `ModelRepository` when omitted
 * @throws AppError MODEL_PENDING
 */
export async function modelValuation(
  { repositories: { games, models } }: Deps,
  order: OrderRow,
  now: number,
): Promise<ModelValuation | undefined> {
  const { config } = await games.find(order.game_id)
  const active = await models.active(config)
  const valued = active && valuate(active.model, config, order.answers, { now, source: 'TYPED' })
  return active && valued?.ok ? { ...valued, active } : undefined
}

export interface Delivery {
  orderId: string
  priceFen: number
  /** range, prices, changed lines and struck comparables; called once. @throws AppError VALIDATION_FAILED */
  compose: (valued: ModelValuation | undefined) => AppraisalDetails
  comment: string
  appraiser: Appraiser
  now: number
  /** runs in the same transaction, e.g. for the desk's log */
  alongside?: (tx: Db, made: DeliveredReport | AppraisalWait) => Promise<void>
}

export interface DeliveredReport {
  reportNo: string
  version: number
}

const newestReport = (tx: Db, orderId: string) =>
  tx
    .selectFrom('reports')
    .select(['report_no', 'version', 'predict_fen', 'body'])
    .where('order_id', '=', orderId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * Those who valued the version before, without the author of the new one: a revaluation of an expert order is one person's
 * work, and the report still shows what the others delivered.
 */
function peopleBefore({ level }: OrderRow, body: StoredReport | StoredAppraisal, { no }: Appraiser): Person[] {
  if (level !== 'PRO' || !('appraiser' in body)) return []
  return [body.appraiser, ...body.others].filter((person) => person.no !== no)
}

/** The price and its authors, or what the order still waits for. */
async function priced(
  tx: Db,
  order: OrderRow,
  entry: { orderId: string; version: number; mine: Appraisal; now: number },
): Promise<AppraisalWait | AgreedPrice> {
  if (order.level === 'PRO' && order.status === 'ASSIGNED') return addAppraisal(tx, entry)
  await storeAppraisal(tx, entry)
  return ownPrice(entry.mine)
}

/**
 * A manual report: ASSIGNED → REPORTED with version 1, or REVALUING → REPORTED with the next version; earlier versions
 * are kept. The model's valuation of the same answers is stored with it. An expert order is reported when two
 * appraisers have given prices that agree; until then only the appraisal is stored.
 * @throws AppError NOT_FOUND, VALIDATION_FAILED, ORDER_STATUS_CHANGED, MODEL_PENDING
 */
export async function deliverReport(deps: Deps, d: Delivery): Promise<DeliveredReport | AppraisalWait> {
  const { orderId, now, appraiser } = d
  const comment = d.comment.trim()
  const checked = await deps.db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirst()
  if (checked?.mode !== 'MANUAL') throw orderNotFound()
  // the model is asked before the transaction, because training a first one may take seconds
  const valued = await modelValuation(deps, checked, now)
  const { config } = await deps.repositories.games.find(checked.game_id)
  const { staffId, name, no, years } = appraiser
  const details = d.compose(valued)
  const mine: Appraisal = { staffId, name, no, years, priceFen: d.priceFen, comment, details }
  validateAppraisal({ ...mine, valued })
  return deps.db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (order?.status !== 'ASSIGNED' && order?.status !== 'REVALUING') throw new AppError('ORDER_STATUS_CHANGED')
    // the order was returned or reassigned after this appraiser's permission was checked
    if (order.status !== checked.status || order.appraiser_id !== checked.appraiser_id)
      throw new AppError('ORDER_STATUS_CHANGED')
    const before = await newestReport(tx, orderId)
    const version = (before?.version ?? 0) + 1
    const price = await priced(tx, order, { orderId, version, mine, now })
    await acceptBegun(tx, { orderId, staffId, now })
    if (typeof price === 'string') {
      // another price is awaited now, whoever gave this one: the order may be handed on for it
      await tx.updateTable('orders').set({ reassigned_at: null }).where('id', '=', orderId).execute()
      await d.alongside?.(tx, price)
      return price
    }
    const { reportNo, accountId } = await storeAppraisedReport(
      tx,
      { config, answers: order.answers, source: 'TYPED', now },
      {
        ...{ orderId, userId: order.user_id, version, ...price },
        ...(before && { before: peopleBefore(order, reportBody(before), appraiser) }),
        isExpert: order.level === 'PRO',
        pictures: (await submittedPictures(tx, config, order)).length,
        ...(valued && { valued }),
        ...(before && {
          revised: {
            ...{ text: order.revaluation_request ?? '', reportNo: before.report_no, beforeFen: before.predict_fen },
          },
        }),
      },
    )
    if (before) await transferShare(tx, { from: before.report_no, to: reportNo })
    await unlockIncluded(tx, { userId: order.user_id, accountId, config, answers: order.answers, now })
    const actor = `staff:${staffId}` as const
    const patch = { report_no: reportNo, reported_at: now }
    await transitionOrder(tx, { orderId, from: order.status, to: 'REPORTED', now, actor, patch, note: `v${version}` })
    await notify(tx, {
      userId: order.user_id,
      type: 'REPORT_READY',
      title: version > 1 ? '复估报告已出' : '报告已出',
      summary: `“${order.title}”的人工估价报告已出，请查看`,
      bizType: 'REPORT',
      bizId: reportNo,
      link: pageLink(REPORT_PAGE, { orderId }),
      now,
    })
    await d.alongside?.(tx, { reportNo, version })
    return { reportNo, version }
  })
}
