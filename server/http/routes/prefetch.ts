import type { FastifyInstance } from 'fastify'
import type { Lifecycle } from '../../core/lifecycle'
import { anonymousContext } from '../../ssr/anonymous-context'
import { prefetchData } from '../../ssr/data'

/**
 * `GET /weapp/prefetch`: prefetched by WeChat while the mini-program starts (数据预拉取). WeChat adds user, path and query,
 * none of which changes the response.
 * @throws AppError SERVICE_UNAVAILABLE while there is no database
 */
export function registerPrefetch(app: FastifyInstance, lifecycle: Lifecycle): void {
  app.get('/weapp/prefetch', { schema: { hide: true } }, async (req, reply) => {
    const data = await prefetchData(anonymousContext(lifecycle, req, 'weapp'))
    return reply.header('cache-control', 'no-store').send(data)
  })
}
