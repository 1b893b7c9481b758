import { LRUCache } from 'lru-cache'
import type { WechatApp } from './settings'

/** ms before expiry at which a token is renewed */
const EARLY = 300_000

export type Post = <T>(path: string, body: unknown) => Promise<T>

/** A credential from WeChat with limited validity. @param renew if WeChat rejected the current one */
export type Credential = (renew?: boolean) => Promise<string>

/** Keeps a credential until shortly before it expires; concurrent callers share one request. `seconds`: its validity. */
export function cacheCredential(
  fetchToken: (force: boolean) => Promise<{ text: string; seconds: number }>,
): Credential {
  const kept = new LRUCache<'credential', string, boolean>({
    max: 1,
    async fetchMethod(_key, _stale, { options, context }) {
      const { text, seconds } = await fetchToken(context)
      options.ttl = Math.max(1, seconds * 1000 - EARLY)
      return text
    },
  })
  return (renew = false) => kept.forceFetch('credential', { forceRefresh: renew, context: renew })
}

/**
 * The access token of an app, from the "stable" endpoint: all processes get the same one and do not invalidate each
 * other's.
 */
export const createAccessToken = (app: WechatApp, post: Post): Credential =>
  cacheCredential(async (force) => {
    const { access_token: text, expires_in: seconds } = await post<{ access_token: string; expires_in: number }>(
      '/cgi-bin/stable_token',
      { grant_type: 'client_credential', appid: app.appId, secret: app.secret, force_refresh: force },
    )
    return { text, seconds }
  })
