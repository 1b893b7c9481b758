import { useState } from 'react'
import { useCall } from '@/api/useCall'
import { payEnv } from './payEnv'
import type { PayType } from './usePayment'

/** Payment channels available here; `only` is set when there is exactly one. */
export function usePaymentMethods(orderId: string) {
  const load = useCall('pay', 'payType', { orderId, env: payEnv() })
  const [picked, setPicked] = useState<PayType>()
  const type = picked ?? load.data?.find((one) => one.default)?.type ?? load.data?.[0]?.type
  const only = load.data?.length === 1 ? load.data[0]?.type : undefined
  return { load, type, only, pick: setPicked }
}
