import { DEDUPE_WINDOW, REQUEST_CACHE_PURGE } from '@/contract/constants'
import { type AbortableSignal, createAbortableSignal } from '@/lib/abortableSignal'

interface Entry {
  readonly startedAt: number
  readonly result: Promise<unknown>
  /** Ends when no caller waits any more. */
  readonly requestSignal: AbortableSignal
  readonly changesState: boolean
  waiting: number
  state: 'running' | 'done' | 'failed'
}

export interface DedupedRequest {
  key: string
  /** What was read before it is not reused after it. */
  changesState: boolean
  /** Whether an earlier failure may answer it. */
  sharesFailure: boolean
  /** Signal of the calling page; leaving it rejects with `left()`. */
  signal?: AbortableSignal
  start(requestSignal: AbortableSignal): Promise<unknown>
  left(): Error
}

/**
 * Equal calls share one request while it is running, and its result for 300 ms from its start; entries older than
 * 1 s are removed (spec §7, §9). A request is aborted when no caller waits for it. What was read before a change is not
 * reused after it: a page that changes something and reads again would otherwise show the state before.
 */
export function createDeduplication(now: () => number) {
  const entries = new Map<string, Entry>()
  let sweeping = false

  function sweep() {
    sweeping = false
    for (const [key, e] of entries)
      if (e.state !== 'running' && now() - e.startedAt >= REQUEST_CACHE_PURGE) entries.delete(key)
    if (entries.size > 0) sweepLater()
  }
  function sweepLater() {
    if (sweeping) return
    sweeping = true
    setTimeout(sweep, REQUEST_CACHE_PURGE)
  }

  function forgetReads() {
    for (const [key, { changesState }] of entries) if (!changesState) entries.delete(key)
  }

  function begin({ key, changesState, start }: DedupedRequest): Entry {
    const requestSignal = createAbortableSignal()
    const result = start(requestSignal)
    const entry: Entry = { startedAt: now(), result, requestSignal, changesState, waiting: 0, state: 'running' }
    result.then(
      () => {
        entry.state = 'done'
        if (changesState) forgetReads()
      },
      () => {
        entry.state = 'failed'
      },
    )
    entries.set(key, entry)
    sweepLater()
    return entry
  }

  function usable(e: Entry, sharesFailure: boolean) {
    if (e.requestSignal.aborted) return false
    if (e.state === 'running') return true
    if (e.state === 'failed' && !sharesFailure) return false
    return now() - e.startedAt < DEDUPE_WINDOW
  }

  function join(e: Entry, signal: AbortableSignal | undefined, left: () => Error) {
    e.waiting++
    return new Promise<unknown>((resolve, reject) => {
      const off = signal?.onAbort(() => {
        reject(left())
        if (--e.waiting === 0) e.requestSignal.abort()
      })
      e.result.then(resolve, reject).finally(() => off?.())
    })
  }

  return {
    size: () => entries.size,
    run(call: DedupedRequest): Promise<unknown> {
      if (call.signal?.aborted) return Promise.reject(call.left())
      const existing = entries.get(call.key)
      const entry = existing && usable(existing, call.sharesFailure) ? existing : begin(call)
      return join(entry, call.signal, call.left)
    },
  }
}
