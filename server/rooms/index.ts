import type { Room } from '@/contract/calls'
import { appHandlers } from './app/routes'
import { chatHandlers } from './chat/routes'
import { couponHandlers } from './coupon/routes'
import { evaluationHandlers } from './evaluation/routes'
import type { Handlers } from './handlers'
import { payHandlers } from './pay/routes'
import { userHandlers } from './user/routes'

export const rooms: { readonly [R in Room]: Handlers<R> } = {
  user: userHandlers,
  evaluation: evaluationHandlers,
  app: appHandlers,
  coupon: couponHandlers,
  pay: payHandlers,
  chat: chatHandlers,
}
