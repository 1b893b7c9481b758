import { DEDUPE_WINDOW } from '@/contract/constants'
import { network } from '@/platform/network'

/**
 * Calls `again` when the network is back, after the window in which an equal call would share the failure (spec §9).
 * @returns unsubscribes
 */
export function onReconnect(again: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const off = network.onChange((online) => {
    clearTimeout(timer)
    if (online) timer = setTimeout(again, DEDUPE_WINDOW)
  })
  return () => {
    clearTimeout(timer)
    off()
  }
}
