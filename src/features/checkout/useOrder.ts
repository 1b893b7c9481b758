import { api } from '@/api'
import { type Load, useLoad } from '@/api/useLoad'
import type { Order } from '@/contract/types'
import { useReturn } from '@/router/useReturn'

/** An order, asked for again whenever the page comes back: the person may have been in a cashier. */
export function useOrder(orderId: string): Load<Order> {
  const load = useLoad(`order:${orderId}`, (scope) => api.pay.getInfo({ orderId }, { quiet: true, scope }))
  useReturn(() => void load.reload())
  return load
}
