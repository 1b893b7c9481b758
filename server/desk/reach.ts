import { type RawBuilder, sql } from 'kysely'
import { Refusal } from '../refusal'
import type { DeskStaff } from '../rooms/staff/sessions'

/**
 * Orders a member of the staff may look at, over `orders`: an appraiser those that wait for anybody and what they took
 * themselves, an admin all. Everything else does not exist for them.
 */
export const within = ({ role, staffId }: DeskStaff): RawBuilder<boolean> =>
  role === 'ADMIN'
    ? sql<boolean>`true`
    : sql<boolean>`(orders.mode = 'MANUAL' and (orders.status in ('PAID', 'REVALUING') or orders.appraiser_id = ${staffId}))`

/** @throws Refusal NOT_FOUND: for appraisers this does not exist */
export function adminOnly({ role }: DeskStaff): void {
  if (role !== 'ADMIN') throw new Refusal('NOT_FOUND', { msg: '没有这个页面' })
}
