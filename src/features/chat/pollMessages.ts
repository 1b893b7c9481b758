import { ApiError, api } from '@/api'
import type { ChatPage } from '@/contract/types'
import type { AbortableSignal } from '@/lib/abortableSignal'

/** ms; an empty answer that arrives sooner was not held open by the server */
const MIN_HELD_MS = 1000
/** used where the server or a proxy does not hold requests open */
const POLL_INTERVAL_MS = 3000
/** Retry delay: doubled after each failure up to the maximum. */
const MIN_RETRY_DELAY_MS = 1000
const MAX_RETRY_DELAY_MS = 30_000
/** consecutive failures before an error is shown; a single failure usually recovers before the message could be read */
const MAX_SILENT_FAILURES = 2

/** Cursor of the last received messages; only answers advance it, so that no message between two of them is skipped. */
export interface ReadPosition {
  seq: number
  readSeq: number
}

interface PollOptions {
  position: ReadPosition
  signal: AbortableSignal
  onPage: (page: ChatPage) => void
  onOnline: (online: boolean) => void
}

/** Waits `ms`, or less if `signal` is aborted. */
function pause(signal: AbortableSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.onAbort(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

async function pollOnce({ position, signal, onPage, onOnline }: PollOptions): Promise<void> {
  const began = Date.now()
  const page = await api.chat.messages(
    { after: position.seq, readSeq: position.readSeq, wait: true },
    { quiet: true, signal },
  )
  if (signal.aborted) return
  const news = page.list.length > 0 || page.readSeq !== position.readSeq
  position.seq = page.list[page.list.length - 1]?.seq ?? position.seq
  position.readSeq = page.readSeq
  onOnline(true)
  if (news) onPage(page)
  else if (Date.now() - began < MIN_HELD_MS) await pause(signal, POLL_INTERVAL_MS)
}

/**
 * Delivers every message after `known` once and in order until `signal` is aborted: by long polling, by polling every 3 s where
 * requests are not held open, and with retries after failures.
 */
export async function pollMessages(options: PollOptions): Promise<void> {
  const { signal, onOnline } = options
  for (let failures = 0; !signal.aborted; ) {
    try {
      await pollOnce(options)
      failures = 0
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
      if (signal.aborted || e.behaviour === 'relogin') return
      failures += 1
      if (failures >= MAX_SILENT_FAILURES) onOnline(false)
      await pause(signal, Math.min(MAX_RETRY_DELAY_MS, MIN_RETRY_DELAY_MS * 2 ** failures))
    }
  }
}
