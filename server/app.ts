import { randomBytes } from 'node:crypto'
import path from 'node:path'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import { NETWORK_TIMEOUT } from '@/contract/constants'
import { EMBED_PAGE, REPORT_PAGE } from '@/contract/pages'
import { AppError } from './app-error'
import type { Clock } from './clock'
import { registerDesk } from './desk/routes'
import { closeDrawing } from './domains/reports/picture/draw-pool'
import { pageLink } from './domains/shared/page-link'
import { answerClientError } from './http/plugins/client-error'
import { afterAnswer, refuse, registerEnvelope } from './http/plugins/envelope'
import { validatorCompiler } from './http/plugins/fields'
import { registerCalls } from './http/routes/calls'
import { registerCollector } from './http/routes/collector'
import { registerContent } from './http/routes/content'
import { registerDocs } from './http/routes/docs'
import { registerHealth } from './http/routes/health'
import { createPages, type Pages } from './http/routes/pages'
import { registerPayNotices } from './http/routes/pay'
import { registerPictures } from './http/routes/pictures'
import { registerPrefetch } from './http/routes/prefetch'
import { registerSandbox } from './http/routes/sandbox'
import { registerSandboxCollector } from './http/routes/sandbox-collector'
import { registerSandboxPay } from './http/routes/sandbox-pay'
import { registerSandboxWechat } from './http/routes/sandbox-wechat'
import { registerShareCards, registerShareImage } from './http/routes/share'
import { registerUploads } from './http/routes/uploads'
import { registerVerify } from './http/routes/verify'
import { registerWechat } from './http/routes/wechat'
import type { Lifecycle } from './lifecycle'
import { type Logger, pathOf } from './log'
import type { SandboxSms } from './providers/sms/sandbox'
import type { Settings } from './settings'

/** bytes of a request body: many times the largest form; reporting every fault of a larger body would take seconds */
const BODY_LIMIT = 64 * 1024
/** per minute and address: report pictures, each of which takes up to half a second to draw */
const MAX_DRAWN = 120
/** ms for a request to arrive completely, the same as the app's limit for an upload; ends incomplete requests */
const REQUEST_TIMEOUT = NETWORK_TIMEOUT

export interface AppOptions {
  settings: Settings
  log: Logger
  lifecycle: Lifecycle
  /** folder of the built h5 app */
  pagesDir: string
  /** real time in ms, for signatures; not affected by the sandbox's clock */
  realNow?: () => number
  /** only with `settings.sandbox` */
  sandbox?: { sms: SandboxSms; clock: Clock }
}

/** The HTTP server, not yet listening. Until `lifecycle` is ready every path but the health checks answers 503. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { settings, log, lifecycle, pagesDir, realNow = Date.now, sandbox } = options
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT,
    clientErrorHandler: answerClientError,
    trustProxy: settings.trustProxy > 0 && ((_address: string, hop: number) => hop < settings.trustProxy),
    exposeHeadRoutes: false,
    requestIdHeader: false,
    genReqId: () => randomBytes(9).toString('base64url'),
    forceCloseConnections: 'idle',
    // while draining, requests on keep-alive connections are still served, with `Connection: close`
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true },
    // a URL that cannot be decoded: no hooks run for it
    frameworkErrors: (_error, req, reply) => {
      reply.header('x-request-id', req.id)
      refuse(reply as FastifyReply, 'NOT_FOUND')
    },
  })
  const embedding = { path: pageLink(EMBED_PAGE), origins: settings.embedOrigins }
  const pages = createPages(pagesDir, { offline: settings.offline, embedding, lifecycle })
  app.setValidatorCompiler(validatorCompiler)
  registerLifecycle(app, lifecycle, realNow)
  await registerSecurity(app, pages, settings)
  registerEnvelope(app, pages.answer)
  registerHealth(app, lifecycle)
  if (settings.apiDocs) await registerDocs(app)
  await pages.register(app)
  registerShareImage(app)
  registerPrefetch(app, lifecycle)
  await app.register((scope) => registerContent(scope, path.join(settings.contentDir, 'pictures')))
  await app.register(async (api) => {
    await limitCalls(api, settings)
    await registerCalls(api, lifecycle, { secret: settings.signSecret, now: realNow })
  })
  // rate-limited, as both are open to anybody: report numbers can be guessed with one, the other calls WeChat
  await app.register(async (scope) => {
    await limitCalls(scope, settings)
    registerVerify(scope, lifecycle)
    await registerWechat(scope, lifecycle)
  })
  await app.register((scope) => registerReportPages(scope, pages, settings))
  await app.register((scope) => registerPayNotices(scope, lifecycle))
  if (sandbox) {
    await app.register((scope) => registerSandbox(scope, { ...sandbox, lifecycle }))
    await app.register((scope) => registerSandboxPay(scope, lifecycle))
    await app.register((scope) => registerSandboxWechat(scope, lifecycle))
  }
  await app.register((scope) => registerDesk(scope, lifecycle, settings))
  await app.register(async (scope) => {
    await limitCalls(scope, { rateLimit: Math.min(settings.rateLimit, MAX_DRAWN) })
    await registerPictures(scope, lifecycle)
    registerShareCards(scope, lifecycle)
  })
  if (!settings.s3)
    await app.register(async (scope) => {
      await limitCalls(scope, settings)
      await registerUploads(scope, lifecycle)
    })
  const { collector } = settings
  if (collector) await app.register((scope) => registerCollector(scope, lifecycle, collector.secret))
  if (sandbox && !collector) await app.register((scope) => registerSandboxCollector(scope, lifecycle))
  return app
}

/**
 * General rate limit per minute and address, per process; limits that protect money and phones are kept in the
 * database.
 */
async function limitCalls(scope: FastifyInstance, { rateLimit: max }: Pick<Settings, 'rateLimit'>) {
  if (max === 0) return
  const errorResponseBuilder = () => new AppError('REQUEST_TOO_BUSY_PLEASE_WAIT')
  await scope.register(rateLimit, { max, timeWindow: 60_000, errorResponseBuilder })
}

/**
 * Rendered for each reader, so rate-limited like calls; above the limit the plain app is sent, which reports the error
 * itself.
 */
async function registerReportPages(scope: FastifyInstance, pages: Pages, settings: Settings) {
  await limitCalls(scope, settings)
  scope.setErrorHandler((error, req, reply) => {
    if (!(error instanceof AppError && error.code === 'REQUEST_TOO_BUSY_PLEASE_WAIT')) throw error
    return pages.answer(req, reply.code(200), { alone: true }) ? reply : reply.callNotFound()
  })
  const page = { schema: { hide: true }, config: { isPage: true } }
  scope.get(pageLink(EMBED_PAGE), page, (req, reply) => (pages.answer(req, reply) ? reply : reply.callNotFound()))
  // links shared before tokens existed lead to the public page
  const report = pageLink(REPORT_PAGE)
  scope.get<{ Querystring: { shareToken?: unknown; orderId?: unknown } }>(report, page, (req, reply) => {
    const { shareToken, orderId } = req.query
    if (shareToken && orderId === undefined)
      return reply.header('cache-control', 'no-store').redirect(pageLink(EMBED_PAGE) + req.url.slice(report.length))
    return pages.answer(req, reply) ? reply : reply.callNotFound()
  })
}

/** ms that requests in progress have to complete by themselves on shutdown */
const ENDS_WITHIN = 3000

/**
 * On shutdown, requests that wait for something external (a storage, a provider, a lock) get an answer instead of a
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
      // connections whose client does not read the answer
      setTimeout(() => app.server.closeAllConnections(), ENDS_WITHIN / 2).unref()
    }, ENDS_WITHIN).unref()
    done()
  })
}

/**
 * Request id and log line for every response; 503 until the start has completed. For the shutdown see `registerHeld`.
 */
function registerLifecycle(app: FastifyInstance, lifecycle: Lifecycle, realNow: () => number) {
  app.addHook('onRequest', (req, reply, done) => {
    // clients correct their clock by it, so it must be the clock that signatures are checked with
    reply.header('x-request-id', req.id).header('date', new Date(realNow()).toUTCString())
    // a process stopped during its start has no dependencies to serve with either
    const started = lifecycle.phase !== 'starting' && lifecycle.deps !== undefined
    const open = started || /^\/(healthz|readyz)/.test(req.url)
    done(open ? undefined : new AppError('SERVICE_UNAVAILABLE', { retryAfter: 2 }))
  })
  registerHeld(app)
  // ends the chat's long polls
  app.addHook('preClose', (done) => {
    lifecycle.deps?.chatNotifier.stop()
    done()
  })
  app.addHook('onClose', closeDrawing)
  app.addHook('onSend', (_req, reply, _payload, done) => {
    if (lifecycle.phase === 'draining') reply.header('connection', 'close')
    done()
  })
  app.addHook('onResponse', (req, reply, done) => {
    req.log.info({
      method: req.method,
      path: pathOf(req.url),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    })
    done()
  })
}

async function registerSecurity(app: FastifyInstance, pages: Pages, { production, s3, webDomains }: Settings) {
  const assets = pages.assetOrigin ? [pages.assetOrigin] : []
  const sites = webDomains.flatMap((domain) => [`https://${domain}`, `https://*.${domain}`])
  await app.register(helmet, {
    hsts: production,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'", ...assets, ...pages.scriptHashes],
        // Taro and React write style attributes
        'style-src': ["'self'", "'unsafe-inline'", ...assets],
        'img-src': ["'self'", 'data:', 'blob:', 'https:', ...assets],
        'font-src': ["'self'", 'data:', ...assets],
        // blob: the app reads pictures the user has just chosen
        'connect-src': ["'self'", 'blob:', ...assets, ...sites, ...(s3 ? [new URL(s3.endpoint).origin] : [])],
        'frame-src': ["'self'", ...sites],
        'frame-ancestors': ["'self'"],
        'object-src': ["'none'"],
        'base-uri': ["'self'"],
        'form-action': ["'self'", 'https:'],
      },
    },
  })
}
