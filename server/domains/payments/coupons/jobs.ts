import { type RawBuilder, sql } from 'kysely'
import { COUPON_RECORDS_PAGE } from '@/contract/pages'
import { chinaDateTime, DAY_MS, MINUTE_MS } from '@/contract/time'
import type { Db } from '../../../db/database'
import { notify } from '../../accounts/notifications/send'
import { changeDueRows, rowsJob } from '../../shared/due-rows'
import type { Job } from '../../shared/job'
import { pageLink } from '../../shared/page-link'

/** ms before its end at which the owner of a coupon is reminded */
const REMIND_BEFORE = 3 * DAY_MS
const BATCH = 100

const expire: Job = {
  name: 'coupon expiry',
  every: MINUTE_MS,
  run: (deps, now) =>
    changeDueRows(
      deps,
      'user_coupons',
      sql`status = 'UNUSED' and end_at <= ${now}::bigint`,
      sql`update user_coupons set status = 'EXPIRED'`,
    ),
}

/** Reminds the owner once, three days ahead; not for coupons valid for three days or less. */
const remind = rowsJob({ name: 'coupon reminders', every: MINUTE_MS }, (deps, now) => {
  const ending = sql<boolean>`c.status = 'UNUSED' and not c.warned and c.end_at > ${now}::bigint
    and c.end_at <= ${now + REMIND_BEFORE}::bigint and c.end_at - c.received_at > ${REMIND_BEFORE}::bigint`
  return {
    due: (notQuarantined) =>
      deps.db
        .selectFrom('user_coupons as c')
        .innerJoin('coupon_templates as t', 't.template_id', 'c.template_id')
        .select(['c.coupon_id', 'c.user_id', 'c.end_at', 't.name'])
        .where(ending)
        .where(notQuarantined(sql`c.coupon_id`))
        .limit(BATCH)
        .execute(),
    idOf: (c) => c.coupon_id,
    process: (c) => deps.db.transaction().execute((tx) => notifyOwner(tx, c, ending, now)),
  }
})

type Ending = { coupon_id: string; user_id: string; end_at: number; name: string }

/** @returns false when another process has done it, or the coupon was used */
async function notifyOwner(tx: Db, c: Ending, ending: RawBuilder<boolean>, now: number): Promise<boolean> {
  const first = await tx
    .updateTable('user_coupons as c')
    .set({ warned: true })
    .where('c.coupon_id', '=', c.coupon_id)
    .where(ending)
    .returning('c.coupon_id')
    .executeTakeFirst()
  if (!first) return false
  const [, month, day] = chinaDateTime(c.end_at).day.split('-').map(Number)
  await notify(tx, {
    userId: c.user_id,
    type: 'COUPON_EXPIRING',
    title: '优惠券即将过期',
    summary: `您的“${c.name}”将于 ${month} 月 ${day} 日过期，请尽快使用`,
    bizType: 'COUPON',
    bizId: c.coupon_id,
    link: pageLink(COUPON_RECORDS_PAGE),
    now,
  })
  return true
}

export const couponJobs: readonly Job[] = [expire, remind]
