import { sql } from 'kysely'
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
const BATCH = 100

interface Due {
  id: string
  user_id: string
  game_id: string
  name: string
  /** number of follow-ups that should have been sent by now */
  stage: number
}

/** Newest report of each user and game whose owner has not given a final answer and got no follow-up at this stage. */
async function due({ db }: Deps, now: number, notQuarantined: NotQuarantined): Promise<Due[]> {
  const age = sql`${now}::bigint - o.reported_at`
  const stage = sql`(case when ${age} >= ${SEND_AFTER[2]}::bigint then 3 when ${age} >= ${SEND_AFTER[1]}::bigint then 2 else 1 end)`
  const { rows } = await sql<Due>`
    select o.id, o.user_id, o.game_id, g.config ->> 'name' as name, ${stage} as stage from orders o
    join games g on g.game_id = o.game_id
    join users u on u.id = o.user_id and not u.erased and u.off_at is null
    left join sale_followups f on f.order_id = o.id
    where o.created_at > ${now - LATEST - 7 * DAY_MS}::bigint and o.reported_at > ${now - LATEST}::bigint
      and o.reported_at <= ${now - SEND_AFTER[0]}::bigint and o.deleted_at is null
      and o.status in ('REPORTED', 'UNLOCKED', 'DONE', 'EXPIRED')
      and coalesce(f.outcome, '') not in ('SOLD', 'KEPT') and coalesce(f.asked, 0) < ${stage}
      and not exists (select from orders n where n.user_id = o.user_id and n.game_id = o.game_id
        and n.created_at > o.created_at and n.reported_at > o.reported_at)
      and ${notQuarantined(sql`o.id`)}
    order by o.created_at limit ${sql.lit(BATCH)}`.execute(db)
  return rows
}

async function sendFollowUp({ db }: Deps, { id, user_id, game_id, name, stage }: Due, now: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
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
    if (!row) return false
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
  run: (deps, now) =>
    forEachDueRow(deps, now, {
      job: 'sale follow-ups',
      due: (notQuarantined) => due(deps, now, notQuarantined),
      idOf: ({ id }) => id,
      process: (row) => sendFollowUp(deps, row, now),
    }),
}
