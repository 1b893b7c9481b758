import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../../observability/metrics'

/** Counts every answer by its route's pattern. */
export function registerMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (req, reply, done) => {
    const route = req.routeOptions.url ?? 'none'
    metrics.request({ method: req.method, route, code: reply.statusCode, seconds: reply.elapsedTime / 1000 })
    done()
  })
}
