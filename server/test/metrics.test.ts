import { createServer } from 'node:http'
import { Registry } from 'prom-client'
import { createLog } from '../core/log'
import { createMetrics } from '../core/observability/metrics'
import { serveMetrics } from '../core/observability/metrics-server'
import { insertGamesWithoutSales } from './games-without-sales'
import { createTestDatabase, type TestDatabase } from './harness'
import { call, type ServerProcess, startProcess } from './process'

let testDatabase: TestDatabase
let server: ServerProcess | undefined
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  await insertGamesWithoutSales(testDatabase)
})
afterAll(async () => {
  server?.child.kill('SIGKILL')
  await server?.ended
  testDatabase.remove()
})

test('a process with METRICS_PORT exposes requests, pools, jobs, models and its own load, on loopback only', async () => {
  server = startProcess({ ...testDatabase.env, METRICS_PORT: '0', PUBLIC_URL: 'https://gz.example.com' })
  const url = await server.ready()
  // whoever has a public address must not run the sandbox
  expect(server.output()).toContain('⚠ 沙箱开着')
  await call(url, 'app', 'banner', { place: 'home' })
  await fetch(`${url}/nothing/of/this/kind`)
  const address = /Prometheus：(\S+)/.exec(server.output())?.[1] ?? ''
  expect(new URL(address).hostname).toBe('127.0.0.1')
  const answer = await fetch(address)
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
  const text = await answer.text()
  expect(text).toMatch(
    /valuation_http_requests_total\{method="GET",route="\/app-api\/[\w/-]*banner[\w/-]*",code="200"\} 1\n/,
  )
  // a label never contains client input
  expect(text).toMatch(/valuation_http_requests_total\{method="GET",route="none",code="404"\} 1\n/)
  expect(text).not.toContain('nothing/of')
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'valuation_job_failed_rows'])
    expect(text).toContain(`# TYPE ${name} `)
  expect(text).toContain('valuation_job_interval_seconds{job="purge messages"} 3600\n')
  for (const name of ['payments', 'job_last_success_timestamp_seconds', 'model_trained_timestamp_seconds'])
    expect(text).toContain(`# TYPE valuation_${name} gauge`)
  expect(text).toContain('valuation_database_up 1')
  expect(text).toMatch(/valuation_db_pool_wait_seconds_count\{pool="requests"\} [1-9]/)
  expect((await fetch(new URL('/', address))).status).toBe(404)
})

test('log lines that need an operator are counted by their message', async () => {
  const metrics = createMetrics()
  const log = createLog('error', { write: () => undefined }, metrics.alarm)
  log.error({ alarm: true, payment: '1' }, 'the ledger check found differences')
  log.error({ err: new Error('x') }, 'request failed')
  const { values } = (await metrics.registry.getSingleMetric('valuation_alarms_total')?.get()) ?? { values: [] }
  expect(values).toEqual([
    expect.objectContaining({ labels: { message: 'the ledger check found differences' }, value: 1 }),
  ])
})

test('a port in use ends the start with one sentence', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as { port: number }
  await expect(serveMetrics(new Registry(), port)).rejects.toThrow(`端口 ${port} 已被占用（METRICS_PORT）`)
  taken.close()
  await expect(serveMetrics(new Registry(), 0, '192.0.2.1')).rejects.toThrow('192.0.2.1 不属于本机（METRICS_HOST）')
})

test('the id that a caller gives its request is that of the response', async () => {
  const url = await (server as ServerProcess).ready()
  const { headers } = await fetch(`${url}/healthz`, { headers: { 'x-request-id': 'edge-12345678' } })
  expect(headers.get('x-request-id')).toBe('edge-12345678')
})
