import { useCall } from '@/api/useCall'
import { payEnv } from './payEnv'

/** Payment channels available here; `only` is set when there is exactly one. */
export function usePaymentMethods(orderId: string) {
  const load = useCall('pay', 'payType', { orderId, env: payEnv() })
  return { load, only: load.data?.length === 1 ? load.data[0]?.type : undefined }
}
