import type { Order } from '@/contract/types'
import { copy } from './copy'

/** product 3, page 40 */
export const CONTRAST_MIN = 2
export const CONTRAST_MAX = 4

export type Picked = readonly Order[]

/** Why an order cannot join the others; undefined when it can (or already has). */
export function refusal(picked: Picked, order: Order): string | undefined {
  if (!order.actions.includes('COMPARE')) return copy.pickNot
  if (picked.some(({ orderId }) => orderId === order.orderId)) return undefined
  if (picked[0] && picked[0].gameId !== order.gameId) return copy.pickOther
  return picked.length >= CONTRAST_MAX ? copy.pickFull : undefined
}

/** In or out; an order that may not join changes nothing. */
export function toggle(picked: Picked, order: Order): Picked {
  const others = picked.filter(({ orderId }) => orderId !== order.orderId)
  if (others.length < picked.length) return others
  return refusal(picked, order) ? picked : [...picked, order]
}

/** What is still missing, as a sentence; undefined when the comparison may begin. */
export function missing(picked: Picked): string | undefined {
  if (picked.length >= CONTRAST_MIN) return undefined
  return picked.length === 0 ? copy.pickFirst : copy.pickNeed
}
