/** A complete installation under test: database, payment provider, servers, load, and the checks after a fault. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Settings } from '../../settings'
import { startWechatStub, type WechatStub, wechatEnv } from '../pay/wechat-stub'
import { onPostgres } from '../prepared'
import { send } from '../process'
import { type Client, createClient, pause } from './client'
import { type FaultCluster, startFaultCluster } from './cluster'
import { createFixture, type Fixture, type Prepare } from './fixture'
import { watchHealth } from './health'
import { startLoad } from './load'
import { createPayments, type Payments } from './payments'
import { type DatabaseProxy, startProxy } from './proxy'
import { type Reconciliation, reconcile } from './reconciliation'
import { type Engine, type Figures, saveFaultFigures } from './report'
import { type Servers, startServers } from './servers'

const MINUTE = 60_000
/** ms of undisturbed load before and after a fault */
const CALM = 2500
/** open transactions when a fault begins, and ms to wait for some on the embedded database */
const OPEN_TRANSACTIONS = 2
const UNDER_WAY = 40
/** ms within which every server must answer from its database again */
const RECOVERY_LIMIT = 60_000
const BUYERS = 10

export const web = { PROCESS: 'web' }
export const worker = { PROCESS: 'worker' }

/** TEST_DATABASE decides. */
export const engine: Engine = onPostgres ? 'PostgreSQL' : 'embedded'

export interface SystemOptions {
  env?: Record<string, string>
  /** environment of each server process; on PostgreSQL two web processes and two workers unless given */
  each?: readonly Record<string, string>[]
  /** where PostgreSQL or the embedded database keeps its files */
  home?: string
  /** connects the servers to PostgreSQL through a network that can fail */
  proxied?: boolean
  /** inserts rows before the servers start */
  prepare?: Prepare
}

export interface Result extends Figures {
  reconciliation: Reconciliation
  exited: string[]
  uncaughtLines: string[]
}

export interface System {
  /** its database, for `openDatabase`: the embedded one only after `runUnderFault` */
  where: Pick<Settings, 'dataDir' | 'databaseUrl'>
  /** @throws Error on the embedded database */
  cluster: FaultCluster
  postgres: FaultCluster | undefined
  /** with `proxied` */
  proxy: DatabaseProxy | undefined
  servers: Servers
  stand: WechatStub
  client: Client
  fixture: Fixture
  payments: Payments
  /** Runs a fault under load, waits for recovery, settles everything, stops the servers and reconciles. */
  runUnderFault(fault: string, cause: () => Promise<void>): Promise<Result>
  /** Moves the sandbox's clock of every server, so that due work is done. */
  advance(ms: number): Promise<void>
  remove(): Promise<void>
}

/** Quantile. */
export const percentile = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0

/** ms until all servers answer a call that reads the database; undefined on time-out. */
async function recovery(servers: Servers, expected: number, token: string): Promise<number | undefined> {
  const started = performance.now()
  const answers = async (url: string) => {
    const { status } = await send(url, 'pay', 'orderCount', {}, { token, signal: AbortSignal.timeout(5000) })
    return status < 500
  }
  while (performance.now() - started < RECOVERY_LIMIT) {
    const urls = servers.urls()
    const good = await Promise.all(urls.map((url) => answers(url).catch(() => false)))
    if (good.length === expected && good.every(Boolean)) return performance.now() - started
    await pause(100)
  }
  return undefined
}

export async function startSystem(options: SystemOptions = {}): Promise<System> {
  const { env = {}, home, prepare, proxied = false } = options
  const each = options.each ?? (engine === 'PostgreSQL' ? [web, web, worker, worker] : [{}])
  const dataDir =
    engine === 'embedded' && home ? path.join(home, 'data') : mkdtempSync(path.join(tmpdir(), 'faults-data-'))
  const postgres = engine === 'PostgreSQL' ? await startFaultCluster(home) : undefined
  const where = { dataDir, databaseUrl: postgres?.url }
  const fixture = await createFixture(
    { where, env: { DATA_DIR: dataDir, DATABASE_URL: '' }, remove: () => undefined },
    BUYERS,
    prepare,
  )
  const stand = await startWechatStub()
  const proxy = proxied && postgres ? await startProxy(postgres.port) : undefined
  const base = {
    DATA_DIR: dataDir,
    DATABASE_URL: postgres ? postgres.urlAt(proxy?.port ?? postgres.port) : '',
    DEMO_APPRAISER: '0',
    // a load balancer does not check workers
    DRAIN_SECONDS: '0',
    ...wechatEnv(stand.url),
    ...env,
  }
  const servers = await startServers({ env: base, each })
  const client = createClient(servers.urls)
  const payments = createPayments(stand, client)
  const token = fixture.buyers[0]?.token ?? ''

  const advance = async (advanceMs: number) => {
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advanceMs }),
    }
    await Promise.all(servers.all().map((url) => fetch(`${url}/sandbox/clock`, request).catch(() => undefined)))
  }

  async function runUnderFault(fault: string, cause: () => Promise<void>): Promise<Result> {
    const startedAt = Date.now()
    const load = startLoad({ fixture, client, stand, payments })
    const delivery = payments.deliver(servers.urls)
    await pause(CALM)
    while (!payments.reserved()) await pause(50)
    const health = watchHealth(servers.all)
    const release = () => payments.release(servers.urls())
    if (postgres) await postgres.openTransactions(OPEN_TRANSACTIONS, release)
    else {
      release()
      await pause(UNDER_WAY)
    }
    await cause()
    health.stop()
    const recovered = await recovery(servers, each.filter(({ PROCESS }) => PROCESS !== 'worker').length, token)
    // including workers, which do due work
    await servers.ready()
    await pause(CALM)
    await load.stop()
    payments.finish()
    await delivery
    // payment deadlines pass, and the jobs query, close and refund
    for (let minute = 0; minute < 25; minute += 1) await advance(MINUTE)
    const codes = await servers.stop()
    const reconciliation = await reconcile(where, stand, payments)
    // a requested exit: on a busy machine it may take longer than ten seconds, after which the process ends itself
    // with 1
    const forced = codes.filter((code) => code !== 0).map((code) => `ended with ${code} at SIGTERM`)
    const exited = servers.exits
    const uncaughtLines = servers.uncaught()
    const figures: Figures = {
      ...{ engine, fault, startedAt, requests: client.outcomes.requests, errors: client.outcomes.errors },
      ...{ slowest: Math.max(...client.outcomes.durations), p95: percentile(client.outcomes.durations, 0.95) },
      ...{ exits: exited.length, uncaught: uncaughtLines.length, paid: reconciliation.paid },
      ...{ acknowledged: payments.acknowledged.size + payments.toldPaid.size, lost: reconciliation.lost.length },
      ...{ halfCommitted: reconciliation.halfCommitted.length, others: reconciliation.others.length },
      ...{ recovery: recovered, health: health.answers },
    }
    saveFaultFigures(figures, [
      ...exited,
      ...forced,
      ...uncaughtLines,
      ...reconciliation.lost,
      ...reconciliation.halfCommitted,
      ...reconciliation.others,
    ])
    return { ...figures, reconciliation, exited, uncaughtLines }
  }

  return {
    ...{ where, postgres, proxy, servers, stand, client, fixture, payments, runUnderFault: runUnderFault, advance },
    get cluster() {
      if (!postgres) throw new Error('the embedded database has no server')
      return postgres
    },
    async remove() {
      await servers.stop()
      await stand.close()
      await proxy?.close()
      await postgres?.remove()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The invariants after every fault, compared as one object, so that a failure shows everything. */
export function expectConsistent(result: Result): void {
  const { exited, uncaughtLines: uncaught, errors, recovery, reconciliation } = result
  const { lost, halfCommitted, others } = reconciliation
  expect({ exited, uncaught, lost, halfCommitted, others, errors, recovery }).toEqual({
    ...{ exited: [], uncaught: [], lost: [], halfCommitted: [], others: [] },
    // an outage is answered with 503, never with 500, and no request is held past the app's own limit
    errors: expect.not.objectContaining({ 500: expect.any(Number) }),
    recovery: expect.any(Number),
  })
  expect(errors).not.toHaveProperty('timeout')
  // liveness is independent of readiness: a database outage must not make a supervisor kill the process
  const unhealthy = Object.keys(result.health.healthz).filter((status) => /^\d/.test(status) && status !== '200')
  expect(unhealthy).toEqual([])
  // enough work was done to be meaningful
  expect(reconciliation.paid).toBeGreaterThan(10)
}
