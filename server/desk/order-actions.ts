import { wordedLength } from '@/contract/rules'
import { AppError, invalid } from '../core/app-error'
import { parseChinaDay } from '../core/clock'
import type { Db } from '../db/database'
import { replyChat } from '../domains/chat/desk'
import { recordStaffSale, screenStaffSale } from '../domains/market/follow-ups/order-sale'
import { refundByStaff } from '../domains/orders/appraising/admin-actions'
import { deliverReport, requestInfo } from '../domains/orders/appraising/appraiser-actions'
import {
  commitBlindEstimate,
  givenToAnother,
  keepDelivered,
  saveDraft,
} from '../domains/orders/appraising/blind-estimates'
import { closeQuestion } from '../domains/orders/appraising/questions'
import { takeWithinLimit } from '../domains/orders/appraising/workload'
import { decideRefund } from '../domains/orders/refunding/request-refund'
import { contactIssue } from '../domains/shared/contact-details'
import { type DeskAction, logDesk } from '../domains/staff/log'
import { checksOf, readAppraisal, readPrice } from './appraisal-fields'
import { isFarFrom } from './appraisal-form'
import { type DeskContext, type Fields, logged } from './auth'
import { dayOf, parseYuanInput, yuan } from './format'
import { allowedActions, loadOrder } from './order'
import type { Done } from './page'

const ANSWER = { min: 4, max: 200 }

type OrderActionHandler = (ctx: DeskContext, orderId: string, fields: Fields) => Promise<Done>

interface Change {
  orderId: string
  staffId: string
  staff: DeskContext['staff']
  /** ms */
  now: number
}

/** An action that is one transaction. @param change returns false when nothing changed, and nothing is logged */
const step =
  (
    action: DeskAction,
    done: Done,
    change: (tx: Db, by: Change, fields: Fields) => Promise<unknown>,
  ): OrderActionHandler =>
  async (ctx, orderId, fields) => {
    const { staff, now } = ctx
    await logged(ctx, async (tx) => {
      const changed = await change(tx, { orderId, staffId: staff.staffId, staff, now }, fields)
      return changed === false ? undefined : { action, orderId }
    })
    return done
  }

/** Two appraisers may take an order at the same moment: the second gets an error and the order stays with the first. */
const take = step('TAKE', 'took', (tx, { orderId, staff: { staffId, nick: name, no, years }, now }) =>
  takeWithinLimit(tx, orderId, { staffId, name, no, years }, now),
)

const ask = step('ASK', 'asked', (tx, { orderId, staffId, now }, { wanted = '' }) =>
  requestInfo(tx, { orderId, staffId, wanted, now }),
)

const first = step('FIRST', 'committed', (tx, { orderId, staffId, now }, { first: typed = '' }) =>
  commitBlindEstimate(tx, { orderId, staffId, now, fen: parseYuanInput(typed) ?? 0 }),
)

const draft: OrderActionHandler = async ({ deps, staff: { staffId }, now }, orderId, fields) => {
  const { csrf: _, ...typed } = fields
  await deps.db.transaction().execute((tx) => saveDraft(tx, { orderId, staffId, now, draft: typed }))
  return 'drafted'
}

const deliver: OrderActionHandler = async (ctx, orderId, fields) => {
  const { deps, staff, now } = ctx
  const { staffId, nick: name, no, years } = staff
  const { csrf: _, sure, ...typed } = fields
  const { price = '', comment = '' } = typed
  const priceFen = readPrice(fields)
  const { config, order, pictures, estimate } = await loadOrder(ctx, orderId)
  if (isFarFrom(estimate.firstFen, price) && sure !== price)
    throw invalid([
      { path: 'price', msg: `与您的首次估价 ${yuan(estimate.firstFen ?? 0)} 相差 3 倍以上，确认无误请勾选` },
    ])
  const made = await deliverReport(deps, {
    orderId,
    priceFen,
    compose: readAppraisal(fields, checksOf(config, order, pictures.length)),
    comment: comment.replaceAll('\r\n', '\n'),
    appraiser: { staffId, name, no, years },
    now,
    alongside: async (tx, done) => {
      await keepDelivered(tx, { orderId, staffId }, typed)
      await logDesk(tx, {
        ...{ staffId, orderId, now },
        ...(typeof done === 'string'
          ? { action: 'OPINION', note: yuan(priceFen) }
          : {
              action: done.version > 1 ? 'REVISE' : 'DELIVER',
              subject: done.reportNo,
              note: `v${done.version} ${yuan(priceFen)}`,
            }),
      })
    },
  })
  if (typeof made !== 'string') return 'delivered'
  return made === 'SECOND' ? 'opined' : 'apart'
}

const refundOrder = step('REFUND_BEGIN', 'granted', (tx, { orderId, staffId, now }, { words = '' }) =>
  refundByStaff(tx, { orderId, staffId, now, words }),
)

const grant = step('REFUND_GRANT', 'granted', (tx, { orderId, staffId, now }) =>
  decideRefund(tx, { orderId, now, actor: `staff:${staffId}`, grant: true }),
)

const refuse = step('REFUND_REFUSE', 'refused', async (tx, { orderId, staffId, now }, { answer = '' }) => {
  const words = answer.trim()
  if (wordedLength(words) < ANSWER.min || words.length > ANSWER.max)
    throw invalid([{ path: 'answer', msg: `请写明拒绝退款的理由（${ANSWER.min}-${ANSWER.max} 字），用户会看到` }])
  const msg = contactIssue(words)
  if (msg) throw invalid([{ path: 'answer', msg }])
  await decideRefund(tx, { orderId, now, actor: `staff:${staffId}`, grant: false, answer: words })
})

const answer = step('QUESTION_REPLY', 'sent', async (tx, { orderId, staff, now }, { text = '', id = '' }) => {
  const asked = tx.selectFrom('orders').select(['user_id', 'id', 'title']).where('id', '=', orderId)
  const { user_id: userId, ...order } = await asked.executeTakeFirstOrThrow()
  return replyChat(tx, { userId, order, staff, text: text.replaceAll('\r\n', '\n'), clientId: id, now })
})

const noAnswer = step('QUESTION_DONE', 'changed', (tx, { orderId }) => closeQuestion(tx, orderId))

/** An empty form removes the stored sale. */
function typedSale(price: string, day: string, now: number) {
  if (price.trim() === '' && day.trim() === '') return undefined
  const [soldFen, soldAt] = [parseYuanInput(price), parseChinaDay(day.trim() || dayOf(now))]
  const issues = [
    soldFen === undefined && '请填写成交价（元），例如 2580 或 2580.50',
    typeof soldAt !== 'number' && '日期应写成 2026-11-21',
  ].filter((issue) => typeof issue === 'string')
  if (soldFen === undefined || typeof soldAt !== 'number') throw invalid(issues.map((msg) => ({ path: 'sold', msg })))
  return { soldFen, soldAt }
}

const sold: OrderActionHandler = async (ctx, orderId, { soldPrice = '', soldDay = '' }) => {
  const { deps, now } = ctx
  const sale = typedSale(soldPrice, soldDay, now)
  const screened = sale && (await screenStaffSale(deps, orderId, sale))
  await logged(ctx, async (tx) => {
    const note = sale ? `${yuan(sale.soldFen)} ${dayOf(sale.soldAt)}` : '清除'
    const isChanged = await recordStaffSale(tx, orderId, { sale, screened, now })
    return isChanged ? { action: 'SALE', orderId, note } : undefined
  })
  return 'changed'
}

const orderActions = {
  take: { may: 'take', act: take },
  ask: { may: 'ask', act: ask },
  first: { may: 'first', act: first },
  draft: { may: 'deliver', act: draft },
  deliver: { may: 'deliver', act: deliver },
  grant: { may: 'refund', act: grant },
  refuse: { may: 'refund', act: refuse },
  back: { may: 'giveBack', act: refundOrder },
  sold: { may: 'sold', act: sold },
  answer: { may: 'answer', act: answer },
  noanswer: { may: 'answer', act: noAnswer },
} as const
export type DeskOrderAction = keyof typeof orderActions

export const isDeskOrderAction = (name: string): name is DeskOrderAction => Object.hasOwn(orderActions, name)

/**
 * Runs the action of a form on the order page through the orders' services, with a line in the desk's log.
 * @throws AppError NOT_FOUND, VALIDATION_FAILED, ORDER_STATUS_CHANGED
 */
export async function runOrderAction(
  ctx: DeskContext,
  orderId: string,
  name: DeskOrderAction,
  fields: Fields,
): Promise<Done> {
  const { may, act } = orderActions[name]
  const allowed = await allowedActions(ctx, orderId)
  if (!allowed[may])
    throw allowed.givenAway
      ? givenToAnother()
      : new AppError('ORDER_STATUS_CHANGED', { msg: '这个订单的状态已变化，现在不能这样处理' })
  return act(ctx, orderId, fields)
}
