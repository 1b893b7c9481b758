import { usePayStatus } from '@/api/usePayStatus'
import { appState } from '@/session/store'

/** Whether the human service takes orders, whether prices may be shown here, and which. */
export function useManualService() {
  const { manual, open, freePerDay, manualFromFen } = usePayStatus(appState().platform)
  return { open: manual, prices: open, freePerDay, manualFromFen }
}
