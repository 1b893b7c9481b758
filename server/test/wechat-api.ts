import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Seen {
  method: string
  path: string
  query: Record<string, string>
  body: Record<string, unknown>
}

/**
 * A stub of WeChat's login servers. Its answers have the fields of the published documentation; `next` replaces the
 * answer of a path once.
 */
export async function startWechatApi() {
  const seen: Seen[] = []
  const next = new Map<string, { status?: number; body?: unknown }>()
  let tokens = 0
  const answers: Record<string, (q: Record<string, string>, body: Record<string, unknown>) => unknown> = {
    '/sns/jscode2session': ({ js_code }) => ({
      openid: `o-mini-${js_code}`,
      session_key: 'tiihtNczf5v6AKRyjwEUhQ==',
      unionid: `u-${js_code}`,
    }),
    '/cgi-bin/stable_token': () => ({ access_token: `TOKEN-${++tokens}`, expires_in: 7200 }),
    // the documented example has the country as a number, the table declares text
    '/wxa/business/getuserphonenumber': (_q, { code }) => ({
      errcode: 0,
      errmsg: 'ok',
      phone_info: {
        phoneNumber: String(code),
        purePhoneNumber: String(code),
        countryCode: 86,
        watermark: { timestamp: 1637744274, appid: 'wx-mini' },
      },
    }),
    '/cgi-bin/message/subscribe/send': () => ({ errcode: 0, errmsg: 'ok' }),
    '/wxa/msg_sec_check': () => ({ errcode: 0, errmsg: 'ok', result: { suggest: 'pass', label: 100 } }),
    '/cgi-bin/ticket/getticket': ({ access_token }) => ({
      errcode: 0,
      errmsg: 'ok',
      ticket: `ticket-by-${access_token}`,
      expires_in: 7200,
    }),
    '/sns/oauth2/access_token': ({ code }) => ({
      access_token: 'ACCESS_TOKEN',
      expires_in: 7200,
      refresh_token: 'REFRESH_TOKEN',
      openid: `o-web-${code}`,
      scope: 'snsapi_base',
    }),
  }
  const server = createServer(async (req, res) => {
    const url = new URL(req.url ?? '/', 'http://x')
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
    const query = Object.fromEntries(url.searchParams)
    seen.push({ method: req.method ?? '', path: url.pathname, query, body })
    const fault = next.get(url.pathname)
    next.delete(url.pathname)
    res.writeHead(fault?.status ?? 200, { 'content-type': 'application/json' })
    res.end(JSON.stringify(fault ? (fault.body ?? {}) : answers[url.pathname]?.(query, body)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    seen,
    next,
    /** answers by path; a test may add its own */
    answers,
    env: {
      PUBLIC_URL: 'https://gz.example.com',
      WECHAT_MINI_APPID: 'wx-mini',
      WECHAT_MINI_SECRET: 'mini-secret',
      WECHAT_MP_APPID: 'wx-web',
      WECHAT_MP_SECRET: 'web-secret',
      WECHAT_API_BASE_URL: url,
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
