import type { FastifyInstance } from 'fastify'
import type { Prefetched } from '@/contract/prefetch'
import { cacheFor } from '../../cache-for'
import type { Lifecycle } from '../../lifecycle'
import { anonymousContext } from '../../ssr/anonymous-context'
import { prefetchData } from '../../ssr/data'

/** ms for which everybody is answered alike */
const CACHE_FOR = 5000

/**
 * `GET /weapp/prefetch`: what WeChat fetches for the mini-program while it starts (数据预拉取). WeChat adds who it is, the
 * path and the query; none of it changes the answer. Pictures stand in it with their origin, so another one is made anew.
 * @throws AppError SERVICE_UNAVAILABLE while there is no database
 */
export function registerPrefetch(app: FastifyInstance, lifecycle: Lifecycle): void {
  const kept = cacheFor<Promise<Prefetched>>(CACHE_FOR)
  app.get('/weapp/prefetch', { schema: { hide: true } }, async (req, reply) => {
    const ctx = anonymousContext(lifecycle, req, 'weapp')
    return reply.header('cache-control', 'no-store').send(await kept(() => prefetchData(ctx), ctx.origin))
  })
}
