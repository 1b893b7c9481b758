import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { allCalls, type CallDef, type CallOf, type Room } from '@/contract/calls'
import type { Answers, FormConfig } from '@/contract/form/types'
import { validateAnswers } from '@/contract/form/validate'
import { canonicalGet, type SignParams, sign, toQuery } from '@/contract/sign'
import type { Envelope, Req, Res } from '@/contract/types'
import { buildApp } from '../app'
import { type Clock, createClock } from '../clock'
import { createContent } from '../content/shelf'
import { type Database, openDatabase } from '../db/database'
import type { Steps } from '../db/migrate'
import { seed } from '../db/seed'
import { generateSales } from '../fixtures/synthetic/generate'
import { jobs } from '../jobs'
import { startSweep } from '../jobs/sweep'
import { createTraining } from '../jobs/training'
import { createLife, type Life } from '../life'
import { createLog } from '../log'
import { openCollector } from '../providers/collector'
import { createPayProviders } from '../providers/pay/providers'
import { sandboxRealName } from '../providers/real-name/sandbox'
import { createSandboxSms, type SandboxSms } from '../providers/sms/sandbox'
import { openStorage } from '../providers/storage'
import { openWechat } from '../providers/wechat'
import { createReadiness } from '../readiness'
import { createBell } from '../rooms/chat/bell'
import { createGameShelf } from '../rooms/evaluation/games'
import { createModelShelf } from '../rooms/evaluation/models'
import { seedStaff } from '../rooms/staff/staff'
import { parseSettings, type Settings } from '../settings'
import { openSigner } from '../signer'
import { createVault } from '../vault'
import { trainOnce } from './models'
import { type Cluster, startCluster } from './postgres'

const DAY = 86_400_000

export const SECRET = 'test-secret'
export const onPostgres = process.env.TEST_DATABASE === 'postgres'

/** Where a test file keeps its rows: a folder or a database of its own, on the engine TEST_DATABASE names. */
export interface Store {
  where: Pick<Settings, 'dataDir' | 'databaseUrl'>
  /** environment for a server started as a process of its own */
  env: { DATA_DIR: string; DATABASE_URL: string }
  remove(): void
}

/** An empty database folder, made once per machine and migration state: making one takes seconds, a copy does not. */
export async function emptyFolder(): Promise<string> {
  const steps = path.join(__dirname, '../db/migrations')
  const history = createHash('sha256')
  for (const name of readdirSync(steps).sort()) history.update(readFileSync(path.join(steps, name)))
  const key = history.digest('hex').slice(0, 16)
  const home = path.join(tmpdir(), `valuation-template-${key}`)
  if (existsSync(home)) return home
  const fresh = mkdtempSync(`${home}-`)
  await (await openDatabase({ dataDir: fresh, databaseUrl: undefined })).close()
  try {
    renameSync(fresh, home)
  } catch {
    // another worker was first
    rmSync(fresh, { recursive: true, force: true })
  }
  return home
}

export async function createStore(): Promise<Store> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'valuation-test-'))
  const cluster: Cluster | undefined = onPostgres ? await startCluster() : undefined
  const databaseUrl = await cluster?.createDatabase('valuation')
  if (!cluster) cpSync(await emptyFolder(), dataDir, { recursive: true })
  return {
    where: { dataDir, databaseUrl },
    env: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '' },
    remove() {
      cluster?.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
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
  life: Life
  clock: Clock
  sms: SandboxSms
  settings: Settings
  /** A signed call of the contract. */
  call<R extends Room, C extends CallOf<R>>(
    room: R,
    name: C,
    req: Req<R, C>,
    options?: SendOptions,
  ): Promise<Answer<Res<R, C>>>
  /** The same without the contract's types: wrong shapes on purpose. */
  send(method: string, path: string, params: SignParams, options?: SendOptions): Promise<Answer<unknown>>
  /** Logs a number in by code and gives its token and user id. */
  login(mobile: string): Promise<{ token: string; userId: string; newUser: boolean }>
  close(): Promise<void>
}

interface ServerOptions {
  store: Store
  env?: Record<string, string>
  /** games with sales and models; none when left out */
  games?: readonly string[]
  realNow?: () => number
  pagesDir?: string
  /** another history of the database than this release's */
  steps?: Steps
  /** lines the server logs, for tests of the log itself */
  onLog?: (line: string) => void
}

export async function startServer(options: ServerOptions): Promise<TestServer> {
  const { store, env = {}, games = [], realNow, pagesDir = '/nonexistent', steps, onLog } = options
  const settings = parseSettings({
    SIGN_SECRET: SECRET,
    LOG_LEVEL: onLog ? 'trace' : 'silent',
    DATA_DIR: store.where.dataDir,
    ...env,
  })
  const log = createLog(settings.logLevel, onLog && { write: onLog })
  const [life, clock, sms] = [createLife(), createClock(realNow), createSandboxSms()]
  const database = await openDatabase(store.where, { ...(steps && { steps }) })
  const { db } = database
  // the market of this morning: all tests of a day share one, and what was learned from it
  const today = () => clock.now() - (clock.now() % DAY)
  await seed(db, { now: today(), only: games })
  await seedStaff({ db, settings, clock })
  // no keeping of games: tests change them
  life.deps = {
    settings,
    db,
    clock,
    log,
    sms,
    pay: createPayProviders(settings, realNow),
    realName: sandboxRealName,
    wechat: openWechat(settings),
    vault: createVault(settings.identityKeys),
    signer: await openSigner(settings, db),
    games: createGameShelf(db, 0),
    models: createModelShelf(db, createTraining(db, trainOnce, today).ensure),
    storage: await openStorage(settings, db),
    collector: openCollector(settings),
    content: createContent(settings.contentDir, realNow),
    bell: createBell(db),
  }
  // rounds run when a test asks: by the sandbox's clock or `life.sweep.round()`
  life.sweep = startSweep(life.deps, jobs, 0, log)
  life.readiness = createReadiness({ db, dir: settings.dataDir })
  life.phase = 'ready'
  const sandbox = settings.sandbox ? { sandbox: { sms, clock } } : {}
  const app = await buildApp({ settings, log, life, pagesDir, ...(realNow && { realNow }), ...sandbox })
  const send = sender(app, realNow)
  const call: TestServer['call'] = (room, name, req, o) => {
    const { method, path: url } = allCalls[room][name] as CallDef
    return send(method, url, req as SignParams, o) as never
  }
  const login = async (mobile: string) => {
    const sent = await call('user', 'sendSmsCode', { mobile, scene: 1 })
    if (!sent.body.success) throw new Error(`no code for ${mobile}: ${sent.body.msg}`)
    return (await call('user', 'smsLogin', { mobile, code: sms.newestCode(mobile) ?? '' })).body.data
  }
  const close = async () => {
    await app.close()
    await life.sweep?.stop()
    await database.close()
  }
  return { app, database, life, clock, sms, settings, call, send, login, close }
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

/** Answers a user could have given: of a generated sale, complete enough for an AI valuation. */
export function someAnswers(config: FormConfig, skip = 0): Answers {
  let left = skip
  for (const { attributes } of generateSales(config, { until: Date.now(), n: 500, seed: 99 }))
    if (validateAnswers(config, attributes, 'AI').every((i) => i.level !== 'error') && left-- === 0) return attributes
  throw new Error(`the generator made no valid answers for ${config.gameId}`)
}
