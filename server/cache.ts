/** ms between the request that finds a value stale and its renewal: what that visitor asks for next is served first */
const RENEW_AFTER = 2000
/** Keys of one cache; the oldest is dropped. Keys may come from requests (an origin), or be games. */
const MAX_KEYS = 200

interface Entry<T> {
  cached?: { at: number; value: T }
  pending?: Promise<T> | undefined
  planned: boolean
}

/**
 * Stale-while-revalidate (RFC 5861): a value is answered for `freshFor` ms, and for `staleFor` ms more while it is renewed
 * once in the background. A failure is not cached, nor `undefined`, what does not exist yet: with nothing to fall back on the caller gets it. One value per key.
 * `forget` drops all values, and those being made.
 */
export function staleWhileRevalidate<T>(freshFor: number, staleFor: number, renewAfter = RENEW_AFTER) {
  const entries = new Map<string, Entry<T>>()

  const renew = (entry: Entry<T>, make: () => Promise<T>): Promise<T> => {
    entry.pending ??= make()
      .then((value) => {
        entry.cached = value === undefined ? undefined : { at: Date.now(), value }
        return value
      })
      .finally(() => {
        entry.pending = undefined
      })
    return entry.pending
  }

  function entryOf(key: string): Entry<T> {
    const existing = entries.get(key)
    if (existing) return existing
    const [oldest] = entries.keys()
    if (entries.size >= MAX_KEYS && oldest !== undefined) entries.delete(oldest)
    const entry = { planned: false }
    entries.set(key, entry)
    return entry
  }

  const get = async (make: () => Promise<T>, key = ''): Promise<T> => {
    const entry = entryOf(key)
    const { cached } = entry
    const age = cached ? Date.now() - cached.at : Number.POSITIVE_INFINITY
    if (!cached || age >= freshFor + staleFor) return renew(entry, make)
    if (age >= freshFor && !entry.planned) {
      entry.planned = true
      setTimeout(() => {
        entry.planned = false
        renew(entry, make).catch(() => undefined)
      }, renewAfter).unref()
    }
    return cached.value
  }
  return Object.assign(get, { forget: () => entries.clear() })
}
