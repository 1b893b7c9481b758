import { sql } from 'kysely'
import { REVIEW_PAGE } from '@/contract/pages'
import { DAY_MS, MINUTE_MS } from '@/contract/time'
import type { Deps } from '../../../core/context'
import type { Db } from '../../../db/database'
import { notify } from '../../accounts/notifications/send'
import { type NotQuarantined, rowsJob } from '../../shared/due-rows'
import { pageLink } from '../../shared/page-link'

/** ms after a report at which a follow-up is sent */
const SEND_AFTER = [7 * DAY_MS, 14 * DAY_MS, 30 * DAY_MS] as const
/** no follow-up is sent for older reports, for example after an outage */
const LATEST = 45 * DAY_MS
/** rows per run, asked or not: each is read by index once, however many others wait */
const BATCH = 500

/** SQL over `orders`, by index: when its owner is asked next. */
const dueAt = sql`coalesce(orders.follow_up_at, orders.reported_at + ${sql.lit(SEND_AFTER[0])})`
const isDue = (now: number) =>
  sql<boolean>`(orders.reported_at is not null and ${dueAt} > ${now - LATEST + SEND_AFTER[0]}::bigint and ${dueAt} <= ${now}::bigint)`

/** SQL over `orders`: when its owner is asked after that; 0: no more. */
const nextAt = (now: number) => sql<number>`(case when orders.reported_at > ${now - SEND_AFTER[1]}::bigint
  then orders.reported_at + ${sql.lit(SEND_AFTER[1])} when orders.reported_at > ${now - SEND_AFTER[2]}::bigint
  then orders.reported_at + ${sql.lit(SEND_AFTER[2])} else 0::bigint end)`

/** SQL over `orders`: the newest report of its owner and game, whose owner has not given a final answer. */
const isToAsk = (
  now: number,
) => sql<boolean>`(orders.reported_at > ${now - LATEST}::bigint and orders.deleted_at is null
  and orders.status in ('REPORTED', 'UNLOCKED', 'DONE', 'EXPIRED')
  and (select not u.erased and u.deletion_at is null from users u where u.id = orders.user_id)
  and not exists (select from sale_followups f where f.order_id = orders.id and f.outcome in ('SOLD', 'KEPT'))
  and not exists (select from orders n where n.user_id = orders.user_id and n.game_id = orders.game_id
    and n.created_at > orders.created_at and n.reported_at > orders.reported_at))`

const dueOrders = (db: Db, now: number, notQuarantined: NotQuarantined) =>
  db
    .selectFrom('orders')
    .innerJoin('games', 'games.game_id', 'orders.game_id')
    .select(['orders.id', 'orders.user_id', sql<string>`games.config ->> 'name'`.as('name')])
    .where(isDue(now))
    .where(notQuarantined(sql`orders.id`))
    .orderBy(dueAt)
    .limit(BATCH)
    .execute()

type Due = Awaited<ReturnType<typeof dueOrders>>[number]

async function followUp({ db }: Deps, { id, user_id, name }: Due, now: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const moved = tx
      .updateTable('orders')
      .set({ follow_up_at: nextAt(now) })
      .where('id', '=', id)
      .where(isDue(now))
    const row = await moved.returning(isToAsk(now).as('ask')).executeTakeFirst()
    if (!row?.ask) return row !== undefined
    await notify(tx, {
      ...{ userId: user_id, type: 'SYSTEM', title: '账号卖出了吗？', now, remind: true },
      summary: `告诉我们${name}账号的成交情况，约 30 秒，帮助大家得到更准的估价`,
      ...{ bizType: 'ORDER', bizId: id, link: pageLink(REVIEW_PAGE, { orderId: id, tab: 'sale' }) },
    })
    return true
  })
}

/** Asks owners 7, 14 and 30 days after a report whether the account was sold. */
export const saleFollowUps = rowsJob(
  { name: 'sale follow-ups', lowPriority: true, every: 10 * MINUTE_MS },
  (deps, now) => ({
    due: (notQuarantined) => dueOrders(deps.db, now, notQuarantined),
    idOf: ({ id }) => id,
    process: (order) => followUp(deps, order, now),
  }),
)
