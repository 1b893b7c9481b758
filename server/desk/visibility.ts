import { type RawBuilder, sql } from 'kysely'
import { isUnaccepted } from '../domains/orders/appraising/blind-estimates'
import type { DeskStaff } from '../domains/staff/sessions'

/** SQL over `orders`: an appraiser took it, was given it or has valued it. */
const isInvolved = (staffId: string) => sql<boolean>`(orders.appraiser_id = ${staffId}
    or exists (select from appraisals o where o.order_id = orders.id and o.staff_id = ${staffId}))`

/**
 * SQL over `orders`: the ones a member of the staff may see. An appraiser sees unaccepted orders of their games, orders
 * they took or appraised, and expert orders in progress, which need two or three of them; an admin sees all. Any other
 * order answers 404.
 */
export function visibleOrders({ role, staffId, gameIds }: DeskStaff): RawBuilder<boolean> {
  if (role === 'ADMIN') return sql<boolean>`true`
  if (role === 'CONSULTANT') return sql<boolean>`false`
  const own = gameIds.length === 0 ? sql`true` : sql`orders.game_id in (${sql.join(gameIds)})`
  return sql<boolean>`(orders.mode = 'MANUAL' and (${isInvolved(staffId)}
    or (${own} and (orders.status in ('PAID', 'REVALUING') or ${isUnaccepted}
      or (orders.level = 'PRO' and orders.status in ('ASSIGNED', 'WAIT_INFO'))))))`
}

/**
 * SQL over `orders`: the ones on which a member answers questions, as one of those whom the newest report names: its
 * authors, and for an expert order also those of earlier versions. An admin answers for colleagues who have left.
 */
export function answeredBy({ role, staffId }: DeskStaff): RawBuilder<boolean> {
  if (role === 'ADMIN') return sql<boolean>`true`
  return sql<boolean>`exists (select from appraisals o where o.order_id = orders.id and o.staff_id = ${staffId}
    and (orders.level = 'PRO' or o.version = (select max(version) from appraisals n where n.order_id = orders.id)))`
}
