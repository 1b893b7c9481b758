import { sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { ownerOf } from '../providers/storage/port'
import { Refusal } from '../refusal'
import type { StoredOpinion } from '../rooms/evaluation/report-store'
import { modelOpinion } from '../rooms/orders/appraise'
import type { OrderRow } from '../rooms/orders/price'
import type { Visit } from './door'
import { within } from './reach'

/** Actors of the log in words. */
const fixed: Record<string, string> = { system: '系统', provider: '支付平台' }

/** @throws Refusal NOT_FOUND, also for what somebody else works on */
async function findOrder({ deps, staff }: Visit, orderId: string) {
  const row = await deps.db
    .selectFrom('orders')
    .innerJoin('users', 'users.id', 'orders.user_id')
    .selectAll('orders')
    .select('users.nickname')
    .where('orders.id', '=', orderId)
    .where(within(staff))
    .executeTakeFirst()
  if (!row) throw new Refusal('NOT_FOUND', { msg: '没有这个订单，或者它由其他估价师处理' })
  return row
}

async function eventsOf({ deps: { db } }: Visit, orderId: string) {
  const rows = await db
    .selectFrom('order_events')
    .leftJoin('staff', (j) => j.on(sql<boolean>`order_events.actor = 'staff:' || staff.staff_id`))
    .select(['at', 'from_status', 'to_status', 'actor', 'note', 'staff.nick'])
    .where('order_id', '=', orderId)
    .orderBy('order_events.id', 'desc')
    .limit(50)
    .execute()
  return rows.map((r) => ({ ...r, who: fixed[r.actor] ?? (r.actor.startsWith('user:') ? '用户' : (r.nick ?? '员工')) }))
}

const opinionsOf = ({ deps: { db } }: Visit, orderId: string) =>
  db
    .selectFrom('reports')
    .select(['report_no', 'version', 'predict_fen', 'created_at', 'body'])
    .where('order_id', '=', orderId)
    .orderBy('version', 'desc')
    .execute()

/** Keys of the order's pictures and of the form's, each once. */
function picturesOf(order: OrderRow, config: FormConfig): string[] {
  const inForm = config.fields
    .filter(({ type }) => type === 'image')
    .flatMap(({ key }) => (order.answers[key] ?? []) as string[])
  return [...new Set([...order.images, ...inForm])].filter((key) => ownerOf(key) === order.user_id)
}

/** Everything a page of one order shows. @throws Refusal NOT_FOUND */
export async function loadOrder(visit: Visit, orderId: string) {
  const { deps, now } = visit
  const order = await findOrder(visit, orderId)
  const { config } = await deps.games.find(order.game_id)
  const [events, reports, valued, pictures] = await Promise.all([
    eventsOf(visit, orderId),
    opinionsOf(visit, orderId),
    modelOpinion(deps, order, now),
    Promise.all(picturesOf(order, config).map((key) => deps.storage.readUrl(key, now))),
  ])
  const opinions = reports.map(({ body, ...report }) => ({
    ...report,
    appraiser: (body as Partial<StoredOpinion>).appraiser,
  }))
  return { order, config, events, opinions, valued, pictures, may: may(order, visit) }
}

/** What this member may do with the order now. */
function may(order: OrderRow, { staff }: Visit) {
  const { status, mode, appraiser_id, refund_due_at } = order
  const admin = staff.role === 'ADMIN'
  const hands = mode === 'MANUAL' && (admin || appraiser_id === staff.staffId)
  return {
    take: mode === 'MANUAL' && status === 'PAID',
    ask: status === 'ASSIGNED' && mode === 'MANUAL' && appraiser_id === staff.staffId,
    // a second pair of eyes may look at a re-check
    deliver: (status === 'ASSIGNED' && hands) || (status === 'REVALUING' && mode === 'MANUAL'),
    refund: admin && status === 'REFUNDING' && refund_due_at !== null,
  }
}

/** What this member may do with an order now. @throws Refusal NOT_FOUND */
export const mayDo = async (visit: Visit, orderId: string) => may(await findOrder(visit, orderId), visit)

export type LoadedOrder = Awaited<ReturnType<typeof loadOrder>>
