import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { type AiOrderStatus, type OrderStatus, orderStatusText } from '@/contract/labels'
import type { Order, OrderAction, Report } from '@/contract/types'
import type { UserCtx } from '../../context'
import type { OrdersTable } from '../../db/tables'
import { Refusal } from '../../refusal'
import type { Game } from '../evaluation/games'

/** ms a report is valid (product 2.4); its order expires or is done with it */
export const VALID_FOR = 7 * 86_400_000

/** What the user may do with an AI order. The client shows these and nothing else, so buttons never disagree. */
const aiActions: Partial<Record<AiOrderStatus, OrderAction[]>> = {
  REPORTED: ['VIEW'],
  UNLOCKED: ['VIEW'],
  EXPIRED: ['VIEW', 'REVALUE'],
  DONE: ['VIEW', 'REVALUE'],
  INSUFFICIENT: ['REVALUE'],
  FAILED: ['REVALUE'],
}

/** product 2.6: which statuses stand under which tab. `EXPIRED` is decided on read, so REPORTED rows may be it. */
const tabs = {
  ING: ['WAIT_AUTH', 'PROCESSING', 'UNPAID', 'PAID', 'ASSIGNED', 'WAIT_INFO', 'REVALUING'],
  DONE: ['REPORTED', 'UNLOCKED', 'DONE', 'EXPIRED', 'INSUFFICIENT', 'FAILED'],
  REFUND: ['REFUNDING', 'REFUNDED'],
} as const satisfies Record<string, readonly OrderStatus[]>

type Row = Selectable<OrdersTable> & { price: Report['price'] | null }

/** The status now: what the clock has decided since the row was written (a late job never matters). */
function statusAt(row: Pick<Row, 'status' | 'mode' | 'reported_at'>, now: number): OrderStatus {
  const status = row.status as OrderStatus
  const over = row.reported_at !== null && row.reported_at + VALID_FOR <= now
  if (row.mode !== 'AI' || !over) return status
  return status === 'REPORTED' ? 'EXPIRED' : status === 'UNLOCKED' ? 'DONE' : status
}

function toOrder(row: Row, games: Map<string, Game>, now: number): Order {
  const status = statusAt(row, now)
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
    statusText: orderStatusText(row.mode, status),
    payStatus: row.pay_status as Order['payStatus'],
    originFen: row.origin_fen,
    discountFen: row.discount_fen,
    payFen: row.pay_fen,
    createdAt: row.created_at,
    ...(row.reported_at !== null && { reportedAt: row.reported_at }),
    ...(row.report_no !== null && { reportNo: row.report_no }),
    ...(row.price && { predictFen: row.price.predictFen, lowFen: row.price.lowFen, highFen: row.price.highFen }),
    evaluated: false,
    actions: row.mode === 'AI' ? (aiActions[status as AiOrderStatus] ?? []) : [],
  }
}

const gamesById = async ({ games }: UserCtx) => new Map((await games.all()).map((g) => [g.config.gameId, g]))

/** The caller's orders with the price of their newest report. */
const ownOrders = ({ db, userId }: UserCtx) =>
  db
    .selectFrom('orders')
    .leftJoin('reports', 'reports.report_no', 'orders.report_no')
    .selectAll('orders')
    .select(sql<Report['price'] | null>`reports.body -> 'price'`.as('price'))
    .where('orders.user_id', '=', userId)

/** @throws Refusal NOT_FOUND, also for another user's order */
export async function findOrder(ctx: UserCtx, orderId: string): Promise<Order> {
  const row = await ownOrders(ctx).where('orders.id', '=', orderId).executeTakeFirst()
  if (!row) throw new Refusal('NOT_FOUND', { msg: '没有找到这个订单' })
  return toOrder(row, await gamesById(ctx), ctx.clock.now())
}

export interface OrderQuery {
  tab: 'ALL' | keyof typeof tabs
  mode?: 'AI' | 'MANUAL'
  gameId?: string
  keyword?: string
  pageNo: number
  pageSize: number
}

/** One page of the caller's orders, newest first, and how many there are in all. */
export async function listOrders(ctx: UserCtx, q: OrderQuery): Promise<{ list: Order[]; total: number }> {
  let query = ownOrders(ctx)
  if (q.tab !== 'ALL') query = query.where('orders.status', 'in', [...tabs[q.tab]])
  if (q.mode) query = query.where('orders.mode', '=', q.mode)
  if (q.gameId) query = query.where('orders.game_id', '=', q.gameId)
  const word = q.keyword?.trim().replace(/[\\%_]/g, '\\$&')
  if (word)
    query = query.where((e) =>
      e.or([e('orders.title', 'ilike', `%${word}%`), e('orders.order_no', 'ilike', `%${word}%`)]),
    )
  const [rows, games, count] = await Promise.all([
    query
      .orderBy('orders.created_at', 'desc')
      .orderBy('orders.id')
      .limit(q.pageSize)
      .offset((q.pageNo - 1) * q.pageSize)
      .execute(),
    gamesById(ctx),
    query.clearSelect().select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow(),
  ])
  const now = ctx.clock.now()
  return { list: rows.map((r) => toOrder(r, games, now)), total: count.n }
}

/** Counts for the badges of 我的. */
export async function orderCounts({ db, userId }: UserCtx) {
  const inTab = (name: keyof typeof tabs) =>
    sql<number>`count(*) filter (where status in (${sql.join([...tabs[name]])}))`
  return db
    .selectFrom('orders')
    .select([
      sql<number>`count(*) filter (where status = 'UNPAID')`.as('unpaid'),
      inTab('ING').as('ing'),
      inTab('DONE').as('done'),
      inTab('REFUND').as('refund'),
    ])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
}
