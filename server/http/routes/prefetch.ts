import type { FastifyInstance } from 'fastify'
import type { Prefetched } from '@/contract/prefetch'
import type { Lifecycle } from '../../lifecycle'
import { anonymousContext } from '../../ssr/anonymous-context'
import { prefetchData } from '../../ssr/data'
import { cacheFor } from '../cache'

/** ms a response is shared by all callers */
const CACHE_FOR = 5000

/**
 * `GET /weapp/prefetch`: prefetched by WeChat while the mini-program starts (数据预拉取). WeChat adds user, path and query,
 * none of which changes the response. Picture addresses contain the origin, so each origin has its own response.
 * @throws AppError SERVICE_UNAVAILABLE while there is no database
 */
export function registerPrefetch(app: FastifyInstance, lifecycle: Lifecycle): void {
  const kept = cacheFor<Promise<Prefetched>>(CACHE_FOR)
  app.get('/weapp/prefetch', { schema: { hide: true } }, async (req, reply) => {
    const ctx = anonymousContext(lifecycle, req, 'weapp')
    return reply.header('cache-control', 'no-store').send(await kept(() => prefetchData(ctx), ctx.origin))
  })
}
