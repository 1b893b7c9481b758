import { type RawBuilder, sql } from 'kysely'
import { REVIEW_PAGE } from '@/contract/pages'
import { DAY_MS } from '@/contract/time'
import type { Deps } from '../../context'
import { notify } from '../notifications/send'
import { forEachDueRow, type NotQuarantined } from '../shared/due-rows'
import type { Job } from '../shared/job'
import { pageLink } from '../shared/page-link'

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

/** SQL over `orders`: what belongs to the age of its report. @param of of 0 to 3 stages that have been reached */
const byAge = (now: number, of: (stage: 0 | 1 | 2 | 3) => RawBuilder<unknown>) =>
  sql`(case when orders.reported_at > ${now - SEND_AFTER[0]}::bigint then ${of(0)}
    when orders.reported_at > ${now - SEND_AFTER[1]}::bigint then ${of(1)}
    when orders.reported_at > ${now - SEND_AFTER[2]}::bigint then ${of(2)} else ${of(3)} end)`
/** number of follow-ups that should have been sent by now */
const stageAt = (now: number) => byAge(now, (stage) => sql.lit(stage))
const nextAt = (now: number) =>
  byAge(now, (stage) => (stage === 3 ? sql`0::bigint` : sql`orders.reported_at + ${sql.lit(SEND_AFTER[stage])}`))

/**
 * SQL over `orders`: the newest report of its owner and game, whose owner has not given a final answer and got no
 * follow-up at this stage.
 */
const isToAsk = (
  now: number,
) => sql<boolean>`(orders.reported_at > ${now - LATEST}::bigint and orders.deleted_at is null
  and orders.status in ('REPORTED', 'UNLOCKED', 'DONE', 'EXPIRED') and ${stageAt(now)} > 0
  and (select not u.erased and u.deletion_at is null from users u where u.id = orders.user_id)
  and not exists (select from sale_followups f where f.order_id = orders.id
    and (f.outcome in ('SOLD', 'KEPT') or f.asked >= ${stageAt(now)}))
  and not exists (select from orders n where n.user_id = orders.user_id and n.game_id = orders.game_id
    and n.created_at > orders.created_at and n.reported_at > orders.reported_at))`

interface Due {
  id: string
  user_id: string
  game_id: string
  name: string
  stage: number
  /** whether its owner is asked now; otherwise only the next time is set */
  ask: boolean
}

async function due({ db }: Deps, now: number, notQuarantined: NotQuarantined): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select orders.id, orders.user_id, orders.game_id, g.config ->> 'name' as name, ${stageAt(now)} as stage,
      ${isToAsk(now)} as ask
    from orders join games g on g.game_id = orders.game_id
    where ${isDue(now)} and ${notQuarantined(sql`orders.id`)}
    order by ${dueAt} limit ${sql.lit(BATCH)}`.execute(db)
  return rows
}

async function followUp({ db }: Deps, { id, user_id, game_id, name, stage, ask }: Due, now: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const moved = tx.updateTable('orders').set({ follow_up_at: sql<number>`${nextAt(now)}` })
    const { numUpdatedRows } = await moved.where('id', '=', id).where(isDue(now)).executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    if (!ask) return true
    const row = await tx
      .insertInto('sale_followups')
      .values({ order_id: id, user_id, game_id, asked: stage })
      .onConflict((c) =>
        c
          .column('order_id')
          .doUpdateSet({ asked: stage })
          .where('sale_followups.asked', '<', stage)
          .where((e) => e.or([e('sale_followups.outcome', 'is', null), e('sale_followups.outcome', '=', 'LISTED')])),
      )
      .returning('order_id')
      .executeTakeFirst()
    if (!row) return true
    await notify(tx, {
      ...{ userId: user_id, type: 'SYSTEM', title: '账号卖出了吗？', now, remind: true },
      summary: `告诉我们${name}账号的成交情况，约 30 秒，帮助大家得到更准的估价`,
      ...{ bizType: 'ORDER', bizId: id, link: pageLink(REVIEW_PAGE, { orderId: id, tab: 'sale' }) },
    })
    return true
  })
}

/** Asks owners 7, 14 and 30 days after a report whether the account was sold. */
export const saleFollowUps: Job = {
  name: 'sale follow-ups',
  lowPriority: true,
  run: (deps, now) =>
    forEachDueRow(deps, now, {
      job: 'sale follow-ups',
      due: (notQuarantined) => due(deps, now, notQuarantined),
      idOf: ({ id }) => id,
      process: (row) => followUp(deps, row, now),
    }),
}
