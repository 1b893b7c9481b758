import { type SqlBool, sql } from 'kysely'
import { PAGE_SIZE_DEFAULT } from '@/contract/constants'
import { DAY_MS } from '@/contract/time'
import type { CentreCoupon, Page, Req, UserCoupon } from '@/contract/types'
import { AppError } from '../../../core/app-error'
import type { OpenCtx, UserCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import { lockUser } from '../../shared/locks'
import { compareByDiscount, ineligibleReason, type Purchase } from './eligibility'
import { grantCoupon, type Template, validity } from './grant'
import { couponsOf, ownedCoupons, toUserCoupon } from './user-coupons'

/** @param mine how many coupons of the template the viewer has received */
export function stateOf(t: Template, mine: number, now: number): CentreCoupon['state'] {
  if (t.receive_start_at !== null && t.receive_start_at > now) return 'NOT_STARTED'
  const over = (at: number | null) => at !== null && at <= now
  if (over(t.receive_end_at) || (t.valid_type === 'DATE' && over(t.end_at))) return 'ENDED'
  if (mine >= t.per_user) return 'RECEIVED'
  return t.total >= 0 && t.given >= t.total ? 'SOLD_OUT' : 'AVAILABLE'
}

/** ms a template stays listed after its receiving period */
const ENDED_SHOWN = 7 * DAY_MS

const isNews = ({ receive_end_at, valid_type, end_at }: Template, now: number): boolean =>
  Math.min(receive_end_at ?? now, valid_type === 'DATE' ? (end_at ?? now) : now) > now - ENDED_SHOWN

type Mine = NonNullable<CentreCoupon['mine']>
/** Which of several coupons of a template is shown: a usable one before used and expired ones. */
const BEST: readonly Mine[] = ['UNUSED', 'LOCKED', 'USED', 'EXPIRED']

function toCentre(t: Template, mine: readonly Mine[], now: number): CentreCoupon {
  const best = BEST.find((status) => mine.includes(status))
  return {
    templateId: t.template_id,
    name: t.name,
    type: t.type,
    ...(t.amount_fen > 0 && { amountFen: t.amount_fen }),
    ...(t.percent !== null && { percent: t.percent }),
    ...(t.cap_fen !== null && { capFen: t.cap_fen }),
    thresholdFen: t.threshold_fen,
    scope: t.scope,
    gameIds: t.game_ids,
    total: t.total,
    perUser: t.per_user,
    validType: t.valid_type,
    ...(t.start_at !== null && { startAt: t.start_at }),
    ...(t.end_at !== null && { endAt: t.end_at }),
    ...(t.days !== null && { days: t.days }),
    ...(t.receive_start_at !== null && { receiveStartAt: t.receive_start_at }),
    ...(t.receive_end_at !== null && { receiveEndAt: t.receive_end_at }),
    state: stateOf(t, mine.length, now),
    ...(t.total >= 0 && { left: Math.max(0, t.total - t.given) }),
    ...(best && { mine: best }),
  }
}

/** Templates of the coupon centre with the statuses of what the user has received of each. */
function listedTemplates(db: Db, userId: string, now: number) {
  const status = sql`case when c.status = 'UNUSED' and c.end_at <= ${now}::bigint then 'EXPIRED' else c.status end`
  return db
    .selectFrom('coupon_templates as t')
    .selectAll('t')
    .select((e) =>
      e
        .selectFrom('user_coupons as c')
        .select(sql<Mine[]>`coalesce(json_agg(${status}), '[]')`.as('all'))
        .whereRef('c.template_id', '=', 't.template_id')
        .where('c.user_id', '=', userId)
        .as('mine'),
    )
    .where('t.listed', '=', true)
    .orderBy('t.sort')
    .orderBy('t.template_id')
    .execute()
}

/** The coupon centre, optionally for one game. For a logged-in user it also contains what they have received. */
export async function listCentreCoupons(
  ctx: OpenCtx,
  { gameId }: Req<'coupon', 'canReceive'>,
): Promise<CentreCoupon[]> {
  const viewer = (await ctx.viewer()) ?? ''
  const now = ctx.clock.now()
  const rows = await listedTemplates(ctx.db, viewer, now)
  return rows
    .filter((t) => isNews(t, now))
    .filter((t) => gameId === undefined || t.scope !== 'GAME' || t.game_ids.includes(gameId))
    .map((t) => toCentre(t, t.mine ?? [], now))
}

const refusals: { readonly [S in Exclude<CentreCoupon['state'], 'AVAILABLE'>]: string } = {
  RECEIVED: '您已领取过这张优惠券',
  SOLD_OUT: '优惠券已抢光',
  NOT_STARTED: '领取还未开始',
  ENDED: '领取已结束',
}
const refuse = (state: keyof typeof refusals) => new AppError('COUPON_NOT_USABLE', { msg: refusals[state] })

/** Receives one coupon from the centre. @throws AppError NOT_FOUND, COUPON_NOT_USABLE with the reason */
export async function claimCoupon(ctx: UserCtx, templateId: string): Promise<UserCoupon> {
  const { db, userId } = ctx
  const now = ctx.clock.now()
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    const t = await tx
      .selectFrom('coupon_templates')
      .selectAll()
      .where('template_id', '=', templateId)
      .where('listed', '=', true)
      .executeTakeFirst()
    if (!t) throw new AppError('NOT_FOUND', { msg: '没有找到这张优惠券' })
    const state = stateOf(t, 0, now)
    if (state === 'NOT_STARTED' || state === 'ENDED') throw refuse(state)
    const given = await grantCoupon(tx, { templateId, userId, now })
    if (typeof given === 'string') throw refuse(given === 'USER' ? 'RECEIVED' : 'SOLD_OUT')
    const row = await ownedCoupons(tx, userId).where('coupon_id', '=', given.couponId).executeTakeFirstOrThrow()
    return toUserCoupon(row, now)
  })
}

/** Claims the coupon of the centre that lowers the price of a purchase most, if it lowers it more than those the user has. */
export async function claimForPurchase(ctx: UserCtx, purchase: Purchase): Promise<void> {
  const { db, userId } = ctx
  const now = ctx.clock.now()
  const claimable = (await listedTemplates(db, userId, now))
    .filter((t) => stateOf(t, t.mine?.length ?? 0, now) === 'AVAILABLE')
    .map((t) => ({ ...t, ...validity(t, now), status: 'UNUSED' as const, order_id: null }))
  const [best] = [...(await couponsOf(db, userId)), ...claimable]
    .filter((coupon) => ineligibleReason(coupon, purchase, now) === undefined)
    .sort(compareByDiscount(purchase.originFen))
  if (!best || 'coupon_id' in best) return
  try {
    await claimCoupon(ctx, best.template_id)
  } catch (e) {
    // somebody else has received the last one meanwhile
    if (!(e instanceof AppError)) throw e
  }
}

/** One page of the caller's coupons with a status; those past their end count as expired even before the job runs. */
export async function couponsByStatus(
  ctx: UserCtx,
  { status, pageNo = 1, pageSize = PAGE_SIZE_DEFAULT }: Req<'coupon', 'getByStatus'>,
): Promise<Page<UserCoupon>> {
  const now = ctx.clock.now()
  const over = sql<SqlBool>`user_coupons.status = 'UNUSED' and user_coupons.end_at <= ${now}::bigint`
  const query = ownedCoupons(ctx.db, ctx.userId).where(
    sql<string>`case when ${over} then 'EXPIRED' else user_coupons.status end`,
    '=',
    status,
  )
  const [rows, { n }] = await Promise.all([
    query
      .orderBy(
        status === 'UNUSED' ? 'user_coupons.end_at' : 'user_coupons.received_at',
        status === 'UNUSED' ? 'asc' : 'desc',
      )
      .orderBy('user_coupons.coupon_id')
      .limit(pageSize)
      .offset((pageNo - 1) * pageSize)
      .execute(),
    query.clearSelect().select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow(),
  ])
  return { list: rows.map((c) => toUserCoupon(c, now)), total: n, pageNo, pageSize }
}
