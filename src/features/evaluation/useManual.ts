import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { APP_VERSION } from '@/contract/constants'
import { appState } from '@/session/store'

/**
 * Whether the human service takes orders, and whether prices may be shown here (product 4.1: app shells show none while
 * paying is off). As long as the server has not said so, the service counts as closed.
 */
export function useManual() {
  const { platform } = appState()
  const { data } = useLoad('status', (scope) =>
    api.app.openPayStatus({ platform, version: APP_VERSION }, { quiet: true, scope }),
  )
  return { open: data?.manual === true, prices: platform === 'h5' || (data !== undefined && data.pay !== 'OFF') }
}
