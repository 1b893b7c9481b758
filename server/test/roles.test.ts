import { insertGamesWithoutSales } from './games-without-sales'
import { createTestDatabase, type TestDatabase } from './harness'
import { call, type ServerProcess, startProcess } from './process'

let testDatabase: TestDatabase
const running: ServerProcess[] = []
const start = (env: Record<string, string>) => {
  const p = startProcess({ ...testDatabase.env, ...env })
  running.push(p)
  return p
}
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  await insertGamesWithoutSales(testDatabase)
})
afterAll(async () => {
  for (const p of running) p.child.kill('SIGKILL')
  await Promise.all(running.map((p) => p.ended))
  testDatabase.remove()
})

test('a web process answers calls and runs no jobs; a worker runs jobs and answers health checks only', async () => {
  const web = start({ PROCESS: 'web' })
  const url = await web.ready()
  await web.printed('不运行后台任务（PROCESS=web）')
  expect((await call(url, 'app', 'homeGameList', {})).success).toBe(true)

  const worker = start({ PROCESS: 'worker' })
  const health = await worker.ready()
  const status = async (path: string) => (await fetch(`${health}${path}`)).status
  expect(await Promise.all(['/healthz', '/readyz', '/', '/desk/login', '/sandbox/sms?mobile=1'].map(status))).toEqual([
    ...[200, 200, 404, 404, 404],
  ])
  expect((await call(health, 'app', 'homeGameList', {})).code).toBe('NOT_FOUND')
  // the sandbox's clock is the same in every process
  const headers = { 'content-type': 'application/json' }
  const moved = await fetch(`${health}/sandbox/clock`, { method: 'POST', headers, body: '{"advanceMs":3600000}' })
  expect(((await moved.json()) as { now: number }).now).toBeGreaterThan(Date.now() + 3_500_000)
  for (const p of [web, worker]) p.child.kill('SIGTERM')
  expect(await Promise.all([web.ended, worker.ended])).toEqual([0, 0])
})

test("two workers share the jobs, and a killed one's are taken over by the other", async () => {
  const workers = [start({ PROCESS: 'worker', METRICS_PORT: '0' }), start({ PROCESS: 'worker', METRICS_PORT: '0' })]
  await Promise.all(workers.map((p) => p.ready()))
  /** number of runs of the job by a worker */
  const runs = async (p: ServerProcess) => {
    const text = await (await fetch(/Prometheus：(\S+)/.exec(p.output())?.[1] ?? '')).text()
    return Number(/valuation_job_runs_total\{job="refunds",outcome="ok"\} (\d+)/.exec(text)?.[1] ?? 0)
  }
  const reached = async (p: ServerProcess, least: number) => {
    while ((await runs(p)) < least) await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const busy = await Promise.race(workers.map((p) => reached(p, 2).then(() => p)))
  const idle = workers.find((p) => p !== busy) as ServerProcess
  const before = await runs(idle)
  busy.child.kill('SIGKILL')
  await busy.ended
  await reached(idle, before + 2)
  idle.child.kill('SIGTERM')
  expect(await idle.ended).toBe(0)
})
