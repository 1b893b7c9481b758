import { concurrentIndex, migration } from './migration'

/** When a delivery is reported to WeChat (again), and when WeChat confirmed it. */
export const shipping = migration(
  'alter table payments add column ship_at bigint',
  'alter table payments add column shipped_at bigint',
)

export const shippingIndex = concurrentIndex(
  'payments_to_ship',
  `payments (paid_at) where shipped_at is null and status = 'PAID' and provider = 'wechat' and pay_type = 'WX_MINI'`,
)
