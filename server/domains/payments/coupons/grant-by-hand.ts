import { type Insertable, sql } from 'kysely'
import type { Db } from '../../../db/database'
import type { CouponTemplates } from '../../../db/tables'
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
