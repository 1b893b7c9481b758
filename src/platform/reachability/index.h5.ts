import type { IsReachable } from './port'

export const isReachable: IsReachable = async (url) => {
  try {
    // Taro.request knows no `no-cors`, and reads the answer, which another site does not let us
    if (new URL(url).origin === location.origin) return (await fetch(url)).ok
    // only the head, without cookies: a page that works once must not be used up; the answer itself stays unreadable
    await fetch(url, { method: 'HEAD', mode: 'no-cors', credentials: 'omit' })
    return true
  } catch {
    return false
  }
}
