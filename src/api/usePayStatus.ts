import { APP_VERSION } from '@/contract/constants'
import { api } from '.'
import { useLoad } from './useLoad'

/**
 * What may be bought where the app runs (`open-pay-status`, product 4.1). `prices`: browsers always show them, app
 * shells only when the server allows it; until it has answered nothing is for sale.
 */
export function usePayStatus(platform: string) {
  const { data, loading } = useLoad('status', (scope) =>
    api.app.openPayStatus({ platform, version: APP_VERSION }, { quiet: true, scope }),
  )
  const open = data !== undefined && data.pay !== 'OFF'
  return {
    status: data,
    /** the answer, good or bad, is in */
    known: data !== undefined || !loading,
    open,
    virtual: data?.pay === 'VIRTUAL',
    prices: platform === 'h5' || open,
    manual: data?.manual === true,
  }
}
