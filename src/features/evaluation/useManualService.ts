import { usePayStatus } from '@/api/usePayStatus'
import { appState } from '@/session/store'

/** Whether the manual service is open, whether prices may be shown, and which. */
export function useManualService() {
  const { manual, open, freePerDay, manualFromFen } = usePayStatus(appState().platform)
  return { open: manual, prices: open, freePerDay, manualFromFen }
}
