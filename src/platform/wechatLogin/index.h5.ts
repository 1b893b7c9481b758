import { closeOverlays } from '../backHandler'
import { storage } from '../storage'
import { type LoginRequest, newState, type WechatLogin, type WechatReturn } from './port'

const KEY = 'wechat:login'
/** ms until the result of a redirect expires: WeChat's codes are valid for five minutes */
const LIMIT = 600_000

interface Kept extends LoginRequest {
  state: string
  /** ms */
  at: number
}

/** 128 random bits: a result with another state was not requested by this browser (login CSRF). */
function secretState(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Takes the pending request, so that a second result finds none. */
function takeKept(): Kept | undefined {
  const text = storage.get(KEY)
  storage.remove(KEY)
  try {
    const kept: unknown = JSON.parse(text ?? 'null')
    return typeof kept === 'object' && kept !== null && 'state' in kept ? (kept as Kept) : undefined
  } catch {
    return undefined
  }
}

/** Browsers have no host login; WeChat's browser identifies the user to the server through a redirect. */
export const wechatLogin: WechatLogin = {
  code: async () => undefined,
  phoneButton: 'getPhoneNumber',
  state: newState,
  inBrowser: () => /MicroMessenger/i.test(navigator.userAgent),
  leave(request) {
    const kept: Kept = { ...request, state: secretState(), at: Date.now() }
    storage.set(KEY, JSON.stringify(kept))
    // otherwise the pending removal of a sheet's history entry would navigate back from WeChat.
    // Replaced: the way back must not lead to WeChat again
    void closeOverlays().then(() => location.replace(`${API_BASE}/wechat/login?state=${kept.state}`))
  },
  returned(): WechatReturn | undefined {
    const query = new URLSearchParams(location.search)
    const [code, state] = [query.get('code'), query.get('state')]
    if (state === null) return undefined
    for (const name of ['code', 'state']) query.delete(name)
    const rest = query.toString()
    history.replaceState(history.state, '', `${location.pathname}${rest ? `?${rest}` : ''}${location.hash}`)
    const kept = takeKept()
    const ours = kept !== undefined && kept.state === state && Date.now() - kept.at < LIMIT
    return { back: kept?.back, bind: kept?.bind === true, code: (ours && code) || undefined, state }
  },
}
