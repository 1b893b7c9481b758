import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import { NETWORK_TIMEOUT } from '@/contract/constants'
import type { Clock } from '../core/clock'
import { type Lifecycle, routeOf } from '../core/lifecycle'
import type { Logger } from '../core/log'
import type { Metrics } from '../core/observability/metrics'
import type { SandboxSms } from '../providers/sms/sandbox'
import type { Settings } from '../settings'
import { answerClientError } from './plugins/client-error'
import { registerEnvelope, sendErrorCode } from './plugins/envelope'
import { registerLifecycle } from './plugins/lifecycle'
import { registerUnreadBodies } from './plugins/unread-body'
import { registerHealth } from './routes/health'
import { isNavigation } from './routes/pages'
import { registerSandboxClock } from './routes/sandbox'

/** bytes of a request body: many times the largest form; reporting every issue of a larger body would take seconds */
const BODY_LIMIT = 64 * 1024

export interface HttpOptions {
  settings: Settings
  log: Logger
  lifecycle: Lifecycle
  /** real time in ms, for signatures; not affected by the sandbox's clock */
  realNow: () => number
  /** undefined: nothing is measured */
  metrics?: Metrics
  /** only with `settings.sandbox` */
  sandbox?: { sms: SandboxSms; clock: Clock }
}

/** An HTTP server without routes: limits, request ids, log lines, start and stop. */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  const { settings, log, metrics } = options
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    // for a request to arrive completely: the app's limit for an upload
    requestTimeout: NETWORK_TIMEOUT,
    clientErrorHandler: answerClientError,
    trustProxy: settings.trustProxy > 0 && ((_address: string, hop: number) => hop < settings.trustProxy),
    exposeHeadRoutes: false,
    requestIdHeader: 'x-request-id',
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    // while draining, requests on keep-alive connections are still served, with `Connection: close`
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true },
    // a URL that cannot be decoded: no hooks run for it
    frameworkErrors: (_error, req, reply) => {
      reply.header('x-request-id', req.id)
      if (isNavigation(req)) reply.redirect('/')
      else sendErrorCode(reply as FastifyReply, 'NOT_FOUND')
    },
  })
  // registered before the lifecycle, which ends connections while the process stops
  registerUnreadBodies(app)
  registerLifecycle(app, options)
  app.addHook('onResponse', (req, reply, done) => {
    metrics?.request(req.method, routeOf(req), reply.statusCode, reply.elapsedTime)
    done()
  })
  return app
}

/**
 * The HTTP server of a process that only runs background work: health checks, in the sandbox its clock, and 404 for
 * everything else.
 */
export function createWorkerServer({ sandbox, ...options }: HttpOptions): FastifyInstance {
  const { lifecycle } = options
  const app = createHttpServer(options)
  registerEnvelope(app, () => false)
  registerHealth(app, lifecycle)
  if (sandbox) registerSandboxClock(app, lifecycle, sandbox.clock)
  return app
}
