import type { FastifyInstance } from 'fastify'
import type { Life } from '../life'

/** `/healthz` 200 when ready; `/readyz` 503 while starting or draining, so that a balancer looks elsewhere. */
export function registerHealth(app: FastifyInstance, life: Life): void {
  const options = { logLevel: 'silent', schema: { hide: true } } as const
  for (const path of ['/healthz', '/readyz'])
    app.get(path, options, async (_req, reply) =>
      reply
        .code(life.phase === 'ready' ? 200 : 503)
        .header('cache-control', 'no-store')
        .send({ status: life.phase }),
    )
}
