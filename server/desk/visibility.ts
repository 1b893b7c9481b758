import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../app-error'
import type { DeskStaff } from '../domains/staff/sessions'

/**
 * Orders a member of the staff may look at, over `orders`: an appraiser those of their games that wait for anybody, what
 * they took or spoke about themselves, and expert orders that wait for a second opinion; an admin all. Everything else
 * does not exist for them.
 */
export function within({ role, staffId, gameIds }: DeskStaff): RawBuilder<boolean> {
  if (role === 'ADMIN') return sql<boolean>`true`
  if (role === 'CONSULTANT') return sql<boolean>`false`
  const own = gameIds.length === 0 ? sql`true` : sql`orders.game_id in (${sql.join(gameIds)})`
  const spoken = sql`from opinions o where o.order_id = orders.id`
  return sql<boolean>`(orders.mode = 'MANUAL' and (orders.appraiser_id = ${staffId}
    or exists (select ${spoken} and o.staff_id = ${staffId})
    or (${own} and (orders.status in ('PAID', 'REVALUING')
      or (orders.status = 'ASSIGNED' and (select count(*) ${spoken}) = 1)))))`
}

/** @throws AppError NOT_FOUND: for appraisers this does not exist */
export function adminOnly({ role }: DeskStaff): void {
  if (role !== 'ADMIN') throw new AppError('NOT_FOUND', { msg: '没有这个页面' })
}
