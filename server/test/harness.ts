import { randomUUID } from 'node:crypto'
import { cpSync, rmSync } from 'node:fs'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { type CallDef, type CallGroup, type CallOf, calls } from '@/contract/calls'
import { canonicalGet, type SignParams, toQuery } from '@/contract/query'
import { sign } from '@/contract/sign'
import type { Envelope, Req, Res } from '@/contract/types'
import { buildApp } from '../app'
import { events } from '../calls/events'
import { type Clock, chinaDayStart, createClock } from '../core/clock'
import { createEncryption } from '../core/encryption'
import { createLifecycle, type Lifecycle } from '../core/lifecycle'
import { createLimits } from '../core/limits'
import { createLog } from '../core/log'
import { checksOf } from '../core/readiness'
import { openReportSigner } from '../core/report-signing'
import { type Database, openDatabase } from '../db/database'
import type { Migrations } from '../db/migrate'
import { openRedis } from '../db/redis'
import { createChatNotifier } from '../domains/chat/notifier'
import { createContentRepository } from '../domains/content/repository'
import { createGameRepository } from '../domains/games/repository'
import { createModelRepository } from '../domains/models/repository'
import { createPublicStatistics } from '../domains/reports/publishing/public-statistics'
import { seedStaff } from '../domains/staff/staff'
import { seed } from '../fixtures/seed'
import { jobs } from '../jobs'
import { startJobRunner } from '../jobs/runner'
import { createTraining } from '../jobs/training'
import { openCollector } from '../providers/collector'
import { createPayProviders } from '../providers/pay/providers'
import { sandboxRealName } from '../providers/real-name/sandbox'
import { createSandboxSms, type SandboxSms } from '../providers/sms/sandbox'
import { openStorage } from '../providers/storage'
import { openWechat } from '../providers/wechat'
import { parseSettings, type Settings } from '../settings'
import { trainedOnDemand, trainOnce } from './models'
import { createDatabase, dropDatabase, dropDatabases } from './postgres'
import { prepared } from './prepared'
import { tempFolder } from './temp'

export { someAnswers } from './answers'

const DAY = 86_400_000

export const SECRET = 'test-secret'
/** A test file's database: one in the run's PostgreSQL, or a folder. */
export interface TestDatabase {
  where: Pick<Settings, 'dataDir' | 'databaseUrl'>
  /** environment for a server started as its own process */
  env: { DATA_DIR: string; DATABASE_URL: string }
  /** Copies the prepared market into it. @returns false without any change if it is already in use */
  fill?(): Promise<boolean>
  remove(): void
}

/** An empty database folder: making one takes seconds, a copy does not. */
export const emptyFolder = async (): Promise<string> => prepared().empty

/** databases made in this jest worker, by any file */
const OWN = `test_${process.pid}_`
let leftovers: Promise<void> | undefined

/** A data folder of its own with an embedded database, which is copied into it on first use of its path. */
export function embeddedDatabase(): TestDatabase {
  const dataDir = tempFolder('valuation-test-')
  let from: string | undefined = prepared().empty
  const filled = () => {
    if (from) cpSync(from, dataDir, { recursive: true })
    from = undefined
    return dataDir
  }
  return {
    get where() {
      return { dataDir: filled(), databaseUrl: undefined }
    },
    get env() {
      return { DATA_DIR: filled(), DATABASE_URL: '' }
    },
    async fill() {
      if (!from) return false
      from = prepared().market
      return true
    },
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  }
}

/**
 * A database of its own in the run's PostgreSQL, and a folder for what is not kept in it.
 * @param template what it is a copy of until `fill` is called
 */
async function postgresDatabase(address: string, template: 'empty' | 'market'): Promise<TestDatabase> {
  const dataDir = tempFolder('valuation-test-')
  // once per file, because each has its own copy of this module: removes what the previous file left
  leftovers ??= dropDatabases(address, OWN)
  await leftovers
  const name = `${OWN}${randomUUID()}`
  const databaseUrl = await createDatabase(address, name, template)
  let used = false
  const use = <T>(what: T): T => {
    used = true
    return what
  }
  return {
    get where() {
      return use({ dataDir, databaseUrl })
    },
    get env() {
      return use({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl })
    },
    async fill() {
      if (used) return false
      if (template === 'market') return true
      await dropDatabase(address, name)
      await createDatabase(address, name, 'market')
      return true
    },
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  }
}

/** @param template on PostgreSQL; `market` saves the time of a first copy that `fill` would replace */
export async function createTestDatabase(template: 'empty' | 'market' = 'empty'): Promise<TestDatabase> {
  const { postgres } = prepared()
  return postgres ? postgresDatabase(postgres, template) : embeddedDatabase()
}

/** Deletes all other games of the prepared market. */
async function keepGames({ db }: Database, games: readonly string[]) {
  for (const table of ['models', 'sales', 'games'] as const)
    await db.deleteFrom(table).where('game_id', 'not in', games).execute()
  await db.updateTable('models').set({ accuracy: null }).execute()
}

interface SendOptions {
  /** body text as sent instead of the JSON of the parameters; the signature covers it */
  raw?: string
  token?: string
  headers?: Record<string, string>
  /** ms, real time unless given */
  timestamp?: string
}

type Answer<T> = { status: number; body: Envelope<T>; headers: LightMyRequestResponse['headers'] }

export interface TestServer {
  app: FastifyInstance
  database: Database
  lifecycle: Lifecycle
  clock: Clock
  sms: SandboxSms
  settings: Settings
  /** A signed call of the contract. */
  call<R extends CallGroup, C extends CallOf<R>>(
    group: R,
    name: C,
    req: Req<R, C>,
    options?: SendOptions,
  ): Promise<Answer<Res<R, C>>>
  /** A call without the contract's types, for intentionally invalid requests. */
  send(method: string, path: string, params: SignParams, options?: SendOptions): Promise<Answer<unknown>>
  /** Logs a number in by code and gives its token and user id. */
  login(mobile: string): Promise<{ token: string; userId: string; newUser: boolean }>
  close(): Promise<void>
}

interface ServerOptions {
  testDatabase: TestDatabase
  env?: Record<string, string>
  /** games with sales and models; none when left out */
  games?: readonly string[]
  realNow?: () => number
  pagesDir?: string
  /** other migrations than this release's */
  migrations?: Migrations
  /** lines the server logs, for tests of the log itself */
  onLog?: (line: string) => void
}

const dayOf = (now: number) => now - (now % DAY)

/** Whether its games are those of this morning: all tests of a day share them and their models. */
const usesMarket = ({ games = [], realNow = Date.now }: Omit<ServerOptions, 'testDatabase'>) =>
  games.length > 0 && Math.abs(dayOf(realNow()) - prepared().until) <= DAY

export async function startServer(options: ServerOptions): Promise<TestServer> {
  const { testDatabase, env = {}, games = [], realNow, pagesDir = '/nonexistent', migrations, onLog } = options
  const clock = createClock(realNow)
  const today = () => dayOf(clock.now())
  const isPrepared = usesMarket(options) && (await testDatabase.fill?.()) === true
  const settings = parseSettings({
    SIGN_SECRET: SECRET,
    LOG_LEVEL: onLog ? 'trace' : 'silent',
    DATA_DIR: testDatabase.where.dataDir,
    ...env,
  })
  const log = createLog(settings.logLevel, onLog && { write: onLog })
  const redis = settings.redisUrl === undefined ? undefined : await openRedis(settings.redisUrl, log)
  const [lifecycle, sms] = [createLifecycle(), createSandboxSms()]
  const database = await openDatabase(testDatabase.where, { ...(migrations && { migrations }) })
  const { db } = database
  if (isPrepared) await keepGames(database, games)
  else await seed(db, { now: today(), only: games })
  await seedStaff({ db, settings, clock })
  // games are not cached, because tests change them
  lifecycle.deps = {
    settings,
    db,
    clock,
    log,
    encryption: createEncryption(settings.identityKeys),
    providers: {
      pay: createPayProviders(settings, realNow),
      wechat: openWechat(settings),
      storage: await openStorage(settings, database, clock.realNow),
      collector: openCollector(settings, clock.realNow),
      sms,
      realName: sandboxRealName,
    },
    repositories: {
      games: createGameRepository(db, 0),
      models: trainedOnDemand(createModelRepository(db), createTraining(db, trainOnce, today)),
      content: createContentRepository(settings.contentDir, realNow),
      publicStatistics: createPublicStatistics(db, clock.now, { fresh: 0, stale: 0 }),
    },
    reportSigner: await openReportSigner(db),
    chatNotifier: createChatNotifier(db),
    limits: createLimits({ db: database.db, now: clock.now, rateLimit: () => settings.rateLimit, redis }),
    events,
  }
  // jobs run only on request: by the sandbox's clock or `lifecycle.jobRunner.runAll()`
  lifecycle.jobRunner = startJobRunner(lifecycle.deps, jobs, log)
  lifecycle.checks = () => checksOf(db, settings.dataDir)
  lifecycle.phase = 'ready'
  const sandbox = settings.sandbox ? { sandbox: { sms, clock } } : {}
  const app = await buildApp({
    settings,
    log,
    lifecycle,
    pagesDir,
    realNow: clock.realNow,
    ...sandbox,
  })
  const send = sender(app, realNow)
  const call: TestServer['call'] = (group, name, req, o) => {
    const { method, path: url } = calls[group][name] as CallDef
    return send(method, url, req as SignParams, o) as never
  }
  const login = async (mobile: string) => {
    const sent = await call('user', 'sendSmsCode', { mobile, scene: 1 })
    if (!sent.body.success) throw new Error(`no code for ${mobile}: ${sent.body.msg}`)
    return (await call('user', 'smsLogin', { mobile, code: sms.newestCode(mobile) ?? '' })).body.data
  }
  const close = async () => {
    await app.close()
    await lifecycle.jobRunner?.stop()
    await database.close()
    redis?.disconnect()
  }
  return { app, database, lifecycle, clock, sms, settings, call, send, login, close }
}

/** A server with a separate database for all tests of a file. */
export function setupServer(
  options: Omit<ServerOptions, 'testDatabase'> = {},
  newDatabase: () => TestDatabase | Promise<TestDatabase> = () =>
    createTestDatabase(usesMarket(options) ? 'market' : 'empty'),
): TestServer {
  const server = {} as TestServer
  let testDatabase: TestDatabase | undefined
  beforeAll(async () => {
    testDatabase = await newDatabase()
    Object.assign(server, await startServer({ testDatabase, ...options }))
  })
  afterAll(async () => {
    await server.close()
    testDatabase?.remove()
  })
  return server
}

/** An empty database without a server for the tests of a file, or of a `describe`. */
export function setupDatabase(): Database {
  const database = {} as Database
  let testDatabase: TestDatabase | undefined
  beforeAll(async () => {
    testDatabase = await createTestDatabase()
    Object.assign(database, await openDatabase(testDatabase.where))
  })
  afterAll(async () => {
    await database.close()
    testDatabase?.remove()
  })
  return database
}

function sender(app: FastifyInstance, realNow: () => number = Date.now): TestServer['send'] {
  return async (method, url, params, { raw, token, headers = {}, timestamp = String(realNow()) } = {}) => {
    const get = method === 'GET'
    const payload = get ? undefined : (raw ?? JSON.stringify(params))
    const random = '042137'
    const canonical = get ? canonicalGet(params) : (payload ?? '')
    const query = get ? toQuery(params) : ''
    const response = await app.inject({
      method: method as 'GET',
      url: query ? `${url}?${query}` : url,
      headers: {
        'content-type': 'application/json',
        timestamp,
        random,
        sign: sign({ canonical, timestamp, random, secret: SECRET }),
        ...(token !== undefined && { token }),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
    })
    return { status: response.statusCode, body: response.json(), headers: response.headers }
  }
}

/** ms until noon in China, `days` later, so that a wait of hours stays within one day at whatever time this runs. */
export const untilNoon = ({ clock }: Pick<TestServer, 'clock'>, days: number): number =>
  chinaDayStart(clock.now()) + (days + 0.5) * DAY - clock.now()
