import { concurrentIndex, step } from './step'

/** When WeChat is told (again) that a payment was delivered, and when it has taken note. */
export const shipping = step(
  'alter table payments add column ship_at bigint',
  'alter table payments add column shipped_at bigint',
)

export const shippingIndex = concurrentIndex(
  'payments_to_ship',
  `payments (paid_at) where shipped_at is null and status = 'PAID' and provider = 'wechat' and pay_type = 'WX_MINI'`,
)
