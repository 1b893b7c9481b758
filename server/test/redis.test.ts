/** State that processes share by REDIS_URL, with a real server. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { openRedis } from '../redis/client'
import { createRateLimits } from '../redis/rate-limits'
import { createRenderCache } from '../redis/render-cache'
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
  const one = await openRedis(redis.url, quiet)
  clients.push(one)
  // a busy machine may have connected too late
  while (one.status !== 'ready') await delay(20)
  return one
}

/** A server with its own database, so that two of them only share Redis. */
async function server(env: Record<string, string>): Promise<TestServer> {
  const testDatabase = await createTestDatabase()
  stores.push(testDatabase)
  const one = await startServer({ testDatabase, env: { REDIS_URL: redis.url, ...env } })
  servers.push(one)
  return one
}
const statusOf = async (one: TestServer) => (await one.call('app', 'homeGameList', {})).status

test('RATE_LIMIT counts the calls of all processes together, separately for each group of routes', async () => {
  const [a, b] = [await server({ RATE_LIMIT: '5' }), await server({ RATE_LIMIT: '5' })]
  for (const one of [a, b, a, b, a]) expect(await statusOf(one)).toBe(200)
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

test('a limit per user applies over all processes and ends with its window', async () => {
  const [a, b] = [createRateLimits(await client()), createRateLimits(await client())]
  const use = { key: 'reprice:u1', max: 3, window: 3_600_000, now: 0 }
  expect([await a.take(use), await b.take(use), await a.take(use), await b.take(use)]).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect(await b.take({ ...use, key: 'reprice:u2' })).toBe(true)
  const short = { key: 'reprice:u3', max: 1, window: 300, now: 0 }
  expect(await a.take(short)).toBe(true)
  // the window ends by the clock of Redis
  while (!(await b.take(short))) await delay(20)
  expect(await b.take(use)).toBe(false)
})

test('the other process finds a drawn file, byte for byte', async () => {
  const [a, b] = [createRenderCache(await client()), createRenderCache(await client())]
  const file = Uint8Array.from({ length: 100_000 }, (_, i) => i % 256)
  await a.write('hash', { file, width: 750, height: 1334 })
  const found = await b.read('hash')
  expect(found).toMatchObject({ width: 750, height: 1334 })
  expect(Buffer.from(found?.file ?? []).equals(file)).toBe(true)
  expect(await b.read('other')).toBeUndefined()
})

test('while Redis is unavailable calls are served without delay, and each process counts for itself', async () => {
  const one = await server({ RATE_LIMIT: '5' })
  const away = await client()
  const limits = createRateLimits(away)
  await redis.stop()
  // a command that waited for Redis would never end
  for (let i = 0; i < 5; i += 1) expect(await statusOf(one)).toBe(200)
  expect(await statusOf(one)).toBe(406)
  const use = { key: 'x', max: 2, window: 60_000, now: 0 }
  expect([await limits.take(use), await limits.take(use), await limits.take(use)]).toEqual([true, true, false])
  expect(await createRenderCache(away).read('hash')).toBeUndefined()
  await redis.start()
  // nothing is counted there yet; a pause, because injected requests alone would starve the sockets
  for (let back = false; !back; await delay(20)) back = (await statusOf(one)) === 200
})

test('without REDIS_URL every process counts for itself, by the given time', async () => {
  const limits = createRateLimits(undefined)
  const use = { key: 'x', max: 1, window: 1000, now: 0 }
  expect([await limits.take(use), await limits.take(use)]).toEqual([true, false])
  expect(await limits.take({ ...use, now: 1000 })).toBe(true)
})
