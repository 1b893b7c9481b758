import type { Launch } from './port'

const PLATFORM = 'gav.platform'

export const launch: Launch = {
  query() {
    const out: Record<string, string> = {}
    for (const pair of window.location.search.slice(1).split('&')) {
      const separator = pair.indexOf('=')
      if (separator > 0) out[pair.slice(0, separator)] = pair.slice(separator + 1)
    }
    return out
  },
  nativePlatform(named) {
    try {
      if (named) sessionStorage.setItem(PLATFORM, named)
      return sessionStorage.getItem(PLATFORM) ?? undefined
    } catch {
      return named
    }
  },
  removeParam(name) {
    const query = new URLSearchParams(location.search)
    if (!query.has(name)) return
    query.delete(name)
    const rest = query.toString()
    history.replaceState(history.state, '', `${location.pathname}${rest ? `?${rest}` : ''}${location.hash}`)
  },
  reloaded() {
    const [entry] = performance.getEntriesByType?.('navigation') ?? []
    return /^(reload|back_forward)$/.test((entry as PerformanceNavigationTiming | undefined)?.type ?? '')
  },
  onReopen: () => undefined,
}
