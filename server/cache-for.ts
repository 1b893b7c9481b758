/** Caches a value for `ms`, shared by all callers. Another `key` replaces it. */
export function cacheFor<T>(ms: number) {
  let kept: { key: string; until: number; made: T } | undefined
  return (make: () => T, key = ''): T => {
    const now = Date.now()
    if (kept?.key !== key || kept.until <= now) kept = { key, until: now + ms, made: make() }
    return kept.made
  }
}
