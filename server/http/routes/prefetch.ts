import type { FastifyInstance } from 'fastify'
import type { PrefetchedData } from '@/contract/prefetch'
import { staleWhileRevalidate } from '../../cache'
import type { Lifecycle } from '../../lifecycle'
import { anonymousContext } from '../../ssr/anonymous-context'
import { prefetchData } from '../../ssr/data'

/** ms a shared response is fresh, then ms it may be served stale while it is made again */
const CACHE_FOR = { fresh: 5000, stale: 5000 } as const

/**
 * `GET /weapp/prefetch`: prefetched by WeChat while the mini-program starts (数据预拉取). WeChat adds user, path and query,
 * none of which changes the response. Picture addresses contain the origin, so each origin has its own response.
 * @throws AppError SERVICE_UNAVAILABLE while there is no database
 */
export function registerPrefetch(app: FastifyInstance, lifecycle: Lifecycle): void {
  const kept = staleWhileRevalidate<PrefetchedData>(CACHE_FOR.fresh, CACHE_FOR.stale)
  app.get('/weapp/prefetch', { schema: { hide: true } }, async (req, reply) => {
    const ctx = anonymousContext(lifecycle, req, 'weapp')
    return reply.header('cache-control', 'no-store').send(await kept(() => prefetchData(ctx), ctx.origin))
  })
}
