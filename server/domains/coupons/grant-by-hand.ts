import { type Insertable, sql } from 'kysely'
import { COUPON_RECORDS_PAGE } from '@/contract/pages'
import { AppError } from '../../core/app-error'
import type { Db } from '../../db/database'
import type { CouponTemplates } from '../../db/tables'
import { notify } from '../notifications/send'
import { tryLockUser } from '../shared/locks'
import { pageLink } from '../shared/page-link'
import { stateOf } from './centre'
import { grantCoupon } from './grant'
import { grantReasons } from './templates'

export type NewTemplate = Omit<Insertable<CouponTemplates>, 'template_id' | 'given' | 'sort'>

/** Templates used by rules cannot be ended: the rules need them. */
export const isRuleTemplate = (templateId: string): boolean => Object.values<string>(grantReasons).includes(templateId)

/** Adds a template under the form's idempotency id. @returns false when that form was already submitted */
export async function addTemplate(tx: Db, templateId: string, row: NewTemplate): Promise<boolean> {
  const made = await tx
    .insertInto('coupon_templates')
    .values({ ...row, template_id: templateId, sort: 0 })
    .onConflict((c) => c.column('template_id').doNothing())
    .returning('template_id')
    .executeTakeFirst()
  return made !== undefined
}

/** Stops a template from being received; coupons held stay valid. @returns its name, undefined when it had ended */
export async function endTemplate(tx: Db, templateId: string, now: number): Promise<string | undefined> {
  const row = isRuleTemplate(templateId)
    ? undefined
    : await tx
        .updateTable('coupon_templates')
        // also move a future start, or the template would still look scheduled
        .set({ receive_end_at: now, receive_start_at: sql<number | null>`least(receive_start_at, ${now}::bigint)` })
        .where('template_id', '=', templateId)
        .where(sql<boolean>`(receive_end_at is null or receive_end_at > ${now}::bigint)`)
        .returning('name')
        .executeTakeFirst()
  return row?.name
}

/**
 * Gives one user a coupon, with a message. Call in a transaction.
 * @param grant `couponId`: the form's idempotency id
 * @returns false when that form was already submitted
 * @throws AppError NOT_FOUND, COUPON_NOT_USABLE with the reason
 */
export async function grantManually(
  tx: Db,
  grant: { templateId: string; userId: string; couponId: string; now: number },
): Promise<boolean> {
  const { templateId, userId, couponId, now } = grant
  if (!(await tryLockUser(tx, userId))) throw new AppError('NOT_FOUND', { msg: '没有这位用户，或账号正在注销' })
  const existing = await tx
    .selectFrom('user_coupons')
    .select('coupon_id')
    .where('coupon_id', '=', couponId)
    .executeTakeFirst()
  if (existing) return false
  const t = await tx.selectFrom('coupon_templates').selectAll().where('template_id', '=', templateId).executeTakeFirst()
  if (!t || isRuleTemplate(templateId)) throw new AppError('NOT_FOUND', { msg: '没有这张优惠券' })
  if (stateOf(t, 0, now) === 'ENDED') throw new AppError('COUPON_NOT_USABLE', { msg: '这张优惠券已结束，不能再发放' })
  const given = await grantCoupon(tx, grant)
  if (typeof given === 'string')
    throw new AppError('COUPON_NOT_USABLE', {
      msg: given === 'USER' ? `这位用户领取的数量已达上限（${t.per_user} 张）` : '这张优惠券已发完',
    })
  const summary = `送您一张“${t.name}”（${given.worth}），可在“我的优惠券”查看`
  await notify(tx, {
    ...{ userId, type: 'SYSTEM', title: '优惠券已到账', summary, bizType: 'COUPON', bizId: couponId, now },
    link: pageLink(COUPON_RECORDS_PAGE),
  })
  return true
}
