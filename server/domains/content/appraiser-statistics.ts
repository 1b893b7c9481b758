import { sql } from 'kysely'
import { MIN_APPRAISER_SALES } from '@/contract/appraisal'
import { DAY_MS } from '@/contract/time'
import type { Report } from '@/contract/types'
import type { OpenCtx } from '../../core/context'
import type { Db } from '../../db/database'
import { pictureAddress } from './content'

export interface AppraiserStatistics {
  staffId: string
  no: string
  nick: string
  years: number
  intro: string
  avatar: string
  active: boolean
  role: string
  sandbox: boolean
  gameIds: string[]
  /** orders delivered */
  delivered: number
  /** owners of delivered orders whose later sale is known */
  sales: number
  /** median of |price − sale| ÷ sale; null without sales */
  medianGap: number | null
  /** median of (price − sale) ÷ sale: above 0 the appraiser's prices are too high */
  medianBias: number | null
  /** median of |blind estimate − delivered price| ÷ delivered price */
  medianShift: number | null
}

/**
 * SQL rows (`order_id`, `staff_id`, `version`, `sold_fen`): the known sale of each order beside the opinion of each person
 * that it is compared with. That is the newest one in a report that was valid when the account was sold, or when the sale
 * was reported if that was earlier: whoever values the account again may have seen the sale. A sale dated before the first
 * report counts for nobody; on the day of that report it is compared with it if staff recorded it, which is without a time.
 */
export const salesOfOpinions = sql`
  select o.order_id, o.staff_id, max(o.version) as version, coalesce(v.sold_fen, d.sold_fen) as sold_fen
  from appraisals o join orders d on d.id = o.order_id
  join reports r on r.order_id = o.order_id and r.version = o.version
  left join reviews v on v.order_id = o.order_id
  where coalesce(v.sold_fen, d.sold_fen) is not null and r.created_at <= least(
    d.sold_at + case when o.version = 1 then ${sql.lit(DAY_MS - 1)} else 0 end,
    case when v.sold_fen is not null then least(v.sold_at, v.created_at) end)
  group by o.order_id, o.staff_id, coalesce(v.sold_fen, d.sold_fen)`

/**
 * Statistics of appraisers, from the delivered reports and the sales that owners or staff reported later. Of each order
 * and person one price counts, also when a colleague revalued it: the price that the sale is compared with, or the newest
 * one without a sale. Of one owner's sales only that of the newest order counts, so that one accomplice cannot make an
 * appraiser's accuracy.
 * @param nos staff numbers; all appraisers when absent
 */
export async function appraiserStatistics(db: Db, nos?: readonly string[]): Promise<AppraiserStatistics[]> {
  const { rows } = await sql<AppraiserStatistics>`
    with valued as (
      select distinct on (o.order_id, o.staff_id) o.staff_id, o.price_fen, e.blind_fen, d.user_id, d.created_at, sold.sold_fen
      from appraisals o join orders d on d.id = o.order_id
      join reports r on r.order_id = o.order_id and r.version = o.version
      left join (${salesOfOpinions}) sold on (sold.order_id, sold.staff_id, sold.version) = (o.order_id, o.staff_id, o.version)
      left join appraisal_drafts e on e.order_id = o.order_id and e.staff_id = o.staff_id
      order by o.order_id, o.staff_id, sold.sold_fen is null, o.version desc),
    counted as (select staff_id, price_fen, blind_fen,
        case when row_number() over (partition by staff_id, user_id, sold_fen is null order by created_at desc) = 1
          then sold_fen end as sold_fen
      from valued)
    select s.staff_id as "staffId", s.no, s.nick, s.years, s.intro, s.avatar, s.active, s.role, s.sandbox, s.game_ids as "gameIds",
      count(w.price_fen)::int as delivered, count(w.sold_fen)::int as sales,
      (percentile_cont(0.5) within group (order by abs(w.price_fen - w.sold_fen)::float8 / nullif(w.sold_fen, 0)))::float8 as "medianGap",
      (percentile_cont(0.5) within group (order by (w.price_fen - w.sold_fen)::float8 / nullif(w.sold_fen, 0)))::float8 as "medianBias",
      (percentile_cont(0.5) within group (order by abs(w.blind_fen - w.price_fen)::float8 / w.price_fen))::float8 as "medianShift"
    from staff s left join counted w on w.staff_id = s.staff_id
    where ${nos ? sql`s.no in (${sql.join([...nos])})` : sql`s.role in ('APPRAISER', 'ADMIN')`}
    group by s.staff_id order by delivered desc, s.no`.execute(db)
  return rows
}

type Person = NonNullable<Report['appraiser']>

/** Adds each appraiser's current picture and figures to a manual report; other reports are returned unchanged. */
export async function withAppraiserStatistics(ctx: OpenCtx, report: Report): Promise<Report> {
  const { appraiser, others = [] } = report
  if (!appraiser) return report
  const figures = await appraiserStatistics(
    ctx.db,
    [appraiser, ...others].map(({ no }) => no),
  )
  const filled = (person: Person): Person => {
    const figure = figures.find(({ no }) => no === person.no)
    if (!figure) return person
    const picture = pictureAddress(ctx, figure.avatar)
    return {
      ...person,
      delivered: figure.delivered,
      sales: figure.sales,
      ...(picture && { avatar: picture }),
      ...(figure.medianGap !== null && figure.sales >= MIN_APPRAISER_SALES && { medianGap: figure.medianGap }),
    }
  }
  return {
    ...{ ...report, appraiser: filled(appraiser) },
    ...(others.length > 0 && { others: others.map(filled) }),
  }
}
