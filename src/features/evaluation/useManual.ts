import { usePayStatus } from '@/api/usePayStatus'
import { appState } from '@/session/store'

/** Whether the human service takes orders, and whether prices may be shown here. */
export function useManual() {
  const { manual, prices } = usePayStatus(appState().platform)
  return { open: manual, prices }
}
