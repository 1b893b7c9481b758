/** Makes what many ask for at most once in `ms`: whoever asks in between gets the same. Another `key` makes it anew. */
export function cacheFor<T>(ms: number) {
  let kept: { key: string; until: number; made: T } | undefined
  return (make: () => T, key = ''): T => {
    const now = Date.now()
    if (kept?.key !== key || kept.until <= now) kept = { key, until: now + ms, made: make() }
    return kept.made
  }
}
