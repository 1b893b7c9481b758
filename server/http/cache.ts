/** Caches a value for `ms`, shared by all callers. Another `key` replaces it. */
export function cacheFor<T>(ms: number) {
  let kept: { key: string; until: number; made: T } | undefined
  return (make: () => T, key = ''): T => {
    const now = Date.now()
    if (kept?.key !== key || kept.until <= now) kept = { key, until: now + ms, made: make() }
    return kept.made
  }
}

/**
 * Stale-while-revalidate (RFC 5861): what was made is answered for `freshFor` ms, and for `staleFor` ms more while one
 * request makes it anew in the background. A failure is not cached: with nothing to fall back on the caller gets it.
 */
export function staleWhileRevalidate<T>(freshFor: number, staleFor: number) {
  let cached: { at: number; value: T } | undefined
  let pending: Promise<T> | undefined
  return async (make: () => Promise<T>): Promise<T> => {
    const age = cached ? Date.now() - cached.at : Number.POSITIVE_INFINITY
    if (cached && age < freshFor) return cached.value
    pending ??= make()
      .then((value) => {
        cached = { at: Date.now(), value }
        return value
      })
      .finally(() => {
        pending = undefined
      })
    if (!cached || age >= freshFor + staleFor) return pending
    pending.catch(() => undefined)
    return cached.value
  }
}
