import { type Kysely, sql } from 'kysely'
import { PAGE_SIZE_DEFAULT } from '@/contract/constants'
import { DAY_MS } from '@/contract/time'
import type { Message, Req, Res } from '@/contract/types'
import type { UserCtx } from '../../../core/context'
import { precompiledQuery } from '../../../db/precompiled-query'
import type { DB } from '../../../db/tables'

/** ms a message is shown and kept */
export const MESSAGE_RETENTION_MS = 90 * DAY_MS

/** SQL over a row `m` of messages: not a withdrawn message to all users. */
const notWithdrawn = sql<boolean>`not (m.type = 'SYSTEM' and exists (select from broadcasts b
  where b.withdrawn_at is not null and (b.created_at, b.title, b.body) = (m.created_at, m.title, m.body)))`

interface Mine {
  userId: string
  /** ms: older ones are not shown */
  since: number
  /** null: all */
  type: Message['type'] | null
}
const mine = (db: Kysely<DB>, { userId, since }: Mine) =>
  db.selectFrom('messages as m').where('user_id', '=', userId).where('created_at', '>', since).where(notWithdrawn)
const isOfType = ({ type }: Mine) => sql<boolean>`(${type}::text is null or m.type = ${type})`

const pageOf = precompiledQuery((db, p: Mine & { limit: number; offset: number }) =>
  mine(db, p)
    .selectAll()
    .where(isOfType(p))
    .orderBy('created_at', 'desc')
    // a payment and the unlock it caused have one time, and ids are random: UNLOCKED above PAID
    .orderBy('type', 'desc')
    .orderBy('id')
    .limit(p.limit)
    .offset(p.offset),
)
const countsOf = precompiledQuery((db, p: Mine) =>
  mine(db, p).select((e) => [
    e.fn.countAll<number>().filterWhere(isOfType(p)).as('n'),
    e.fn.countAll<number>().filterWhere('read', '=', false).as('unread'),
  ]),
)

/** Deletes a message of the user. For a payment's receipt this is recorded, so that the ledger check does not report it as missing. */
async function removeOne({ db, userId, clock }: UserCtx, id: string): Promise<void> {
  await db
    .with('deleted', (q) =>
      q.deleteFrom('messages').where('user_id', '=', userId).where('id', '=', id).returning(['type', 'biz_id']),
    )
    .insertInto('deleted_receipts')
    .columns(['order_id', 'at'])
    .expression((e) =>
      e
        .selectFrom('deleted')
        .select([sql<string>`biz_id`.as('order_id'), sql<number>`${clock.now()}::bigint`.as('at')])
        .where('type', '=', 'PAID')
        .where('biz_id', 'is not', null),
    )
    .onConflict((c) => c.doNothing())
    .execute()
}

/**
 * The user's messages, newest first. `read` marks one or all as read, `remove` deletes one, both before the response is
 * built, because the specification's 70 calls have no others for it. Ids of other users' messages have no effect.
 */
export async function messages(ctx: UserCtx, req: Req<'user', 'messages'>): Promise<Res<'user', 'messages'>> {
  const { db, userId, clock } = ctx
  const { pageNo = 1, pageSize = PAGE_SIZE_DEFAULT, type, read, remove } = req
  if (remove !== undefined) await removeOne(ctx, remove)
  if (read !== undefined)
    await db
      .updateTable('messages')
      .set({ read: true })
      .where('user_id', '=', userId)
      .where('read', '=', false)
      .$if(read !== 'ALL', (q) => q.where('id', '=', read))
      .execute()
  const which = { userId, since: clock.now() - MESSAGE_RETENTION_MS, type: type ?? null }
  const rows = await pageOf(db, { ...which, limit: pageSize, offset: (pageNo - 1) * pageSize })
  const [counts = { n: 0, unread: 0 }] = await countsOf(db, which)
  return {
    list: rows.map((row) => ({
      id: row.id,
      type: row.type,
      title: row.title,
      summary: row.summary,
      body: row.body,
      bizType: row.biz_type,
      read: row.read,
      createdAt: row.created_at,
      ...(row.biz_id !== null && { bizId: row.biz_id }),
      ...(row.link !== null && { link: row.link }),
    })),
    total: counts.n,
    pageNo,
    pageSize,
    unread: counts.unread,
  }
}

/** Subqueries for unread messages and usable coupons, shown at the head of 我的. */
export const badges = (userId: string, now: number) => ({
  unread: sql<number>`(select count(*) from messages m
    where m.user_id = ${userId} and not m.read and m.created_at > ${now}::bigint - ${sql.lit(MESSAGE_RETENTION_MS)}::bigint and ${notWithdrawn})`,
  coupons: sql<number>`(select count(*) from user_coupons c
    where c.user_id = ${userId} and c.status = 'UNUSED' and c.end_at > ${now}::bigint)`,
})
