import type { FastifyInstance } from 'fastify'
import type { Lifecycle } from '../../core/lifecycle'

const options = { logLevel: 'silent', schema: { hide: true }, config: { shed: 'never' } } as const

/**
 * `/healthz`: 200 while the process serves, also while draining and during an outage of the database, which a
 * restart would not fix.
 *
 * `/readyz`: 200 when requests should be routed here (started, not draining, all checks pass), otherwise 503 with the
 * checks, for the load balancer.
 */
export function registerHealth(app: FastifyInstance, lifecycle: Lifecycle): void {
  app.get('/healthz', options, async (_req, reply) =>
    reply
      .code(lifecycle.phase === 'starting' ? 503 : 200)
      .header('cache-control', 'no-store')
      .send({ status: lifecycle.phase }),
  )
  app.get('/readyz', options, async (_req, reply) => {
    const checks = lifecycle.phase === 'ready' ? await lifecycle.readiness?.() : undefined
    const unready = checks && Object.values(checks).includes(false)
    return reply
      .code(lifecycle.phase === 'ready' && !unready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: unready ? 'unavailable' : lifecycle.phase, ...(checks && { checks }) })
  })
}
