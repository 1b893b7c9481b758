import { MINUTE_MS } from '@/contract/time'
import type { Logger } from '../../core/log'

interface ForgedNotificationEntry {
  log: Pick<Logger, 'warn'>
  provider: string
  /** what is wrong with it */
  why: string
  /** network of the sender, see `networkOf` */
  net: string
  /** ms */
  now: number
}

/** networks remembered at most; many more of them at once is one attack, whose lines may repeat */
const MAX_NETWORKS = 1000

/**
 * Logs notifications with an invalid signature. Anybody can send them, so a network gets one line a minute, with the
 * number of notifications since its last line. Each is still verified and refused: throttling could delay a genuine one.
 */
export function createForgedNotificationLog(): (notification: ForgedNotificationEntry) => void {
  const logged = new Map<string, { at: number; more: number }>()
  return ({ log, net, now, ...fields }) => {
    const last = logged.get(net)
    if (last && now - last.at < MINUTE_MS) {
      last.more += 1
      return
    }
    if (logged.size >= MAX_NETWORKS) logged.clear()
    logged.set(net, { at: now, more: 0 })
    log.warn({ ...fields, times: 1 + (last?.more ?? 0) }, 'forged notification')
  }
}
