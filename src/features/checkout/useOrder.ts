import { useCall } from '@/api/useCall'
import type { Load } from '@/api/useLoad'
import type { Order } from '@/contract/types'
import { useDidReturn } from '@/router/useDidReturn'

/** An order, reloaded whenever the page is shown again, because the user may return from a cashier. */
export function usePayableOrder(orderId: string): Load<Order> {
  const load = useCall('pay', 'getInfo', { orderId })
  useDidReturn(() => void load.reload())
  return load
}
