import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { PoolMetrics } from '../db/postgres'
import { insertGamesWithoutSales } from './games-without-sales'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from './harness'
import { type ServerProcess, send as sendTo, startProcess } from './process'

/** A pool for whose connections a query has waited for so many ms. */
const waitingPool = (ms: number): PoolMetrics => ({
  longestWait: () => ms,
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

  test('a call while queries wait long for connections: 406 in the envelope, with Retry-After', async () => {
    server.lifecycle.poolMetrics = waitingPool(200)
    expect((await server.call('app', 'homeGameList', {})).status).toBe(200)
    server.lifecycle.poolMetrics = waitingPool(201)
    const { status: code, body, headers } = await server.call('app', 'homeGameList', {})
    expect([code, body.code, body.success]).toEqual([406, 'REQUEST_TOO_BUSY_PLEASE_WAIT', false])
    expect(headers['retry-after']).toBe('2')
    expect(headers['x-request-id']).toMatch(/^[\w-]+$/)
  })

  test('never include health checks and notifications of payment providers', async () => {
    server.lifecycle.poolMetrics = waitingPool(10_000)
    expect([await status('GET', '/healthz'), await status('GET', '/readyz')]).toEqual([200, 200])
    expect(await status('POST', '/pay/notify/wechat')).toBe(404)
    expect(await status('GET', '/desk/login')).toBe(406)
  })
})

test('while a locked table holds every connection, what comes too late is refused at once; then all goes on', async () => {
  const testDatabase = await createTestDatabase()
  await insertGamesWithoutSales(testDatabase)
  const server: ServerProcess = startProcess({ ...testDatabase.env, DB_POOL_SIZE: '2' })
  const operator = new pg.Client(testDatabase.env.DATABASE_URL)
  const call = (url: string) => sendTo(url, 'app', 'banner', { place: 'home' })
  try {
    const url = await server.ready()
    await operator.connect()
    await operator.query('begin')
    await operator.query('lock table banners in access exclusive mode')
    const heavy: ReturnType<typeof call>[] = []
    for (let refused = false; !refused; ) {
      const another = call(url)
      heavy.push(another)
      refused = (await Promise.race([another, setTimeout(50)]))?.status === 406
    }
    await operator.query('rollback')
    const codes = (await Promise.all(heavy)).map(({ status }) => status)
    // some may have reached the time limit for a lock or a connection
    for (const code of codes) expect([200, 406, 503]).toContain(code)
    expect(codes).toContain(200)
    for (let done = false; !done; ) done = (await call(url)).status === 200
  } finally {
    await operator.end()
    server.child.kill('SIGKILL')
    await once(server.child, 'exit')
    testDatabase.remove()
  }
})
