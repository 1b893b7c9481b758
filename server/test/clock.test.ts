import type { FormConfig } from '@/contract/form/types'
import { createClock } from '../core/clock'
import { openDatabase } from '../db/database'
import { checkLedger } from '../domains/payments/accounting/check'
import { insertGames } from './games'
import { createTestDatabase, startServer, type TestDatabase } from './harness'
import { adult, paid } from './orders'
import { manualOrderRequest } from './pay/requests'
import { call, type ServerProcess, startProcess } from './process'

const HOUR = 3_600_000
const AHEAD = 31 * HOUR
const ORDERS = 8
const LIMIT = 3

let testDatabase: TestDatabase
let config: FormConfig
const orders: string[] = []
const running: ServerProcess[] = []
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  const database = await openDatabase(testDatabase.where)
  config = (await insertGames(database.db)).find(({ gameId }) => gameId === 'val') as FormConfig
  await database.close()
  const server = await startServer({ testDatabase })
  for (let i = 0; i < ORDERS; i += 1) {
    const { token } = await adult(server, `1320000000${i}`)
    const { orderId } = (await server.call('evaluation', 'submitManual', manualOrderRequest(config), { token })).body
      .data
    await server.call('pay', 'payment', { orderId, payType: 'ALI_WAP', consent: true, couponId: '' }, { token })
    expect((await paid(server, orderId)).statusCode).toBe(200)
    orders.push(orderId)
  }
  // due now, so it is refunded in 24 hours at any time of day
  await server.database.db.updateTable('orders').set({ due_at: Date.now() }).execute()
  await server.close()
})
afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  testDatabase.remove()
})

async function startAhead() {
  const process = startProcess({
    ...{ ...testDatabase.env, DEMO_APPRAISER: '0', LOG_LEVEL: 'warn', REFUND_BRAKE_COUNT: String(LIMIT) },
    ...{ NODE_OPTIONS: '--import ./server/test/clock-ahead.mjs', CLOCK_AHEAD_MS: String(AHEAD) },
  })
  running.push(process)
  return { process, url: await process.ready() }
}

/** Resolves when all due work is done. */
const round = (url: string) =>
  fetch(`${url}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advanceMs: 0 }),
  }).then((answer) => answer.json() as Promise<{ now: number }>)

test('a machine 31 hours ahead decides by the time of its database', async () => {
  const { process, url } = await startAhead()
  const asked = Date.now()
  const { now } = await round(url)
  const answered = Date.now()
  await round(url)
  expect(now).toBeGreaterThan(asked - 10_000)
  expect(now).toBeLessThan(answered + 10_000)
  // so it accepts signatures of clients with correct clocks, and corrects the others
  expect((await call(url, 'app', 'banner', { place: 'home' })).success).toBe(true)
  const sent = Date.now()
  const told = Date.parse((await fetch(`${url}/healthz`)).headers.get('date') ?? '')
  expect(told).toBeGreaterThan(sent - 10_000)
  expect(told).toBeLessThan(Date.now() + 10_000)
  expect(process.output()).toContain('the clock was set by the database')
  process.child.kill('SIGTERM')
  await process.ended
  const { db, close } = await openDatabase(testDatabase.where)
  const rows = await db.selectFrom('orders').select(['id', 'status']).where('id', 'in', orders).execute()
  const result = await checkLedger(db)
  await close()
  const kept = rows.filter(({ status }) => status === 'PAID')
  expect(kept).toHaveLength(ORDERS)
  expect(result.differences).toEqual([])
})

describe('createClock', () => {
  const machine = (ms: number) => jest.spyOn(Date, 'now').mockReturnValue(ms)
  // a busy machine may pause between two lines
  beforeEach(() => void jest.spyOn(performance, 'now').mockReturnValue(5000))
  afterEach(() => jest.restoreAllMocks())
  /** A fake database whose time is `at`. */
  const database = (at: () => number) =>
    ({
      getExecutor: () => ({
        transformQuery: (node: unknown) => node,
        compileQuery: () => ({}),
        executeQuery: async () => ({ rows: [{ now: at() }] }),
        withoutPlugins: () => undefined,
      }),
    }) as never

  test('two processes agree whatever their machines’ clocks say, also after a jump', async () => {
    const truth = 1_800_000_000_000
    machine(truth + AHEAD)
    const ahead = createClock()
    machine(truth - HOUR)
    const behind = createClock()
    expect(ahead.now() - behind.now()).toBeGreaterThan(AHEAD)
    const log = { warn: jest.fn(), error: jest.fn() }
    for (const clock of [ahead, behind])
      await clock.sync(
        database(() => truth),
        log,
      )
    const hours = log.error.mock.calls.map(([{ correctedMs }]) => Math.round(correctedMs / HOUR))
    expect(hours).toEqual([-31, 1])
    expect([ahead.now(), behind.now()]).toEqual([truth, truth])
    machine(truth + AHEAD)
    expect(behind.now()).toBe(truth)
    ahead.advance(HOUR)
    expect(ahead.now() - ahead.realNow()).toBe(HOUR)
    expect(Number.isInteger(ahead.now())).toBe(true)
  })

  test('small differences do not change the clock, so that it does not jitter', async () => {
    machine(1_800_000_000_000)
    const clock = createClock()
    const log = { warn: jest.fn(), error: jest.fn() }
    for (const ahead of [200, 60_000])
      await clock.sync(
        database(() => Date.now() + ahead),
        log,
      )
    const message = 'the clock was set by the database'
    expect(log.error.mock.calls).toEqual([[{ correctedMs: 60_000, alarm: true }, message]])
    expect(log.warn).not.toHaveBeenCalled()
  })
})
