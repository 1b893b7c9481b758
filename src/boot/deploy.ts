const KEY = 'gav.recovered'

/** Sets a flag that survives one reload; without storage there is no automatic recovery. */
function firstTime(script: string): boolean {
  try {
    if (sessionStorage.getItem(KEY) === script) return false
    sessionStorage.setItem(KEY, script)
    return true
  } catch {
    return false
  }
}

/**
 * A page's code failed to load. If the server now serves another build, the old code no longer exists: loads the new
 * build, once. Returns false if that is not the reason.
 */
export async function recoverFromDeploy(): Promise<boolean> {
  const entry = document.querySelector<HTMLScriptElement>('script[src*="/js/app"]')?.getAttribute('src')
  if (!entry) return false
  try {
    // fetch, because Taro.request may be in the chunk that is missing
    const r = await fetch('/', { cache: 'no-store' })
    const html = r.ok ? await r.text() : entry
    if (html.includes(entry) || !firstTime(entry)) return false
    window.location.reload()
    return true
  } catch {
    return false
  }
}
