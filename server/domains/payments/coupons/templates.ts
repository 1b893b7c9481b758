import type { Insertable } from 'kysely'
import type { Db } from '../../../db/database'
import type { CouponTemplates } from '../../../db/tables'

type Shipped = Partial<Insertable<CouponTemplates>> &
  Pick<Insertable<CouponTemplates>, 'template_id' | 'name' | 'type' | 'scope'>

/** Templates of coupons given by rules. */
export const grantReasons = {
  NEWCOMER: 'newcomer',
  LATE: 'late',
  INSUFFICIENT: 'insufficient',
  RECHECK: 'recheck',
  THANKS: 'sale-thanks',
} as const

const NO_LIMIT = -1
/** effectively unlimited: the rules decide how often */
const MANY = 1_000_000

/** Templates of a new database. The operator can change amounts and limits in the table. */
const shipped: readonly Shipped[] = [
  { template_id: grantReasons.NEWCOMER, name: '新人体验券', type: 'FREE', scope: 'AI', days: 30 },
  {
    template_id: grantReasons.LATE,
    name: '超时补偿券',
    type: 'DIRECT',
    amount_fen: 500,
    scope: 'ALL',
    days: 90,
    per_user: MANY,
  },
  {
    template_id: grantReasons.INSUFFICIENT,
    name: '人工估价立减券',
    type: 'DIRECT',
    amount_fen: 500,
    scope: 'MANUAL',
    days: 7,
  },
  { template_id: grantReasons.THANKS, name: '成交回访谢礼券', type: 'FREE', scope: 'AI', days: 60, per_user: MANY },
  { template_id: grantReasons.RECHECK, name: '复估体验券', type: 'FREE', scope: 'AI', days: 30, per_user: MANY },
  {
    template_id: 'manual-3',
    name: '人工估价满减券',
    type: 'CASH_OFF',
    amount_fen: 300,
    threshold_fen: 1900,
    scope: 'MANUAL',
    days: 15,
    listed: true,
    sort: 1,
  },
  {
    template_id: 'expert-80',
    name: '专家估价 8 折券',
    type: 'PERCENT',
    percent: 80,
    cap_fen: 1000,
    threshold_fen: 4000,
    scope: 'MANUAL',
    days: 15,
    listed: true,
    sort: 2,
  },
  {
    template_id: 'report-1',
    name: 'AI 报告立减券',
    type: 'DIRECT',
    amount_fen: 100,
    scope: 'AI',
    days: 7,
    total: 10_000,
    listed: true,
    sort: 3,
  },
]

/** Inserts shipped templates that are missing in the database. */
export async function seedCoupons(db: Db): Promise<void> {
  const defaults = {
    amount_fen: 0,
    percent: null,
    cap_fen: null,
    threshold_fen: 0,
    game_ids: '[]',
    total: NO_LIMIT,
    per_user: 1,
    valid_type: 'DAYS' as const,
    start_at: null,
    end_at: null,
    receive_start_at: null,
    receive_end_at: null,
    listed: false,
    sort: 0,
  }
  await db
    .insertInto('coupon_templates')
    .values(shipped.map((t) => ({ ...defaults, days: null, ...t })))
    .onConflict((c) => c.column('template_id').doNothing())
    .execute()
}
