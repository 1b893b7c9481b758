import { type Handlers, notOpenYet } from '../handlers'

export const couponHandlers: Handlers<'coupon'> = {
  canReceive: notOpenYet,
  receive: notOpenYet,
  getByStatus: notOpenYet,
  getCanUse: notOpenYet,
}
