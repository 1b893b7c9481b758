import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import type { Redis } from 'ioredis'
import { buildApp } from './app'
import { events } from './calls/events'
import { type Clock, createClock } from './core/clock'
import { createEncryption } from './core/encryption'
import { createLifecycle, type Lifecycle } from './core/lifecycle'
import { createLimits } from './core/limits'
import { createLog, type Logger, openLog } from './core/log'
import { registerDatabaseGauges } from './core/observability/database-gauges'
import { createMetrics } from './core/observability/metrics'
import { serveMetrics } from './core/observability/metrics-server'
import { prettyLog } from './core/pretty-log'
import { checksOf } from './core/readiness'
import { openReportSigner } from './core/report-signing'
import { listenError, StartError } from './core/start-error'
import { type Database, openDatabase } from './db/database'
import { endLeases } from './db/lease'
import { REQUEST_LIMITS } from './db/pool-limits'
import { openRedis } from './db/redis'
import { whenAvailable } from './db/wait'
import { createChatNotifier } from './domains/chat/notifier'
import { createContentRepository } from './domains/content/repository'
import { createGameRepository } from './domains/games/repository'
import { startScreenshotReader } from './domains/games/screenshots/read-tasks'
import { hasMarketStatistics, storeMarketStatistics } from './domains/market/statistics'
import { createModelRepository } from './domains/models/repository'
import { createPublicStatistics } from './domains/reports/publishing/public-statistics'
import { sandboxLogins } from './domains/staff/accounts'
import { seedStaff } from './domains/staff/staff'
import { seed } from './fixtures/seed'
import { createWorkerServer, type HttpOptions } from './http/server'
import { jobs } from './jobs'
import { byQueue } from './jobs/queue-runner'
import { byTimer, ignore, noteSuccess, repeat, startJobRunner } from './jobs/runner'
import { createTraining, trainInChildProcess } from './jobs/training'
import { openCollector } from './providers/collector'
import { openOcr } from './providers/ocr'
import { createPayProviders } from './providers/pay/providers'
import { openRealName } from './providers/real-name'
import { openSms } from './providers/sms'
import { createSandboxSms, type SandboxSms } from './providers/sms/sandbox'
import { openStorage } from './providers/storage'
import { openWechat } from './providers/wechat'
import { parseSettings, type Settings } from './settings'

/** ms between measurements of the database's time */
const CLOCK_EVERY = 30_000

/** ms between checks for new sales and forms that no model includes */
const KEEP_MODELS_EVERY = 60_000

/** ms for requests and jobs in progress, then for the database, to end by themselves after draining */
const ENDS_WITHIN = { work: 6000, database: 2000 } as const

const print = (text: string) => process.stderr.write(`${text}\n`)

/** One sentence for errors the operator can fix, the whole error for bugs. */
function giveUp(error: unknown): never {
  print(
    error instanceof StartError ? `✗ ${error.message}` : `✗ 启动失败：${error instanceof Error ? error.stack : error}`,
  )
  process.exit(1)
}

const servesUsers = ({ processRole }: Settings) => processRole === 'all' || processRole === 'web'
/** Whether a process of this role runs jobs and trains models. */
const hasJobs = ({ processRole }: Settings) => processRole === 'all' || processRole === 'worker'

async function start() {
  const settings = parseSettings(process.env)
  const metrics = settings.metricsPort === undefined ? undefined : createMetrics()
  const output = settings.logFormat === 'json' ? openLog() : prettyLog(openLog())
  const log = createLog(settings.logLevel, output, metrics?.alarm)
  const lifecycle = createLifecycle()
  const clock = createClock()
  const sms = createSandboxSms()
  const pagesDir = path.join(__dirname, '..', 'dist', 'h5')
  const redis = settings.redisUrl === undefined ? undefined : await openRedis(settings.redisUrl, log)
  const http = {
    settings,
    log,
    lifecycle,
    realNow: clock.realNow,
    ...(metrics && { metrics }),
    ...(settings.sandbox && { sandbox: { sms, clock } }),
  }
  const app = servesUsers(settings) ? await buildApp({ ...http, pagesDir }) : createWorkerServer(http)
  // listen first: a port in use must be detected before the data folder is touched
  const address = await app
    .listen({ port: settings.port, host: settings.host })
    .catch((e) => giveUp(listenError(e, settings, { port: 'PORT', host: 'HOST' })))
  const opened: Opened = { ...(redis && { redis }) }
  if (metrics && settings.metricsPort !== undefined) {
    print(`▸ Prometheus：${await serveMetrics(metrics.registry, settings.metricsPort, settings.metricsHost)}/metrics`)
  }
  const stopped = stopWithGrace(lifecycle, app, opened, { log, drainMs: settings.drainSeconds * 1000 })
  try {
    const patience = { within: Number.POSITIVE_INFINITY, print, signal: stopped }
    const database = await openDatabase(settings, {
      onError: (err) => log.error({ err }, 'database connection broke'),
      limits: { ...REQUEST_LIMITS, size: settings.databasePoolSize },
      patience,
      schema: settings.production ? 'wait' : 'migrate',
    })
    opened.database = database
    const models = await whenAvailable(
      () => prepare({ settings, log, lifecycle, clock, sms, redis }, database),
      patience,
    )
    if (stopped.aborted) return
    if (hasJobs(settings))
      await prepareHome(models).catch((err) => log.error({ err }, 'the example on home could not be computed'))
    if (stopped.aborted) return
    lifecycle.poolMetrics = database.load?.requests
    for (const [name, pool] of Object.entries(database.load ?? {})) metrics?.pool(name, pool)
    // not every process queries them
    if (metrics && hasJobs(settings))
      registerDatabaseGauges(metrics.registry, { db: database.background, clock, log, jobs })
    lifecycle.phase = 'ready'
    welcome(settings, address)
    if (hasJobs(settings)) retrainModels(models, log, stopped)
  } catch (e) {
    // work interrupted by a stop during the start is completed at the next start
    if (!stopped.aborted) throw e
  }
}

/** Resources closed at the end. */
interface Opened {
  database?: Database
  redis?: Redis
}

interface Parts extends Pick<HttpOptions, 'settings' | 'log' | 'lifecycle'> {
  clock: Clock
  sms: SandboxSms
  redis: Redis | undefined
}

type Models = Awaited<ReturnType<typeof prepare>>

/**
 * Everything between opening the database and being ready: initial data, and the dependencies of the domains.
 * Idempotent, so it can be retried when the database becomes unavailable meanwhile.
 */
async function prepare({ settings, log, lifecycle, clock, sms, redis }: Parts, database: Database) {
  await clock.sync(database.background, log)
  // left by a killed process: no other one uses this folder
  if (database.pglite) await endLeases(database.db)
  await seed(database.background, { now: clock.now(), print })
  await seedStaff({ db: database.db, settings, clock })
  const training = createTraining(database.background, trainInChildProcess, clock.now)
  const isWorking = hasJobs(settings)
  const games = createGameRepository(database.db)
  lifecycle.deps = {
    settings,
    db: database.db,
    clock,
    log,
    encryption: createEncryption(settings.identityKeys),
    providers: {
      pay: createPayProviders(settings, clock.realNow),
      wechat: openWechat(settings),
      storage: await openStorage(settings, database, clock.realNow),
      collector: openCollector(settings, clock.realNow),
      sms: await openSms(settings, sms),
      realName: await openRealName(settings),
    },
    repositories: {
      games,
      models: createModelRepository(database.db),
      content: createContentRepository(settings.contentDir),
      publicStatistics: createPublicStatistics(database.db, clock.now),
    },
    reportSigner: await openReportSigner(database.db),
    chatNotifier: createChatNotifier(database.db),
    limits: createLimits({ db: database.db, now: clock.now, rateLimit: () => settings.rateLimit, redis }),
    events,
  }
  const ofJobs = { ...lifecycle.deps, db: database.background }
  if (isWorking) {
    // their age is known from now on, so that a first failure is noticed
    const names = jobs.map(({ name }) => name)
    await noteSuccess(ofJobs.db, names, true)
    const schedule = database.pglite ? byTimer : byQueue(ofJobs.db, log)
    lifecycle.jobRunner = startJobRunner(ofJobs, jobs, log, schedule)
  }
  const failed = (err: unknown) => log.warn({ err }, 'the clock could not be set by the database')
  setInterval(() => void clock.sync(database.background, log).catch(failed), CLOCK_EVERY).unref()
  const ocr = settings.processRole === 'web' ? undefined : openOcr(settings)
  if (ocr) lifecycle.screenshotReader = startScreenshotReader(ofJobs, ocr)
  const { databaseUrl, s3, dataDir } = settings
  lifecycle.checks = () => checksOf(database.background, databaseUrl && s3 ? undefined : dataDir)
  return { deps: ofJobs, training, games }
}

/** Computes the market of one game on a new database, so that its first visitor sees a priced example on home. */
async function prepareHome({ deps, games }: Models) {
  if (await hasMarketStatistics(deps)) return
  for (const { config } of await games.all()) if (await storeMarketStatistics(deps, config, deps.clock.now())) return
}

/** Trains missing models at once, and outdated ones every minute, one after the other. */
function retrainModels({ training, games }: Models, log: Logger, stopped: AbortSignal) {
  const round = async () => {
    for (const { config } of await games.all()) {
      if (stopped.aborted) return
      const { done, why } = { why: '', ...(await training.runDueWork(config)) }
      if (done !== 'nothing' || why !== '') log.warn({ game: config.gameId, done, why }, 'model retrained')
    }
  }
  const failed = (err: unknown) => {
    // a run that a stop interrupts finds the database closed; the next start does its work
    if (!stopped.aborted) log.error({ err }, 'retraining models failed')
  }
  void repeat(() => round().catch(failed).then(ignore), KEEP_MODELS_EVERY, stopped)
}

/** @returns a signal that aborts when the process is to stop, even during its start */
function stopWithGrace(
  lifecycle: Lifecycle,
  app: { close(): Promise<unknown> },
  opened: Opened,
  { log, drainMs }: { log: Logger; drainMs: number },
): AbortSignal {
  const stopping = new AbortController()
  const inTime = (work: unknown, ms: number) => Promise.race([work, delay(ms, undefined, { ref: false })])
  const longest = drainMs + ENDS_WITHIN.work + ENDS_WITHIN.database + 1000
  closeWithGrace({ delay: longest, logger: false }, async ({ err, signal }) => {
    // the load balancer must see /readyz fail before the listener closes; not needed on Ctrl-C or before the process
    // served
    const drained = signal === 'SIGTERM' && lifecycle.phase === 'ready'
    lifecycle.phase = 'draining'
    stopping.abort()
    if (err) log.fatal({ err }, 'unexpected error, stopping')
    else log.info({ signal }, 'stopping')
    if (drained) await delay(drainMs)
    // what is not finished is rolled back by the database, or done later
    const { jobRunner, screenshotReader } = lifecycle
    await inTime(Promise.all([app.close(), jobRunner?.stop(), screenshotReader?.stop()]), ENDS_WITHIN.work)
    await inTime(opened.database?.close(), ENDS_WITHIN.database)
    opened.redis?.disconnect()
    print('已停止。')
  })
  return stopping.signal
}

function welcome(settings: Settings, address: string) {
  // mostly because NODE_ENV was forgotten or misspelt
  const hosts = [settings.host, new URL(settings.publicUrl ?? 'http://localhost').hostname]
  if (settings.sandbox && hosts.some((host) => !/^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host)))
    print(
      '⚠ 沙箱开着，而且 PUBLIC_URL 或 HOST 不是本机：能访问它的人都可以读取验证码、登录任何账号，不付款完成订单，用公开的密码登录工作台。对外服务请设 NODE_ENV=production。',
    )
  if (!settings.redisUrl && settings.databaseUrl) print('▸ 没有设置 REDIS_URL：访问频率的限制由每个进程各自计算。')
  print(`✓ 服务已就绪：${address} （PROCESS=${settings.processRole}）`)
  if (!servesUsers(settings)) return
  if (settings.sandbox) {
    const { appraiser, admin, password } = sandboxLogins
    print(`  登录：任意手机号，例如 13800138000，验证码见 ${address}/sandbox/sms?mobile=13800138000`)
    print(`  工作台：${address}/desk，${appraiser} 或 ${admin}，密码 ${password}`)
  }
  if (settings.apiDocs) print(`  接口文档：${address}/docs`)
}

// a full disk makes writes fail, which must not end the process
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
start().catch(giveUp)
