import type { FastifyInstance } from 'fastify'
import type { Prefetched } from '@/contract/prefetch'
import { Refusal } from '../../app-error'
import { keepFor } from '../../keep'
import type { Life } from '../../lifecycle'
import { prefetchData } from '../../ssr/data'
import { strangerTo } from '../../ssr/stranger'

/** ms for which everybody is answered alike */
const KEEP = 5000

/**
 * `GET /weapp/prefetch`: what WeChat fetches for the mini-program while it starts (数据预拉取). WeChat adds who it is, the
 * path and the query; none of it changes the answer. Pictures stand in it with their origin, so another one is made anew.
 * @throws Refusal SERVICE_UNAVAILABLE while there is no database
 */
export function registerPrefetch(app: FastifyInstance, life: Life): void {
  const kept = keepFor<Promise<Prefetched>>(KEEP)
  app.get('/weapp/prefetch', { schema: { hide: true } }, async (req, reply) => {
    const ctx = strangerTo(life, req, 'weapp')
    if (!ctx) throw new Refusal('SERVICE_UNAVAILABLE')
    return reply.header('cache-control', 'no-store').send(await kept(() => prefetchData(ctx), ctx.origin))
  })
}
