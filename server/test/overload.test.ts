import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { PoolMetrics } from '../db/pool-metrics'
import { insertGamesWithoutSales } from './games-without-sales'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from './harness'
import { jpeg } from './pictures'
import { type ServerProcess, send as sendTo, startProcess } from './process'

/** A pool on which requests of some routes wait for this many ms; '' stands for the whole pool. */
const waitingPool = (waits: Record<string, number>): PoolMetrics => ({
  size: 10,
  inUse: () => 0,
  waiting: () => 0,
  expectedWait: () => waits[''] ?? 0,
  expectedWaitOf: (route) => waits[route] ?? 0,
  onWaited: () => undefined,
})

describe('refused requests', () => {
  let testDatabase: TestDatabase
  let server: TestServer
  beforeAll(async () => {
    testDatabase = await createTestDatabase()
    server = await startServer({ testDatabase })
  })
  afterAll(async () => {
    await server.close()
    testDatabase.remove()
  })
  const status = async (method: 'GET' | 'POST', url: string) => (await server.app.inject({ method, url })).statusCode

  test('a call while requests wait for connections: 406 in the envelope, with Retry-After', async () => {
    server.lifecycle.poolMetrics = waitingPool({ '': 300 })
    const { status: code, body, headers } = await server.call('app', 'homeGameList', {})
    expect([code, body.code, body.success]).toEqual([406, 'REQUEST_TOO_BUSY_PLEASE_WAIT', false])
    expect(headers['retry-after']).toBe('2')
    expect(headers['x-request-id']).toMatch(/^[\w-]+$/)
  })

  test('never include health checks and notifications of payment providers', async () => {
    server.lifecycle.poolMetrics = waitingPool({ '': 10_000 })
    expect([await status('GET', '/healthz'), await status('GET', '/readyz')]).toEqual([200, 200])
    expect(await status('POST', '/pay/notify/wechat')).toBe(404)
    expect(await status('GET', '/desk/login')).toBe(406)
  })

  test('are only those of a route that has used up its share', async () => {
    const banner = '/app-api/home/banner'
    server.lifecycle.poolMetrics = waitingPool({ [banner]: 300 })
    const calls = [server.call('app', 'banner', { place: 'home' }), server.call('app', 'homeGameList', {})]
    expect((await Promise.all(calls)).map(({ status: code }) => code)).toEqual([406, 200])
  })
})

/** Repeats a call while the server refuses it for load, as it may just after its start on a busy machine. */
async function accepted<Answer extends { status: number }>(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send()
    if (answer.status !== 406) return answer
    await setTimeout(500)
  }
}

/** Signs in and requests an upload form. @returns a function that posts another picture with it */
async function uploader(url: string): Promise<() => Promise<{ status: number }>> {
  const mobile = '13900050001'
  await accepted(() => sendTo(url, 'user', 'sendSmsCode', { mobile, scene: 1 }))
  const { code } = (await (await fetch(`${url}/sandbox/sms?mobile=${mobile}`)).json()) as { code: string }
  const { token } = (await accepted(() => sendTo(url, 'user', 'smsLogin', { mobile, code }))).body.data
  const sts = (await accepted(() => sendTo(url, 'app', 'stsPost', { scene: 'FEEDBACK' }, { token }))).body.data
  return () => {
    const form = new FormData()
    const fields = { ...JSON.parse(sts.token), key: `${sts.dir}${randomUUID()}`, 'Content-Type': 'image/jpeg' }
    for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
    form.append('file', new Blob([new Uint8Array(jpeg)]), 'p.jpg')
    return fetch(url + sts.host, { method: 'POST', body: form })
  }
}

const callOf = async (url: string) => () => sendTo(url, 'app', 'banner', { place: 'home' })

test.each([
  ['banners', callOf, 200],
  ['uploads', uploader, 204],
])('a route that blocks every connection it gets leaves the others theirs: %s', async (table, callerOf, good) => {
  const testDatabase = await createTestDatabase()
  await insertGamesWithoutSales(testDatabase)
  // the route holds its connections for as long as the test lasts, however slow the machine
  const patience = { DB_LOCK_TIMEOUT_MS: '60000', DB_STATEMENT_TIMEOUT_MS: '60000' }
  const server: ServerProcess = startProcess({ ...testDatabase.env, ...patience, DB_POOL_SIZE: '10' })
  const operator = new pg.Client(testDatabase.env.DATABASE_URL)
  try {
    const url = await server.ready()
    const call = await callerOf(url)
    await operator.connect()
    await operator.query('begin')
    await operator.query(`lock table ${table} in access exclusive mode`)
    const heavy = Array.from({ length: 40 }, call)
    // until the whole share of the route waits for the lock
    for (let held = 0; held < 7; ) {
      const { rows } = await operator.query<{ n: number }>(
        `select count(*)::int as n from pg_locks where not granted
          and database = (select oid from pg_database where datname = current_database())
          and (relation = '${table}'::regclass or locktype = 'advisory')`,
      )
      held = rows[0]?.n ?? 0
    }
    const durations: number[] = []
    for (let i = 0; i < 20; i += 1) {
      const started = performance.now()
      const { status } = await sendTo(url, 'app', 'homeDataCount', {})
      durations.push(performance.now() - started)
      expect(status).toBe(200)
    }
    // without connections of their own all of them would wait until the lock's time limit of a minute
    expect(durations.sort((a, b) => a - b)[18]).toBeLessThan(20_000)
    // once its requests have waited long enough, further ones of the route are refused at once instead of waiting
    for (let refused = false; !refused; ) {
      const another = call()
      heavy.push(another)
      refused = (await Promise.race([another, setTimeout(1000)]))?.status === 406
    }
    await operator.query('rollback')
    const codes = (await Promise.all(heavy)).map(({ status }) => status)
    expect(codes.filter((code) => code === good).length).toBeGreaterThanOrEqual(7)
  } finally {
    await operator.end()
    server.child.kill('SIGKILL')
    await once(server.child, 'exit')
    testDatabase.remove()
  }
})
