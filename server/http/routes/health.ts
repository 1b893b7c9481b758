import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Lifecycle } from '../../core/lifecycle'

const options = { logLevel: 'silent', schema: { hide: true }, config: { shed: 'never' } } as const

/**
 * `/healthz`: 200 while the process serves, also while draining and during an outage of the database, which a
 * restart would not fix.
 *
 * `/readyz`: 200 when requests should be routed here (started, not draining, the database answers), otherwise 503, for the
 * load balancer.
 */
export function registerHealth(app: FastifyInstance, lifecycle: Lifecycle): void {
  const send = (reply: FastifyReply, ok: boolean, status: string) =>
    reply
      .code(ok ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status })
  app.get('/healthz', options, async (_req, reply) => send(reply, lifecycle.phase !== 'starting', lifecycle.phase))
  app.get('/readyz', options, async (_req, reply) => {
    if (lifecycle.phase !== 'ready') return send(reply, false, lifecycle.phase)
    const isUp = await lifecycle.isDatabaseUp?.()
    return send(reply, isUp === true, isUp ? 'ready' : 'unavailable')
  })
}
