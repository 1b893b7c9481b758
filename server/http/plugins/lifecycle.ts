import type { FastifyInstance } from 'fastify'
import { AppError } from '../../core/app-error'
import type { Lifecycle } from '../../core/lifecycle'
import { pathOf } from '../../core/log'

interface LifecycleOptions {
  lifecycle: Lifecycle
  /** real time, ms */
  realNow: () => number
}

/** Request id and log line for every response; 503 until the start has completed. */
export function registerLifecycle(app: FastifyInstance, { lifecycle, realNow }: LifecycleOptions) {
  app.addHook('onRequest', (req, reply, done) => {
    // clients correct their clock by it, so it must be the clock that signatures are checked with
    reply.header('x-request-id', req.id).header('date', new Date(realNow()).toUTCString())
    // a process stopped during its start has no dependencies to serve with either
    const started = lifecycle.phase !== 'starting' && lifecycle.deps !== undefined
    const accepts = started || /^\/(healthz|readyz)/.test(req.url)
    done(accepts ? undefined : new AppError('SERVICE_UNAVAILABLE', { retryAfter: 2 }))
  })
  // ends the chat's long polls
  app.addHook('preClose', (done) => {
    lifecycle.deps?.chatNotifier.stop()
    done()
  })
  app.addHook('onSend', (_req, reply, _payload, done) => {
    if (lifecycle.phase === 'draining') reply.header('connection', 'close')
    done()
  })
  app.addHook('onResponse', (req, reply, done) => {
    // load balancers check health every few seconds
    if (req.routeOptions.logLevel === 'silent') return done()
    app.log.info({
      reqId: req.id,
      method: req.method,
      path: pathOf(req.url),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    })
    done()
  })
}
