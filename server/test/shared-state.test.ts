/** Two processes on one database and one Redis: limits of one apply to the other. */
import type { Report } from '@/contract/types'
import { unlockReport } from '../domains/orders/unlock-report'
import { insertGames } from './games'
import { createTestDatabase, someAnswers, startServer, type TestDatabase, type TestServer } from './harness'
import { configOf } from './orders'
import { type ServerProcess, send, startProcess } from './process'
import { createRedis, type TestRedis } from './redis-server'

/** re-pricings of a user in a minute */
const REPRICINGS = 30
/** drawn into the picture, so it has to be the same at both */
const ORIGIN = { PUBLIC_URL: 'https://gz.test' }

describe('two processes that share Redis', () => {
  let redis: TestRedis
  let testDatabase: TestDatabase
  let own: TestServer
  let other: ServerProcess
  let url: string
  let token: string
  let orderId: string
  beforeAll(async () => {
    redis = await createRedis()
    await redis.start()
    testDatabase = await createTestDatabase()
    own = await startServer({ testDatabase, games: ['naraka'], env: { REDIS_URL: redis.url, ...ORIGIN } })
    // it neither generates the other games' sales nor trains
    await insertGames(own.database.db)
    other = startProcess({ ...testDatabase.env, PROCESS: 'web', REDIS_URL: redis.url, ...ORIGIN })
    url = await other.ready()
    token = (await own.login('13800000001')).token
    const config = await configOf(own, 'naraka')
    const { gameId, schemaVersion } = config
    const request = { gameId, schemaVersion, answers: someAnswers(config), source: 'TYPED' as const }
    orderId = (await own.call('evaluation', 'submitAi', request, { token })).body.data.orderId
    await own.database.db
      .transaction()
      .execute((tx) => unlockReport(tx, { orderId, by: 'COUPON', now: own.clock.now() }))
  })
  afterAll(async () => {
    other.child.kill('SIGKILL')
    await other.ended
    await own.close()
    await redis.stop()
    testDatabase.remove()
  })

  test('re-pricings are counted over both', async () => {
    const report: Report = (await own.call('evaluation', 'reportGet', { orderId }, { token })).body.data
    const request = { orderId, without: report.comparables?.[0]?.id ?? '' }
    const ask = [
      async () => (await own.call('evaluation', 'reportGet', request, { token })).status,
      async () => (await send(url, 'evaluation', 'reportGet', request, { token })).status,
    ]
    const answers: (number | undefined)[] = []
    for (let n = 0; n < REPRICINGS + 2; n += 1) answers.push(await ask[n % 2]?.())
    expect(answers).toEqual([...Array<number>(REPRICINGS).fill(200), 406, 406])
  })

  test('a start with REDIS_URL does not say that each process counts for itself', () => {
    expect(other.output()).not.toContain('REDIS_URL')
  })
})
