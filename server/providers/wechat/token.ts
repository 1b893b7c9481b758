import type { WechatApp } from './settings'

/** ms before its end a token is renewed */
const EARLY = 300_000

export type Post = <T>(path: string, body: unknown) => Promise<T>

/**
 * The access token of an app, kept until shortly before its end; askers at the same time share one request. It is the
 * "stable" one: processes that ask get the same, so they do not end each other's.
 * @param renew after WeChat refused the one we had
 */
export function createAccessToken(app: WechatApp, post: Post, now: () => number) {
  let kept: { text: string; until: number } | undefined
  let asking: Promise<string> | undefined

  async function ask(force: boolean): Promise<string> {
    const answer = await post<{ access_token: string; expires_in: number }>('/cgi-bin/stable_token', {
      grant_type: 'client_credential',
      appid: app.appId,
      secret: app.secret,
      force_refresh: force,
    })
    kept = { text: answer.access_token, until: now() + answer.expires_in * 1000 - EARLY }
    return kept.text
  }

  return async (renew = false): Promise<string> => {
    if (!renew && kept && kept.until > now()) return kept.text
    asking ??= ask(renew).finally(() => {
      asking = undefined
    })
    return asking
  }
}
