import { sql } from 'kysely'
import { chinaTime } from '../../clock'
import type { Job } from '../../jobs/sweep'
import { notify } from '../messages'

const DAY = 86_400_000
/** ms before its end that the owner of a coupon is reminded */
const REMIND_BEFORE = 3 * DAY
const BATCH = 100

const expire: Job = {
  name: 'coupon expiry',
  async run({ db }, now) {
    const { numUpdatedRows } = await db
      .updateTable('user_coupons')
      .set({ status: 'EXPIRED' })
      .where('status', '=', 'UNUSED')
      .where('end_at', '<=', now)
      .executeTakeFirst()
    return Number(numUpdatedRows)
  },
}

/** Told once, three days ahead; a coupon that lives no longer than that from the start is not worth a second message. */
const remind: Job = {
  name: 'coupon reminders',
  async run({ db }, now) {
    return db.transaction().execute(async (tx) => {
      const rows = await tx
        .updateTable('user_coupons as c')
        .from('coupon_templates as t')
        .set({ warned: true })
        .whereRef('t.template_id', '=', 'c.template_id')
        .where('c.coupon_id', 'in', (q) =>
          q
            .selectFrom('user_coupons')
            .select('coupon_id')
            .where('status', '=', 'UNUSED')
            .where('warned', '=', false)
            .where('end_at', '>', now)
            .where('end_at', '<=', now + REMIND_BEFORE)
            .where(sql<boolean>`end_at - received_at > ${REMIND_BEFORE}::bigint`)
            .limit(BATCH)
            .forUpdate()
            .skipLocked(),
        )
        .where('c.status', '=', 'UNUSED')
        .where('c.warned', '=', false)
        .returning(['c.coupon_id', 'c.user_id', 'c.end_at', 't.name'])
        .execute()
      for (const c of rows) {
        const { day } = chinaTime(c.end_at)
        await notify(tx, {
          userId: c.user_id,
          type: 'COUPON_EXPIRING',
          title: '优惠券即将过期',
          summary: `您的「${c.name}」将于 ${Number(day.slice(4, 6))} 月 ${Number(day.slice(6))} 日过期，请尽快使用`,
          bizType: 'COUPON',
          bizId: c.coupon_id,
          link: '/pagesA/pages/mine/coupon/records',
          now,
        })
      }
      return rows.length
    })
  },
}

export const couponJobs: readonly Job[] = [expire, remind]
