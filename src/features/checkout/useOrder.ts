import { useCall } from '@/api/useCall'
import type { Load } from '@/api/useLoad'
import type { Order } from '@/contract/types'
import { useDidReturn } from '@/router/useDidReturn'

/** An order, asked for again whenever the page comes back: the person may have been in a cashier. */
export function useOrder(orderId: string): Load<Order> {
  const load = useCall('pay', 'getInfo', { orderId })
  useDidReturn(() => void load.reload())
  return load
}
