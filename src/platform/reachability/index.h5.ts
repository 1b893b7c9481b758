import type { IsReachable } from './port'

export const isReachable: IsReachable = async (url) => {
  try {
    // Taro.request has no `no-cors` mode, and reading another site's response is not allowed
    if (new URL(url).origin === location.origin) return (await fetch(url)).ok
    // HEAD without cookies, so that single-use pages are not consumed; the response stays opaque
    await fetch(url, { method: 'HEAD', mode: 'no-cors', credentials: 'omit' })
    return true
  } catch {
    return false
  }
}
