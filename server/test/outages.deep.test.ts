/** @group long */
/** Database or disk unavailable: 503 and `/readyz` (http/routes/health.ts), never 500. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { createClock } from '../core/clock'
import type { Deps } from '../core/context'
import { createLog } from '../core/log'
import { checksOf } from '../core/readiness'
import { openDatabase } from '../db/database'
import { byQueue } from '../jobs/queue-runner'
import { startJobRunner } from '../jobs/runner'
import { insertGames } from './games'
import { startServer, type TestDatabase, type TestServer } from './harness'
import { type Cluster, startCluster } from './postgres'
import { startProcess } from './process'

let cluster: Cluster
/** for the tests that need no settings of their own */
let server: TestServer
let dataDir: string
let databaseUrl: string
let testDatabase: TestDatabase
beforeAll(async () => {
  cluster = await startCluster()
  databaseUrl = await cluster.createDatabase('outages')
  dataDir = mkdtempSync(path.join(tmpdir(), 'valuation-outages-'))
  const { db, close } = await openDatabase({ dataDir, databaseUrl })
  await insertGames(db)
  await close()
  testDatabase = {
    where: { dataDir, databaseUrl },
    env: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl },
    remove: () => undefined,
  }
  server = await startServer({ testDatabase })
})
afterAll(async () => {
  await server.close()
  cluster.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const health = async ({ app }: TestServer, url: string) => {
  const answer = await app.inject({ url })
  return { status: answer.statusCode, body: answer.json() }
}
/** Pause between two polls; without it they would take the processor from the servers they wait for. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 20))
/** Polls `/readyz`, whose result is cached for a moment, until it has this status. */
const untilReadyIs = async (server: TestServer, status: number) => {
  for (;;) {
    const answer = await health(server, '/readyz')
    if (answer.status === status) return answer.body
    await pause()
  }
}
/** A manual connection to the database. After a failed test it may still be open when the database ends. */
async function operatorAt(): Promise<pg.Client> {
  const operator = new pg.Client({ connectionString: databaseUrl })
  operator.on('error', () => undefined)
  await operator.connect()
  return operator
}
/**
 * Waits until a session waits for a lock. Asked in a separate session, because within a transaction the answer does not
 * change.
 */
async function untilLocked() {
  const watcher = await operatorAt()
  const waits = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = 'outages'"
  while (!(await watcher.query(waits)).rowCount) await pause()
  await watcher.end()
}
const well = { database: true, migrations: true, disk: true }

test('without a database calls and /readyz answer 503 and recover by themselves; /healthz stays 200', async () => {
  const { token } = await server.login('13800138011')
  expect(await health(server, '/readyz')).toEqual({ status: 200, body: { status: 'ready', checks: well } })
  await cluster.down()
  try {
    const away = await server.call('user', 'get', {}, { token })
    expect(away).toMatchObject({ status: 503, body: { success: false, code: 'SERVICE_UNAVAILABLE' } })
    expect((await server.app.inject({ url: '/desk', headers: { cookie: 'desk=x' } })).statusCode).not.toBe(500)
    expect(await untilReadyIs(server, 503)).toEqual({
      status: 'unavailable',
      checks: { ...well, database: false, migrations: false },
    })
    expect((await health(server, '/healthz')).status).toBe(200)
  } finally {
    await cluster.up()
  }
  expect((await server.call('user', 'get', {}, { token })).status).toBe(200)
  expect(await untilReadyIs(server, 200)).toEqual({ status: 'ready', checks: well })
})

test('jobs and the chat notifier continue after a restart of the database', async () => {
  const { token } = await server.login('13800138012')
  const chatNotifier = server.lifecycle.deps?.chatNotifier
  if (!chatNotifier) throw new Error('the server has no chat notifier')
  const { wait } = chatNotifier
  const held = new Promise<void>((resolve) => {
    chatNotifier.wait = (known, ms) => {
      resolve()
      return wait(known, ms)
    }
  })
  const waiting = server.call('chat', 'messages', { after: 0, wait: true }, { token })
  await held
  await cluster.down()
  await server.lifecycle.jobRunner?.runAll()
  await cluster.up()
  const hello = { clientId: randomUUID(), type: 'TEXT', content: '你好' } as const
  expect((await server.call('chat', 'send', hello, { token })).body.success).toBe(true)
  expect((await waiting).body.data.list).toContainEqual(expect.objectContaining({ text: '你好' }))
  await server.lifecycle.jobRunner?.runAll()
})

/** @returns a worker of the job queue, and a job of every fraction of a second that resolves `ran` */
async function workerAt(url: string) {
  const database = await openDatabase({ dataDir, databaseUrl: url }, { schema: 'wait' })
  let next: () => void = () => undefined
  const ran = () => new Promise<void>((resolve) => (next = resolve))
  const job = {
    name: 'often',
    every: 100,
    async run() {
      next()
      return 0
    },
  }
  const deps = { db: database.background, clock: createClock() } as unknown as Deps
  const log = createLog('silent')
  const runner = startJobRunner(deps, [job], log, byQueue(deps.db, log, { poll: 20, dead: 1000 }))
  const stop = async () => {
    await runner.stop()
    await database.close()
  }
  return { ran, stop }
}

test('the job queue goes on after restarts of the database, and needs no right to change the schema', async () => {
  const unhandled = jest.fn()
  process.on('unhandledRejection', unhandled)
  const operator = await operatorAt()
  await operator.query('create role worker login in role pg_read_all_data, pg_write_all_data')
  await operator.end()
  const { ran, stop } = await workerAt(databaseUrl.replace('postgres@', 'worker@'))
  for (let restarts = 0; restarts < 2; restarts += 1) {
    // whatever the queue is doing then
    await ran()
    await cluster.down()
    await cluster.up()
  }
  await ran()
  const { background, close } = await openDatabase({ dataDir, databaseUrl }, { schema: 'wait' })
  const rows = async () => (await sql`select key, locked_by from graphile_worker.jobs`.execute(background)).rows
  // a run whose end could not be written leaves a row until the next sign of life
  while ((await rows()).length > 1) await pause()
  await stop()
  expect(await rows()).toEqual([{ key: 'high 100', locked_by: null }])
  await close()
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

test('a locked table leads to 503 after the lock timeout, not to 500', async () => {
  const { token } = await server.login('13800138013')
  const operator = await operatorAt()
  await operator.query('begin')
  await operator.query('lock table users in access exclusive mode')
  const answer = await server.call('user', 'get', {}, { token })
  expect(answer).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
  await operator.query('commit')
  await operator.end()
})

test('a revoked database privilege leads to 503 until it is granted again', async () => {
  const operator = await operatorAt()
  await operator.query('create role app login in role pg_read_all_data, pg_write_all_data')
  await operator.query('grant create on schema public to app')
  const where = { dataDir, databaseUrl: databaseUrl.replace('postgres@', 'app@') }
  const server = await startServer({ testDatabase: { ...testDatabase, where } })
  const { token } = await server.login('13800138015')
  const profile = () => server.call('user', 'get', {}, { token })
  await operator.query('revoke pg_read_all_data from app')
  expect(await profile()).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
  await operator.query('grant pg_read_all_data to app')
  expect((await profile()).status).toBe(200)
  await operator.end()
  await server.close()
})

test('a starting server waits for a database that becomes unavailable', async () => {
  const operator = await operatorAt()
  await operator.query('begin')
  await operator.query('lock table coupon_templates in access exclusive mode')
  const server = startProcess(testDatabase.env)
  // filling in what is missing waits for the lock
  await untilLocked()
  await cluster.down()
  await server.printed('数据库还无法连接')
  await cluster.up()
  await server.ready()
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})

test('one health check makes one query', async () => {
  let asked = 0
  const counted = server.database.db.withPlugin({
    transformQuery({ node }) {
      asked += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  expect(await checksOf(counted, undefined)).toEqual(well)
  expect(asked).toBe(1)
})

test('/readyz reports a disk that cannot be written', async () => {
  const gone = mkdtempSync(path.join(tmpdir(), 'valuation-outages-'))
  const server = await startServer({ testDatabase, env: { DATA_DIR: gone } })
  rmSync(gone, { recursive: true })
  expect(await health(server, '/readyz')).toEqual({
    status: 503,
    body: { status: 'unavailable', checks: { ...well, disk: false } },
  })
  await server.close()
})
