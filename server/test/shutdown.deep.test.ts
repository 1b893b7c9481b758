/** A server that is told to stop, as a load balancer and a terminal see it. */
import pg from 'pg'
import { insertGamesWithoutSales } from './games-without-sales'
import { createTestDatabase, type TestDatabase } from './harness'
import { call, send, startProcess } from './process'

let testDatabase: TestDatabase
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  await insertGamesWithoutSales(testDatabase)
})
afterAll(() => testDatabase.remove())

/** Pause between two polls; without it they would take the processor from the server. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 20))
/** Waits until a session of this database waits for a lock. */
async function untilWaiting() {
  const watcher = new pg.Client({ connectionString: testDatabase.env.DATABASE_URL })
  await watcher.connect()
  const waits = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
  while (!(await watcher.query(waits)).rowCount) await pause()
  await watcher.end()
}

test('SIGTERM while a long request is pending: it is answered, and the process ends with 0 within its time limit', async () => {
  const server = startProcess({ ...testDatabase.env })
  const url = await server.ready()
  const operator = new pg.Client({ connectionString: testDatabase.env.DATABASE_URL })
  await operator.connect()
  await operator.query('begin')
  await operator.query('lock table banners in access exclusive mode')
  const held = send(url, 'app', 'banner', { place: 'home' })
  await untilWaiting()
  server.child.kill('SIGTERM')
  expect(await held).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
  expect(await server.ended).toBe(0)
  expect(server.output()).toContain('已停止')
  await operator.end()
})

test('SIGTERM: /readyz turns 503 while calls are still served, then the listener closes; Ctrl-C does not wait', async () => {
  const server = startProcess({ ...testDatabase.env, DRAIN_SECONDS: '3' })
  const url = await server.ready()
  server.child.kill('SIGTERM')
  let status = 200
  for (; status === 200; await pause()) status = (await fetch(`${url}/readyz`)).status
  expect(status).toBe(503)
  // so that a supervisor does not restart it
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect((await call(url, 'app', 'homeGameList', {})).success).toBe(true)
  expect(await server.ended).toBe(0)

  const atTerminal = startProcess({ ...testDatabase.env, DRAIN_SECONDS: '300' })
  await atTerminal.ready()
  atTerminal.child.kill('SIGINT')
  expect(await atTerminal.ended).toBe(0)
})
