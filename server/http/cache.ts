/** Caches a value for `ms`, shared by all callers. Another `key` replaces it. */
export function cacheFor<T>(ms: number) {
  let kept: { key: string; until: number; made: T } | undefined
  return (make: () => T, key = ''): T => {
    const now = Date.now()
    if (kept?.key !== key || kept.until <= now) kept = { key, until: now + ms, made: make() }
    return kept.made
  }
}

/** ms between the request that finds a value stale and its renewal: what that visitor asks for next is served first */
const RENEW_AFTER = 2000

/**
 * Stale-while-revalidate (RFC 5861): a value is answered for `freshFor` ms, and for `staleFor` ms more while it is renewed
 * once in the background. A failure is not cached: with nothing to fall back on the caller gets it.
 */
export function staleWhileRevalidate<T>(freshFor: number, staleFor: number) {
  let cached: { at: number; value: T } | undefined
  let pending: Promise<T> | undefined
  let planned = false
  const renew = (make: () => Promise<T>): Promise<T> => {
    pending ??= make()
      .then((value) => {
        cached = { at: Date.now(), value }
        return value
      })
      .finally(() => {
        pending = undefined
      })
    return pending
  }
  return async (make: () => Promise<T>): Promise<T> => {
    const age = cached ? Date.now() - cached.at : Number.POSITIVE_INFINITY
    if (!cached || age >= freshFor + staleFor) return renew(make)
    if (age >= freshFor && !planned) {
      planned = true
      setTimeout(() => {
        planned = false
        renew(make).catch(() => undefined)
      }, RENEW_AFTER).unref()
    }
    return cached.value
  }
}
