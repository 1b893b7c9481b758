import path from 'node:path'
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import { depsOf, type Lifecycle } from './core/lifecycle'
import type { LimitName } from './core/limits'
import { registerDesk } from './desk/routes'
import { closeDrawPool } from './domains/reports/picture/draw-pool'
import { networkHashesOf } from './domains/shared/network'
import { registerEnvelope } from './http/plugins/envelope'
import { registerLoadShedding } from './http/plugins/load-shedding'
import { validatorCompiler } from './http/plugins/validation'
import { registerCalls } from './http/routes/calls'
import { registerCollector } from './http/routes/collector'
import { registerContent } from './http/routes/content'
import { registerDataExports } from './http/routes/data-exports'
import { registerDocs } from './http/routes/docs'
import { registerHealth } from './http/routes/health'
import { createPages, type Pages } from './http/routes/pages'
import { registerPartnerFeed } from './http/routes/partner'
import { registerPaymentWebhooks } from './http/routes/payment-webhooks'
import { registerPictures } from './http/routes/pictures'
import { registerPrefetch } from './http/routes/prefetch'
import { registerSandbox } from './http/routes/sandbox'
import { registerSandboxCollector } from './http/routes/sandbox-collector'
import { registerSandboxPay } from './http/routes/sandbox-pay'
import { registerUploads } from './http/routes/uploads'
import { registerVerify } from './http/routes/verify'
import { registerWechat } from './http/routes/wechat'
import { createHttpServer, type HttpOptions } from './http/server'
import { closePictureThreads } from './providers/storage/picture'
import type { Settings } from './settings'

/**
 * The HTTP server, not yet listening. Until `lifecycle` is ready every path but the health checks answers 503.
 * @param options `pagesDir`: folder of the built h5 app
 */
export async function buildApp(options: HttpOptions & { pagesDir: string }): Promise<FastifyInstance> {
  const { settings, lifecycle, sandbox } = options
  const app = createHttpServer(options)
  const limited = (name: LimitName, register: (scope: FastifyInstance) => void | Promise<void>) =>
    app.register(async (scope) => {
      limitCalls(scope, name, lifecycle)
      await register(scope)
    })
  const pages = createPages(options.pagesDir, lifecycle, settings.offline)
  app.setValidatorCompiler(validatorCompiler)
  app.addHook('onClose', async () => void (await Promise.all([closeDrawPool(), closePictureThreads()])))
  await registerLoadShedding(app, options)
  await registerSecurity(app, pages, settings)
  registerEnvelope(app, pages.answer)
  registerHealth(app, lifecycle)
  if (settings.apiDocs) await registerDocs(app)
  await pages.register(app)
  await limited('prefetch', (scope) => registerPrefetch(scope, lifecycle))
  await app.register((scope) => registerContent(scope, path.join(settings.contentDir, 'pictures')))
  await limited('calls', (scope) => registerCalls(scope, lifecycle))
  // rate-limited, as both are open to anybody: report numbers can be guessed with one, the other calls WeChat
  await limited('open', async (scope) => {
    registerVerify(scope, lifecycle)
    registerDataExports(scope, lifecycle)
    await registerWechat(scope, lifecycle)
  })
  await app.register((scope) => registerPaymentWebhooks(scope, lifecycle))
  await app.register((scope) => registerPartnerFeed(scope, lifecycle))
  if (sandbox) {
    await app.register((scope) => registerSandbox(scope, lifecycle, sandbox))
    await app.register((scope) => registerSandboxPay(scope, lifecycle))
  }
  const limitDesk = (scope: FastifyInstance) => limitCalls(scope, 'desk', lifecycle)
  await app.register((scope) => registerDesk(scope, lifecycle, { settings, limit: limitDesk }))
  await limited('files', (scope) => registerPictures(scope, lifecycle))
  if (!settings.s3) await limited('uploads', (scope) => registerUploads(scope, lifecycle))
  const { collector } = settings
  if (collector) await app.register((scope) => registerCollector(scope, lifecycle, collector.secret))
  if (sandbox && !collector) await app.register((scope) => registerSandboxCollector(scope, lifecycle))
  return app
}

/** The general limit per minute and network of a group of routes. */
function limitCalls(scope: FastifyInstance, name: LimitName, lifecycle: Lifecycle) {
  scope.addHook('onRequest', ({ ip }) => {
    const { limits, encryption } = depsOf(lifecycle)
    return limits.enforce(name, networkHashesOf({ encryption, ip })[0])
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
