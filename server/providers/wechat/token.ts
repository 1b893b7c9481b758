import type { WechatApp } from './settings'

/** ms before its end a token is renewed */
const EARLY = 300_000

export type Post = <T>(path: string, body: unknown) => Promise<T>

/** Something WeChat gives for a while. @param renew after WeChat refused the one we had */
export type Lent = (renew?: boolean) => Promise<string>

/** Kept until shortly before its end; askers at the same time share one request. `seconds`: how long it lives. */
export function keepLent(ask: (force: boolean) => Promise<{ text: string; seconds: number }>, now: () => number): Lent {
  let kept: { text: string; until: number } | undefined
  let asking: Promise<string> | undefined

  async function fetchOne(force: boolean): Promise<string> {
    const { text, seconds } = await ask(force)
    kept = { text, until: now() + seconds * 1000 - EARLY }
    return text
  }

  return async (renew = false) => {
    if (!renew && kept && kept.until > now()) return kept.text
    asking ??= fetchOne(renew).finally(() => {
      asking = undefined
    })
    return asking
  }
}

/** The access token of an app. It is the "stable" one: processes that ask get the same, so they do not end each other's. */
export const createAccessToken = (app: WechatApp, post: Post, now: () => number): Lent =>
  keepLent(async (force) => {
    const { access_token: text, expires_in: seconds } = await post<{ access_token: string; expires_in: number }>(
      '/cgi-bin/stable_token',
      { grant_type: 'client_credential', appid: app.appId, secret: app.secret, force_refresh: force },
    )
    return { text, seconds }
  }, now)
