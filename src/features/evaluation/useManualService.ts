import { usePayStatus } from '@/api/usePayStatus'
import { appState } from '@/session/store'

/** Whether the manual service is open, whether prices may be shown, and which. */
export function useManualService() {
  const { load, manual, paymentsEnabled, freePerDay, manualFromFen } = usePayStatus(appState().platform)
  return { load, available: manual, prices: paymentsEnabled, freePerDay, manualFromFen }
}
