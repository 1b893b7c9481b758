import type { FastifyInstance, FastifyReply } from 'fastify'
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
  const send = (reply: FastifyReply, ok: boolean, body: object) =>
    reply
      .code(ok ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(body)
  app.get('/healthz', options, (_req, reply) =>
    send(reply, lifecycle.phase !== 'starting', { status: lifecycle.phase }),
  )
  app.get('/readyz', options, async (_req, reply) => {
    if (lifecycle.phase !== 'ready') return send(reply, false, { status: lifecycle.phase })
    const checks = (await lifecycle.checks?.()) ?? {}
    const ok = !Object.values(checks).includes(false)
    return send(reply, ok, { status: ok ? 'ready' : 'unavailable', checks })
  })
}
