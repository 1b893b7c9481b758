import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { H5_LOGIN_PAGE } from '@/contract/pages'
import { AppError } from '../../core/app-error'
import { depsOf, type Lifecycle } from '../../core/lifecycle'
import { WechatRejected, WechatUnavailable } from '../../providers/wechat/port'
import { requestOrigin } from './calls'

/**
 * WeChat's JS-SDK signature of a page (appendix 1): sorted names, address without the fragment.
 * @param timestamp seconds
 */
export function signPage(ticket: string, page: { nonceStr: string; timestamp: number; url: string }): string {
  const { nonceStr, timestamp, url } = page
  const bare = url.replace(/#.*$/s, '')
  const text = `jsapi_ticket=${ticket}&noncestr=${nonceStr}&timestamp=${timestamp}&url=${bare}`
  return createHash('sha1').update(text).digest('hex')
}

/** Signs pages of ours for the JS-SDK, which sets their share texts. Other sites' pages are refused. */
function registerPageSigning(app: FastifyInstance, lifecycle: Lifecycle): void {
  app.get<{ Querystring: { url?: unknown } }>('/wechat/js-sdk', { schema: { hide: true } }, async (req, reply) => {
    const deps = depsOf(lifecycle)
    const { url } = req.query
    const ours = typeof url === 'string' && url.length <= 2000 && url.startsWith(`${requestOrigin(deps, req)}/`)
    if (!deps.providers.wechat.enabledLogins.web || !ours) throw new AppError('NOT_FOUND')
    const { appId, ticket } = await deps.providers.wechat.jsTicket().catch((e) => {
      throw e instanceof WechatUnavailable || e instanceof WechatRejected ? new AppError('SERVICE_UNAVAILABLE') : e
    })
    const nonceStr = randomBytes(12).toString('hex')
    const timestamp = Math.floor(deps.clock.realNow() / 1000)
    reply.header('cache-control', 'no-store')
    return { appId, nonceStr, timestamp, signature: signPage(ticket, { nonceStr, timestamp, url }) }
  })
}

/**
 * Redirects to WeChat's login in its own browser. Reveals and changes nothing: the page that started the login created
 * `state` and accepts no response with another one.
 */
export async function registerWechat(app: FastifyInstance, lifecycle: Lifecycle): Promise<void> {
  registerPageSigning(app, lifecycle)
  app.get<{ Querystring: { state?: unknown } }>('/wechat/login', { schema: { hide: true } }, async (req, reply) => {
    const deps = depsOf(lifecycle)
    const { state } = req.query
    if (!deps.providers.wechat.enabledLogins.web || typeof state !== 'string' || !/^[A-Za-z0-9]{16,128}$/.test(state))
      throw new AppError('NOT_FOUND')
    const redirectUri = `${requestOrigin(deps, req)}/${H5_LOGIN_PAGE}`
    return reply
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .redirect(deps.providers.wechat.authorizeUrl({ redirectUri, state }), 302)
  })
}
