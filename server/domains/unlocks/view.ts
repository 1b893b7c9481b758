import { sql } from 'kysely'
import { maskNick } from '@/contract/mask'
import type { UnlockHelp, UnlockRecord } from '@/contract/types'
import type { Db } from '../../db/database'
import { isReportValid } from '../reports/validity'

/** requests for help per order */
export const MAX_INVITATIONS = 3

/** Columns of an order that determine whether help is still useful. */
export interface OrderState {
  status: string
  reported_at: number | null
}

/** A locked report that is still valid: only such a report can be unlocked. */
export const isLocked = ({ status, reported_at }: OrderState, now: number): boolean =>
  status === 'REPORTED' && isReportValid(reported_at, now)

/** Statuses of an AI order whose owner can read the whole report. */
const openStatuses = ['UNLOCKED', 'DONE', 'REFUNDING']
export const isUnlocked = ({ status }: Pick<OrderState, 'status'>): boolean => openStatuses.includes(status)

/** Derived, not stored: follows from the order, however it was unlocked, and the time. */
export function statusOf(record: OrderState & { expire_at: number }, now: number): UnlockRecord['status'] {
  if (isUnlocked(record)) return 'DONE'
  return isLocked(record, now) && record.expire_at > now ? 'ONGOING' : 'EXPIRED'
}

/** A record without its helpers; `owner` is the unmasked row. */
export async function findRecord(db: Db, recordId: string) {
  return db
    .selectFrom('unlock_records as r')
    .innerJoin('orders as o', 'o.id', 'r.order_id')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .select(['r.id', 'r.order_id', 'r.user_id', 'r.nth', 'r.need', 'r.got', 'r.expire_at'])
    .select(['r.owner_client', 'r.owner_net', 'o.status', 'o.reported_at', 'o.game_id', 'u.nickname', 'u.deletion_at'])
    .where('r.id', '=', recordId)
    .executeTakeFirst()
}

export interface HelperRow {
  user_id: string
  avatar: string
  nickname: string
  at: number
}

export const helpersOf = (db: Db, recordId: string): Promise<HelperRow[]> =>
  db
    .selectFrom('unlock_helps as h')
    .innerJoin('users as u', 'u.id', 'h.user_id')
    .select(['h.user_id', 'u.avatar', 'u.nickname', 'h.at'])
    .where('h.record_id', '=', recordId)
    .orderBy('h.at')
    .orderBy(sql`h.user_id`)
    .execute()

type Shared = Pick<UnlockHelp, 'recordId' | 'need' | 'got' | 'status' | 'expireAt' | 'helpers' | 'now'>
type RecordRow = OrderState & { id: string; need: number; got: number; expire_at: number }

/** Fields visible to owner and helper: of users only the masked nickname. */
export const unlockProgress = (record: RecordRow, helpers: readonly HelperRow[], now: number): Shared => ({
  recordId: record.id,
  need: record.need,
  got: record.got,
  status: statusOf(record, now),
  expireAt: record.expire_at,
  helpers: helpers.map(({ avatar, nickname, at }) => ({ avatar, nickMasked: maskNick(nickname), at })),
  now,
})
