import { type Selectable, sql } from 'kysely'
import { couponWorth } from '@/contract/couponText'
import { COUPON_RECORDS_PAGE } from '@/contract/pages'
import { DAY_MS } from '@/contract/time'
import type { Db } from '../../../db/database'
import type { CouponTemplates } from '../../../db/tables'
import { notify } from '../../accounts/notifications/send'
import { lockName } from '../../shared/locks'
import { pageLink } from '../../shared/page-link'
import { newId } from '../../shared/secrets'
import { grantReasons } from './templates'

export type Template = Selectable<CouponTemplates>

interface Give {
  templateId: string
  userId: string
  /** ms */
  now: number
}

/** Validity period of a coupon given now, ms. */
export function validity(t: Template, now: number): { start_at: number; end_at: number } {
  if (t.valid_type === 'DAYS') return { start_at: now, end_at: now + (t.days ?? 0) * DAY_MS }
  return { start_at: t.start_at ?? now, end_at: t.end_at ?? now }
}

/**
 * The template, held so that the limits apply to concurrent requests: its row where there is a total to count, otherwise
 * the pair of template and user, so that sign-ups do not wait for each other.
 */
async function holdTemplate(tx: Db, templateId: string, userId: string): Promise<Template> {
  const wanted = tx.selectFrom('coupon_templates').selectAll().where('template_id', '=', templateId)
  const t = await wanted.executeTakeFirstOrThrow()
  if (t.total >= 0) return wanted.forUpdate().executeTakeFirstOrThrow()
  await lockName(tx, `coupon:${templateId}:${userId}`)
  return t
}

/**
 * Gives a user one coupon of a template, within its total and the limit per user. Call in a transaction: a rollback also
 * undoes the count, which only templates with a total have.
 * @returns the new coupon's id, or the limit that is reached
 */
export async function grantCoupon(
  tx: Db,
  { templateId, userId, now }: Give,
): Promise<{ couponId: string; worth: string } | 'TOTAL' | 'USER'> {
  const t = await holdTemplate(tx, templateId, userId)
  const { n } = await tx
    .selectFrom('user_coupons')
    .select(sql<number>`count(*)`.as('n'))
    .where('template_id', '=', templateId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (n >= t.per_user) return 'USER'
  if (t.total >= 0 && t.given >= t.total) return 'TOTAL'
  if (t.total >= 0)
    await tx
      .updateTable('coupon_templates')
      .set({ given: t.given + 1 })
      .where('template_id', '=', templateId)
      .execute()
  const couponId = newId()
  await tx
    .insertInto('user_coupons')
    .values({
      coupon_id: couponId,
      template_id: templateId,
      user_id: userId,
      nth: n + 1,
      status: 'UNUSED',
      ...validity(t, now),
      received_at: now,
      used_at: null,
      order_id: null,
    })
    .execute()
  const { type, amount_fen: amountFen, percent, cap_fen, threshold_fen: thresholdFen } = t
  const rule = { type, amountFen, percent: percent ?? undefined, capFen: cap_fen ?? undefined, thresholdFen }
  return { couponId, worth: couponWorth(rule) }
}

/** `{worth}`: the template's current value, which the operator can change. */
const words: { readonly [For in keyof typeof grantReasons]: { title: string; summary: string } } = {
  NEWCOMER: { title: '新人体验券已到账', summary: '送您一张体验券，可免费解锁一份 AI 完整报告' },
  LATE: { title: '超时补偿券已到账', summary: '估价未能按时完成，送您一张 {worth} 优惠券表示歉意' },
  INSUFFICIENT: { title: '人工估价立减券已到账', summary: '可比样本不足，无法给出 AI 估价，送您一张人工估价立减券' },
  THANKS: { title: '谢谢您告诉我们成交价', summary: '送您一张体验券，可免费解锁一份 AI 完整报告' },
  RECHECK: {
    title: '复估体验券已到账',
    summary: '很抱歉这次估价没有让您满意，送您一张体验券，重新估价后可免费解锁完整报告',
  },
}

/**
 * Gives a coupon by a rule, with its message; nothing when the user has reached the limit.
 * @returns the coupon's id
 */
export async function grantByRule(
  tx: Db,
  why: keyof typeof grantReasons,
  userId: string,
  now: number,
): Promise<string | undefined> {
  const given = await grantCoupon(tx, { templateId: grantReasons[why], userId, now })
  if (typeof given === 'string') return undefined
  const { title, summary } = words[why]
  await notify(tx, {
    userId,
    type: 'SYSTEM',
    title,
    summary: summary.replace('{worth}', given.worth),
    bizType: 'COUPON',
    bizId: given.couponId,
    link: pageLink(COUPON_RECORDS_PAGE),
    now,
  })
  return given.couponId
}
