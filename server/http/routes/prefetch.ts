import type { FastifyInstance } from 'fastify'
import type { Lifecycle } from '../../core/lifecycle'
import { createStaleCache } from '../../core/stale-cache'
import { anonymousContext } from '../../ssr/anonymous-context'
import { prefetchData } from '../../ssr/data'

/** ms a shared response is fresh, then ms it may be served stale while it is made again */
const CACHE_FOR = { fresh: 5000, stale: 5000 } as const

/** Stands for the origin in the shared response; a reserved name, so that no address of ours contains it. */
const ANY_ORIGIN = 'https://any-origin.invalid'

/**
 * `GET /weapp/prefetch`: prefetched by WeChat while the mini-program starts (数据预拉取). WeChat adds user, path and query,
 * none of which changes the response. Picture addresses contain the origin, which is put into the one shared response: a
 * response for each would be made anew for every `Host` that somebody invents.
 * @throws AppError SERVICE_UNAVAILABLE while there is no database
 */
export function registerPrefetch(app: FastifyInstance, lifecycle: Lifecycle): void {
  const kept = createStaleCache<string>(CACHE_FOR)
  app.get('/weapp/prefetch', { schema: { hide: true } }, async (req, reply) => {
    const ctx = anonymousContext(lifecycle, req, 'weapp')
    const make = async () => JSON.stringify(await prefetchData({ ...ctx, origin: ANY_ORIGIN }))
    const shared = (await kept.get('', make)) ?? (await make())
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(shared.replaceAll(ANY_ORIGIN, ctx.origin))
  })
}
