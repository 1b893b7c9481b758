import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, invalid } from '../../core/app-error'
import type { Lifecycle } from '../../core/lifecycle'
import { pathOf } from '../../core/log'
import { afterAnswer } from './envelope'

/** Proxy and server may each believe another one of several hosts; RFC 9112, section 3.2, requires 400. */
function hasSeveralHosts({ raw: { rawHeaders } }: FastifyRequest): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts += 1
  return hosts > 1
}

/** ms that requests in progress have to complete on their own on shutdown */
const ENDS_WITHIN = 3000

/**
 * On shutdown, requests that wait for something external (a storage, a provider, a lock) get a response instead of a
 * closed connection.
 */
function registerHeld(app: FastifyInstance) {
  const held = new Set<FastifyReply>()
  app.addHook('onRequest', (_req, reply, done) => {
    held.add(reply)
    reply.raw.once('close', () => held.delete(reply))
    done()
  })
  app.addHook('preClose', (done) => {
    setTimeout(() => {
      for (const reply of held) {
        if (reply.sent) continue
        reply.log = afterAnswer(reply.log)
        reply.send(new AppError('SERVICE_UNAVAILABLE'))
      }
      // connections whose client does not read the response
      setTimeout(() => app.server.closeAllConnections(), ENDS_WITHIN / 2).unref()
    }, ENDS_WITHIN).unref()
    done()
  })
}

interface LifecycleOptions {
  lifecycle: Lifecycle
  /** real time, ms */
  realNow: () => number
}

/**
 * Request id and log line for every response; 503 until the start has completed. For the shutdown see `registerHeld`.
 */
export function registerLifecycle(app: FastifyInstance, { lifecycle, realNow }: LifecycleOptions) {
  app.addHook('onRequest', (req, reply, done) => {
    // clients correct their clock by it, so it must be the clock that signatures are checked with
    reply.header('x-request-id', req.id).header('date', new Date(realNow()).toUTCString())
    if (hasSeveralHosts(req)) {
      reply.raw.shouldKeepAlive = false
      reply.header('connection', 'close')
      return done(invalid([{ path: '', msg: '请求格式不正确' }]))
    }
    // a process stopped during its start has no dependencies to serve with either
    const started = lifecycle.phase !== 'starting' && lifecycle.deps !== undefined
    const accepts = started || /^\/(healthz|readyz)/.test(req.url)
    done(accepts ? undefined : new AppError('SERVICE_UNAVAILABLE', { retryAfter: 2 }))
  })
  registerHeld(app)
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
