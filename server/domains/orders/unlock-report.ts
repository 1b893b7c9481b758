import { sql } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import { REPORT_PAGE } from '@/contract/pages'
import type { Db } from '../../db/database'
import { notify } from '../accounts/notifications/send'
import { keepsAccount } from '../games/account-identity'
import { hasValidReport } from '../reports/validity'
import { pageLink } from '../shared/page-link'
import { type Actor, transitionOrder } from './order-transitions'
import { resetPrice } from './paying/lock-price'

export type UnlockedBy = 'PAY' | 'HELP' | 'AD' | 'COUPON' | 'MANUAL'

/** Messages of unlocks; of a payment its receipt says it (`mark-paid.ts`). */
const how: { readonly [By in UnlockedBy]?: string } = {
  HELP: '好友助力已完成',
  AD: '您已看完广告',
  MANUAL: '人工估价已包含完整 AI 报告',
}

interface Unlock {
  orderId: string
  by: UnlockedBy
  /** ms */
  now: number
  actor?: Actor
}

/**
 * Unlocks the whole report of an AI order: REPORTED → UNLOCKED, the report's row and the message unless it was paid, in the caller's
 * transaction. Of concurrent unlocks (help, ad, payment) one succeeds.
 * @returns false when there was nothing to unlock: already unlocked, past its 7 days, revoked, or no such order
 */
export async function unlockReport(tx: Db, { orderId, by, now, actor = 'system' }: Unlock): Promise<boolean> {
  const only = sql<boolean>`${hasValidReport(now)} and exists (select 1 from reports r where r.order_id = orders.id and r.status = 'LOCKED')`
  if (!(await transitionOrder(tx, { orderId, from: 'REPORTED', to: 'UNLOCKED', now, actor, note: by, only })))
    return false
  // a begun payment is no longer needed, so release its coupon
  if (by !== 'PAY' && by !== 'COUPON') await resetPrice(tx, orderId, now)
  const order = await tx
    .selectFrom('orders')
    .select(['user_id', 'title', 'report_no'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('reports')
    .set({ status: 'UNLOCKED' })
    .where('order_id', '=', orderId)
    .where('status', '=', 'LOCKED')
    .execute()
  const said = how[by]
  if (!said) return true
  await notify(tx, {
    userId: order.user_id,
    type: 'UNLOCKED',
    title: '解锁成功',
    summary: `${said}，“${order.title}”的完整报告已可查看`,
    bizType: 'REPORT',
    bizId: order.report_no ?? orderId,
    link: pageLink(REPORT_PAGE, { orderId }),
    now,
  })
  return true
}

interface Included {
  userId: string
  accountId: string
  config: FormConfig
  /** answers of the order that was delivered */
  answers: Answers
  /** ms */
  now: number
}

/** Unlocks the model's reports of an account whose manual report was delivered: they are included in its price. */
export async function unlockIncluded(tx: Db, { userId, accountId, config, answers, now }: Included): Promise<void> {
  const locked = await tx
    .selectFrom('reports')
    .innerJoin('orders', 'orders.id', 'reports.order_id')
    .select(['orders.id', 'orders.answers'])
    .where('reports.user_id', '=', userId)
    .where('reports.account_id', '=', accountId)
    .where('reports.status', '=', 'LOCKED')
    .where('orders.status', '=', 'REPORTED')
    .where('orders.mode', '=', 'AI')
    .orderBy('orders.id')
    .execute()
  for (const { id: orderId, answers: earlier } of locked)
    if (keepsAccount(config, earlier, answers)) await unlockReport(tx, { orderId, by: 'MANUAL', now })
}
