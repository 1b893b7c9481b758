import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { PAGE_SIZE_DEFAULT } from '@/contract/constants'
import { isFreeRevaluation, type OrderStatus, orderStatusText, unacceptedText } from '@/contract/orderStatus'
import type { Order, Report, Req, Res } from '@/contract/types'
import { orderNotFound } from '../../core/app-error'
import type { OpenCtx, UserCtx } from '../../core/context'
import type { Db } from '../../db/database'
import { sessionQuery } from '../../db/precompiled-query'
import type { Orders } from '../../db/tables'
import { withoutPictures } from '../games/answers'
import type { Game } from '../games/repository'
import { omitNulls } from '../shared/omit-nulls'
import { actionsOf } from './allowed-actions'
import { isUnaccepted } from './appraising/blind-estimates'
import { lateRefundAt, statusAt } from './deadlines'
import { QUESTION_PERIOD_MS } from './periods'

/** Statuses listed under each tab; every status has its tab. */
export const tabs = {
  ING: ['WAIT_AUTH', 'PROCESSING', 'UNPAID', 'PAID', 'ASSIGNED', 'WAIT_INFO', 'REVALUING'],
  DONE: ['REPORTED', 'UNLOCKED', 'DONE', 'EXPIRED', 'INSUFFICIENT', 'FAILED'],
  REFUND: ['REFUNDING', 'REFUNDED', 'CANCELED', 'CLOSED'],
} as const satisfies Record<string, readonly OrderStatus[]>

/** An AI valuation in progress. */
const RUNNING: readonly OrderStatus[] = ['WAIT_AUTH', 'PROCESSING']

/** Columns of an order in a list; its answers are only needed for a single one. */
const shown = [
  ...(['id', 'order_no', 'mode', 'game_id', 'title', 'status', 'pay_status', 'origin_fen', 'discount_fen'] as const),
  ...(['pay_fen', 'created_at', 'coupon_id', 'pay_type', 'pay_expire_at', 'paid_at', 'assigned_at', 'due_at'] as const),
  ...([
    'reported_at',
    'done_at',
    'cancel_reason',
    'level',
    'info_wanted',
    'info_due_at',
    'refund_answer',
    'report_no',
  ] as const),
  ...(['evaluated_at', 'added_at', 'revalued', 'urged_at', 'late_coupon_at'] as const),
] as const

/** SQL over `orders`: the payment that unlocks a report was begun and can still be made. */
const unlockBegun = (now: number) =>
  sql<boolean>`(orders.mode = 'AI' and orders.status = 'REPORTED' and orders.pay_status = 'UNPAID'
    and coalesce(orders.pay_expire_at > ${now}::bigint, false))`

/** SQL over `orders`: the status by which an order is listed; one whose unlock waits for a payment is UNPAID. */
const listedStatus = (now: number) =>
  sql<OrderStatus>`case when ${unlockBegun(now)} then 'UNPAID' else ${statusAt(now)} end`

type Row = Pick<Selectable<Orders>, (typeof shown)[number]> & {
  now_status: OrderStatus
  unaccepted: boolean
  unlock_begun: boolean
  price: Report['price'] | null
  before_fen: number | null
  account_name: string | null
  /** set for a single order */
  appraiser?: string
}

/** Message for the owner: the requested information, or the reason of a refusal. */
const noticeOf = (row: Row): string | null => {
  if (row.now_status === 'WAIT_INFO') return row.info_wanted
  if (row.refund_answer !== null && row.now_status !== 'REFUNDED')
    return `${row.pay_fen > 0 ? '退款' : '取消'}申请未通过：${row.refund_answer}`
  return null
}

function lateOf({ now_status, due_at, late_coupon_at }: Row, now: number): Order['late'] | null {
  if (due_at === null || due_at > now) return null
  const refundAt = lateRefundAt(now_status, due_at)
  return refundAt === undefined ? null : { refundAt, coupon: late_coupon_at !== null }
}

function toOrder(row: Row, games: Map<string, Game>, now: number): Order {
  const status = row.now_status
  const game = games.get(row.game_id)
  return {
    orderId: row.id,
    orderNo: row.order_no,
    mode: row.mode,
    gameId: row.game_id,
    gameName: game?.config.name ?? row.game_id,
    gameIcon: game?.icon ?? '',
    title: row.title,
    status,
    statusText: status === 'ASSIGNED' && row.unaccepted ? unacceptedText : orderStatusText(row.mode, status),
    payStatus: row.pay_status as Order['payStatus'],
    originFen: row.origin_fen,
    discountFen: row.discount_fen,
    payFen: row.pay_fen,
    createdAt: row.created_at,
    ...(RUNNING.includes(status) && game && { estSeconds: game.config.estSeconds }),
    ...omitNulls({
      couponId: row.coupon_id,
      payType: row.pay_type as Order['payType'] | null,
      payExpireAt: row.pay_expire_at,
      paidAt: row.paid_at,
      assignedAt: row.assigned_at,
      dueAt: row.due_at,
      late: lateOf(row, now),
      supplyUntil: status === 'WAIT_INFO' ? row.info_due_at : null,
      reportedAt: row.reported_at,
      askUntil: row.mode === 'MANUAL' && row.reported_at !== null ? row.reported_at + QUESTION_PERIOD_MS : null,
      appraiser: row.appraiser || null,
      doneAt: row.done_at,
      cancelReason: row.cancel_reason,
      level: row.level,
      notice: noticeOf(row),
      reportNo: row.report_no,
      beforeFen: row.before_fen,
      accountName: row.account_name,
    }),
    ...(row.price && { predictFen: row.price.predictFen, lowFen: row.price.lowFen, highFen: row.price.highFen }),
    evaluated: row.evaluated_at !== null,
    actions: actionsOf({ ...row, status }, now),
  }
}

const gamesById = async ({ repositories: { games } }: OpenCtx) =>
  new Map((await games.all()).map((g) => [g.config.gameId, g]))

/** A user's orders with the price of their latest report. */
const ordersOf = (db: Db, userId: string, now: number) =>
  db
    .selectFrom('orders')
    .leftJoin('reports', 'reports.report_no', 'orders.report_no')
    .leftJoin('account_names as named', (j) =>
      j.onRef('named.user_id', '=', 'orders.user_id').onRef('named.account_id', '=', 'reports.account_id'),
    )
    .select(shown.map((column) => `orders.${column}` as const))
    .select('named.name as account_name')
    .select([
      statusAt(now).as('now_status'),
      isUnaccepted.as('unaccepted'),
      unlockBegun(now).as('unlock_begun'),
      sql<Report['price'] | null>`reports.body -> 'price'`.as('price'),
      sql<number | null>`(reports.body -> 'changed' ->> 'beforeFen')::int`.as('before_fen'),
    ])
    .where('orders.user_id', '=', userId)

const appraiserNames = sql<string>`concat_ws('、', reports.body -> 'appraiser' ->> 'name',
  reports.body -> 'others' -> 0 ->> 'name', reports.body -> 'others' -> 1 ->> 'name')`

/** @throws AppError NOT_FOUND, also for another user's order */
export async function findOrder(ctx: UserCtx, orderId: string): Promise<Order> {
  const row = await ordersOf(ctx.db, ctx.userId, ctx.clock.now())
    .select(['orders.answers', 'orders.schema_version'])
    .select(appraiserNames.as('appraiser'))
    .where('orders.id', '=', orderId)
    .executeTakeFirst()
  if (!row) throw orderNotFound()
  const games = await gamesById(ctx)
  const order = toOrder(row, games, ctx.clock.now())
  if (!order.actions.includes('REVALUE') || isFreeRevaluation(order)) return order
  const answers = withoutPictures(games.get(row.game_id)?.config.fields ?? [], row.answers)
  return { ...order, inputs: { schemaVersion: row.schema_version, answers } }
}

type OrderListRequest = Req<'evaluation', 'orderList'>
type Filter = Pick<OrderListRequest, 'tab'> & { mode: boolean; game: boolean; word: boolean }
interface Wanted {
  userId: string
  now: number
  mode: 'AI' | 'MANUAL'
  gameId: string
  pattern: string
}

/** Orders of the list; excludes those that the caller deleted. No report is read but for its account's name. */
function filtered(db: Db, { tab, mode, game, word }: Filter, p: Wanted) {
  let query = db.selectFrom('orders').where('orders.user_id', '=', p.userId).where('orders.deleted_at', 'is', null)
  if (tab !== 'ALL') query = query.where(listedStatus(p.now), 'in', [...tabs[tab]])
  if (mode) query = query.where('orders.mode', '=', p.mode)
  if (game) query = query.where('orders.game_id', '=', p.gameId)
  if (!word) return query
  return query.where((e) =>
    e.or([
      e('orders.title', 'ilike', p.pattern),
      e('orders.order_no', 'ilike', p.pattern),
      e.exists(
        e
          .selectFrom('reports as r')
          .innerJoin('account_names as named', (j) =>
            j.on('named.user_id', '=', p.userId).onRef('named.account_id', '=', 'r.account_id'),
          )
          .select('named.name')
          .whereRef('r.report_no', '=', 'orders.report_no')
          .where('named.name', 'ilike', p.pattern),
      ),
    ]),
  )
}

const countAll = async (db: Db, filter: Filter, p: Wanted) =>
  (await filtered(db, filter, p).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n

/** Selects the page's ids first: report bodies are decompressed for ten orders, not for all that match the filters. */
const pageWith = (filter: Filter) =>
  sessionQuery((db, p: Wanted & { limit: number; offset: number }) => {
    const page = filtered(db, filter, p)
      .select(['orders.id', sql<number>`count(*) over ()`.as('total')])
      .orderBy('orders.created_at', 'desc')
      .orderBy('orders.id')
      .limit(p.limit)
      .offset(p.offset)
    return ordersOf(db, p.userId, p.now)
      .innerJoin(page.as('page'), 'page.id', 'orders.id')
      .select('page.total')
      .orderBy('orders.created_at', 'desc')
      .orderBy('orders.id')
  })
/** one query per combination of filters */
const pages = new Map<string, ReturnType<typeof pageWith>>()

function pageOf(filter: Filter): ReturnType<typeof pageWith> {
  const key = JSON.stringify(filter)
  const page = pages.get(key) ?? pageWith(filter)
  pages.set(key, page)
  return page
}

/**
 * One page of the caller's orders, newest first, with the total. Orders the caller deleted are excluded.
 * @throws AppError NOT_LOGGED_IN
 */
export async function listOrders(ctx: OpenCtx, req: OrderListRequest): Promise<Res<'evaluation', 'orderList'>> {
  const now = ctx.clock.now()
  const word = req.keyword?.trim().replace(/[\\%_]/g, '\\$&')
  const filter = { tab: req.tab, mode: req.mode !== undefined, game: Boolean(req.gameId), word: Boolean(word) }
  const { mode = 'AI', gameId = '', pageNo = 1, pageSize = PAGE_SIZE_DEFAULT } = req
  const wanted = { now, mode, gameId, pattern: `%${word ?? ''}%` }
  const [{ rows, session }, games] = await Promise.all([
    ctx.queryWithSession(pageOf(filter), { ...wanted, limit: pageSize, offset: (pageNo - 1) * pageSize }),
    gamesById(ctx),
  ])
  // no row of a page beyond the last one carries the total
  const total =
    rows[0]?.total ?? (pageNo > 1 ? await countAll(ctx.db, filter, { ...wanted, userId: session.userId }) : 0)
  return { list: rows.map((r) => toOrder(r, games, now)), total, pageNo, pageSize }
}

/** Counts for the badges of 我的; each order counts once: an unpaid one is not yet in progress. */
export async function orderCounts({ db, userId, clock }: UserCtx) {
  const statuses = db
    .selectFrom('orders')
    .select(listedStatus(clock.now()).as('s'))
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .as('own')
  const among = (wanted: readonly OrderStatus[]) => sql<number>`count(*) filter (where s in (${sql.join(wanted)}))`
  return db
    .selectFrom(statuses)
    .select([
      among(['UNPAID']).as('unpaid'),
      among(tabs.ING.filter((s) => s !== 'UNPAID')).as('ing'),
      among(tabs.DONE).as('done'),
      among(tabs.REFUND).as('refund'),
    ])
    .executeTakeFirstOrThrow()
}
