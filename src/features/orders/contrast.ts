import type { Order } from '@/contract/types'
import { copy } from './copy'

/** A comparison takes two to four reports. */
export const CONTRAST_MIN = 2
const CONTRAST_MAX = 4

export type Selection = readonly Order[]

/** Why an order cannot join the others; undefined when it can (or already has). */
export function selectionIssue(picked: Selection, order: Order): string | undefined {
  if (!order.actions.includes('COMPARE')) return copy.pickNot
  if (picked.some(({ orderId }) => orderId === order.orderId)) return undefined
  if (picked[0] && picked[0].gameId !== order.gameId) return copy.pickOther
  return picked.length >= CONTRAST_MAX ? copy.pickFull : undefined
}

/** Adds or removes an order; one that cannot be compared with the others is ignored. */
export function toggleSelection(picked: Selection, order: Order): Selection {
  const others = picked.filter(({ orderId }) => orderId !== order.orderId)
  if (others.length < picked.length) return others
  return selectionIssue(picked, order) ? picked : [...picked, order]
}
