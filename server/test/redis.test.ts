/** State that processes share by REDIS_URL, with a real server. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { Kysely, PostgresDialect } from 'kysely'
import { createLimits, type Limits } from '../core/limits'
import { openRedis } from '../db/redis'
import type { DB } from '../db/tables'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from './harness'
import { createRedis, type TestRedis } from './redis-server'

const quiet = { warn: () => undefined, info: () => undefined }
const stores: TestDatabase[] = []
const clients: Redis[] = []
const servers: TestServer[] = []
let redis: TestRedis
beforeAll(async () => {
  redis = await createRedis()
})
beforeEach(() => redis.start())
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
  for (const client of clients.splice(0)) client.disconnect()
  await redis.stop()
})
afterAll(() => {
  for (const testDatabase of stores) testDatabase.remove()
})

async function client(): Promise<Redis> {
  const connection = await openRedis(redis.url, quiet)
  clients.push(connection)
  // a busy machine may have connected too late
  while (connection.status !== 'ready') await delay(20)
  return connection
}

/** A server with its own database, so that two of them only share Redis. */
async function server(env: Record<string, string>): Promise<TestServer> {
  const testDatabase = await createTestDatabase()
  stores.push(testDatabase)
  const started = await startServer({ testDatabase, env: { REDIS_URL: redis.url, ...env } })
  servers.push(started)
  return started
}
const statusOf = async (asked: TestServer) => (await asked.call('app', 'homeGameList', {})).status

test('RATE_LIMIT counts the calls of all processes together, separately for each group of routes', async () => {
  const [a, b] = [await server({ RATE_LIMIT: '5' }), await server({ RATE_LIMIT: '5' })]
  for (const asked of [a, b, a, b, a]) expect(await statusOf(asked)).toBe(200)
  expect([await statusOf(a), await statusOf(b)]).toEqual([406, 406])
  // pictures are counted apart
  expect((await b.app.inject('/pictures/none/x.png')).statusCode).toBe(404)
})

test('RATE_LIMIT counts a whole /64 of IPv6 as one caller, who may use any address of it', async () => {
  const { app } = await server({ RATE_LIMIT: '2' })
  const from = async (remoteAddress: string) =>
    (await app.inject({ url: '/pictures/none/x.png', remoteAddress })).statusCode
  expect([await from('2001:db8:1:2::1'), await from('2001:db8:1:2::2')]).toEqual([404, 404])
  expect([await from('2001:db8:1:2:ff::3'), await from('2001:db8:1:3::1')]).toEqual([406, 404])
})

/** Nothing here is counted in a database. */
const unused = new Kysely<DB>({
  dialect: new PostgresDialect({ pool: async () => Promise.reject(new Error('asked')) }),
})

/** Limits of a process that counts in Redis. */
const limitsOf = (redis: Redis | undefined): Limits =>
  createLimits({ db: unused, now: Date.now, rateLimit: () => 0, redis })

test('a limit per user applies over all processes, for each user', async () => {
  const [a, b] = [limitsOf(await client()), limitsOf(await client())]
  expect(await Promise.all([a.take('reprice', 'u1', 20), b.take('reprice', 'u1', 10)])).toEqual([true, true])
  expect(await a.take('reprice', 'u1')).toBe(false)
  expect(await b.take('reprice', 'u2')).toBe(true)
})

test('while Redis is unavailable calls are served without delay, and each process counts for itself', async () => {
  const limited = await server({ RATE_LIMIT: '5' })
  const away = await client()
  const limits = limitsOf(away)
  await redis.stop()
  // a command that waited for Redis would never end
  for (let i = 0; i < 5; i += 1) expect(await statusOf(limited)).toBe(200)
  expect(await statusOf(limited)).toBe(406)
  const use = () => limits.take('reprice', 'x', 15)
  expect([await use(), await use(), await use()]).toEqual([true, true, false])
  await redis.start()
  // nothing is counted there yet; a pause, because injected requests alone would starve the sockets
  for (let back = false; !back; await delay(20)) back = (await statusOf(limited)) === 200
})

test('without REDIS_URL every process counts for itself', async () => {
  const [a, b] = [limitsOf(undefined), limitsOf(undefined)]
  expect([await a.take('codesAlarm', ''), await a.take('codesAlarm', '')]).toEqual([true, false])
  expect(await b.take('codesAlarm', '')).toBe(true)
})
