import type { FastifyInstance } from 'fastify'
import type { Life } from '../life'
import { Refusal } from '../refusal'
import { originOf } from './calls'

/** The page WeChat's browser comes back to with `code` and `state`. */
const BACK = '/pagesA/pages/login/h5/index'

/**
 * The door to WeChat's login for its own browser. It says nothing of anybody and changes nothing: the page that sent the
 * person here made `state` and takes no answer with another.
 */
export async function registerWechat(app: FastifyInstance, life: Life): Promise<void> {
  app.get<{ Querystring: { state?: unknown } }>('/wechat/login', { schema: { hide: true } }, async (req, reply) => {
    const { deps } = life
    if (!deps) throw new Refusal('SERVICE_UNAVAILABLE')
    const { state } = req.query
    if (!deps.wechat.offers.web || typeof state !== 'string' || !/^[A-Za-z0-9]{16,128}$/.test(state))
      throw new Refusal('NOT_FOUND')
    const origin = originOf(deps, req)
    return reply
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .redirect(deps.wechat.authorizeUrl({ redirectUri: origin + BACK, state, origin }), 302)
  })
}
