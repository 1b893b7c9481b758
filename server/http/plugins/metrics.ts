import type { FastifyInstance } from 'fastify'
import { routeOf } from '../../core/lifecycle'
import type { Metrics } from '../../core/observability/metrics'

/** Counts every response by its route's pattern. */
export function registerMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (req, reply, done) => {
    const route = routeOf(req)
    metrics.request({ method: req.method, route, code: reply.statusCode, seconds: reply.elapsedTime / 1000 })
    done()
  })
}
