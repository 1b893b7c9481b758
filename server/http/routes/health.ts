import type { FastifyInstance } from 'fastify'
import type { Life } from '../../lifecycle'

const options = { logLevel: 'silent', schema: { hide: true } } as const

/**
 * `/healthz` 200 when the process serves (wire.md), also while it drains and whatever becomes of its database: restarting
 * it would mend nothing.
 * `/readyz` 200 when requests should come here: not starting, not draining, and every check passes; otherwise 503 with
 * the checks, so that a balancer looks elsewhere.
 */
export function registerHealth(app: FastifyInstance, life: Life): void {
  app.get('/healthz', options, async (_req, reply) =>
    reply
      .code(life.phase === 'starting' ? 503 : 200)
      .header('cache-control', 'no-store')
      .send({ status: life.phase }),
  )
  app.get('/readyz', options, async (_req, reply) => {
    const checks = life.phase === 'ready' ? await life.readiness?.() : undefined
    const unready = checks && Object.values(checks).includes(false)
    return reply
      .code(life.phase === 'ready' && !unready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: unready ? 'unavailable' : life.phase, ...(checks && { checks }) })
  })
}
