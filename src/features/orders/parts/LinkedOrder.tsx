import { useEffect, useState } from 'react'
import { useCall } from '@/api/useCall'
import { usePayStatus } from '@/api/usePayStatus'
import { appState } from '@/session/store'
import { openOrder } from '../orderButtons'
import { SupplySheet } from './SupplySheet'

/**
 * The order that a message or the payment result links to: one that waits for information asks for it, any other is opened. If it
 * cannot be loaded, only the list is shown.
 */
export function LinkedOrder({ orderId, onDone }: { orderId: string; onDone: () => void }) {
  const { data } = useCall('pay', 'getInfo', { orderId })
  const { loaded, paymentsEnabled: prices } = usePayStatus(appState().platform)
  const [closed, setClosed] = useState(false)
  const order = loaded ? data : undefined
  const asks = order?.actions.includes('SUPPLY') === true
  useEffect(() => {
    if (order && !asks) openOrder(order, prices)
  }, [order, asks, prices])
  if (!order || !asks || closed) return null
  return <SupplySheet order={order} kind='supply' prices={prices} onClose={() => setClosed(true)} onDone={onDone} />
}
