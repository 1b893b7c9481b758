import type { CallGroup } from '@/contract/calls'
import { appHandlers } from './app'
import { chatHandlers } from './chat'
import { couponHandlers } from './coupon'
import { evaluationHandlers } from './evaluation'
import type { Handlers } from './handlers'
import { payHandlers } from './pay'
import { userHandlers } from './user'

export const handlers: { readonly [R in CallGroup]: Handlers<R> } = {
  user: userHandlers,
  evaluation: evaluationHandlers,
  app: appHandlers,
  coupon: couponHandlers,
  pay: payHandlers,
  chat: chatHandlers,
}
