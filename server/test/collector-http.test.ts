/** A collector that is another company's service: what it is asked by HTTP, and which of its events count. */
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { sandboxAccount } from '../providers/collector/sandbox'
import { DAY, MINUTE } from './collections'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from './harness'
import { configOf } from './orders'

const secret = 'a-secret-of-the-collector'
const signatureOf = (parts: unknown[], key = secret) => createHmac('sha256', key).update(parts.join('\n')).digest('hex')

let asks: { path: string; body: Record<string, unknown>; good: boolean }[] = []
const defaultAnswer = (n: number): { status: number; body?: unknown } => ({
  ...{ status: 200, body: { ref: 'r1', qr: `https://game.test/qr/${n}` } },
})
let answer = defaultAnswer
const standIn = createServer(async (req, res) => {
  let text = ''
  for await (const part of req) text += part
  const { 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature } = req.headers
  const good = signature === signatureOf([timestamp, nonce, req.method, req.url, text])
  asks.push({ path: req.url ?? '', body: JSON.parse(text), good })
  const { status, body = {} } = answer(asks.length)
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})
let own: TestDatabase
let server: TestServer
beforeAll(async () => {
  await new Promise<void>((resolve) => standIn.listen(0, '127.0.0.1', resolve))
  const address = standIn.address()
  const port = typeof address === 'object' ? address?.port : 0
  own = await createTestDatabase('market')
  const env = {
    ...{ COLLECTOR_URL: `http://127.0.0.1:${port}/v1`, COLLECTOR_SECRET: secret },
    PUBLIC_URL: 'https://gz.example.test',
  }
  server = await startServer({ testDatabase: own, games: ['ys'], env })
})
afterAll(async () => {
  await server.close()
  own.remove()
  standIn.closeAllConnections()
  standIn.close()
})
beforeEach(() => {
  asks = []
  answer = defaultAnswer
  server.clock.advance(2 * DAY)
})

let numbers = 0
async function begin() {
  const { token } = await server.login(`1350000${String(++numbers).padStart(4, '0')}`)
  const req = { gameId: 'ys', loginType: 'QR' as const, answers: { uid: '812345678' } }
  const task = (await server.call('evaluation', 'taskCreate', req, { token })).body.data
  const { taskId } = task
  const record = async () => (await server.call('evaluation', 'taskRecord', { taskId }, { token })).body.data
  return { token, task, taskId, record }
}
async function deliver(news: object, change: { timestamp?: string; secret?: string; payload?: string } = {}) {
  const payload = JSON.stringify(news)
  const [timestamp, nonce] = [change.timestamp ?? String(Date.now()), 'nonce-of-12-chars']
  const headers = {
    'content-type': 'application/json',
    'x-timestamp': timestamp,
    'x-nonce': nonce,
    'x-signature': signatureOf([timestamp, nonce, 'POST', '/collector/events', payload], change.secret),
  }
  const sent = { method: 'POST', url: '/collector/events', headers, payload: change.payload ?? payload } as const
  const response = await server.app.inject(sent)
  const { data, code } = response.json()
  return [response.statusCode, data?.accepted ?? code]
}
const accountOf = async (kind: 'normal' | 'new') => sandboxAccount(await configOf(server, 'ys'), kind)

test('gets a signed request with the callback address; each of its events moves the task once', async () => {
  const { task, taskId, record } = await begin()
  const callbackUrl = expect.stringMatching(/\/collector\/events$/)
  expect(asks).toMatchObject([
    {
      ...{ path: '/v1/reads', good: true },
      body: { taskId, gameId: 'ys', lookup: { uid: '812345678' }, callbackUrl },
    },
  ])
  expect([task.status, task.qrUrl]).toEqual(['WAIT_SCAN', 'https://game.test/qr/1'])
  expect(await deliver({ taskId, event: 'COLLECTING', progress: 40 })).toEqual([200, true])
  // out of order: the log has passed that status
  expect(await deliver({ taskId, event: 'SCANNED' })).toEqual([200, true])
  const answers = await accountOf('normal')
  const success = { taskId, event: 'SUCCESS', answers, raw: { as: 'it came' } }
  const delivered = await Promise.all([success, success, success].map((news) => deliver(news)))
  expect(delivered.map(([status]) => status)).toEqual([200, 200, 200])
  expect(delivered.filter(([, accepted]) => accepted)).toHaveLength(1)
  expect(await deliver({ taskId, event: 'FAILED', code: 'READ_TIMEOUT' })).toEqual([200, false])
  expect(await record()).toMatchObject({ status: 'SUCCESS', answers })
})

test('forged, old, changed and malformed events are refused', async () => {
  const { taskId, record } = await begin()
  const news = { taskId, event: 'FAILED', code: 'USER_REFUSED' }
  for (const change of [
    { secret: 'not-the-secret-at-all' },
    { timestamp: String(Date.now() - 301_000) },
    { payload: JSON.stringify({ ...news, code: 'READ_TIMEOUT' }) },
  ])
    expect(await deliver(news, change)).toEqual([460, 'ILLEGAL_REQUEST'])
  expect(await deliver({ ...news, code: 'SOMETHING' })).toEqual([400, 'VALIDATION_FAILED'])
  expect(await deliver({ ...news, taskId: 'nobody' })).toEqual([200, false])
  expect((await record()).status).toBe('WAIT_SCAN')
})

test('events after the ten minutes change nothing', async () => {
  const { taskId, record } = await begin()
  server.clock.advance(10 * MINUTE)
  expect(await deliver({ taskId, event: 'SUCCESS', answers: await accountOf('new') })).toEqual([200, false])
  expect((await record()).status).toBe('EXPIRED')
})

test('without a proper response the task fails and may be restarted', async () => {
  answer = () => ({ status: 502 })
  expect((await begin()).task).toMatchObject({ status: 'FAILED', failCode: 'READ_TIMEOUT', retryable: true })
  expect(asks).toHaveLength(1)
  answer = () => ({ status: 200, body: { nonsense: true } })
  expect((await begin()).task.failCode).toBe('READ_TIMEOUT')
})

test('is told to delete its data when the user cancels; the sandbox page is absent', async () => {
  const { token, taskId } = await begin()
  await server.call('evaluation', 'taskCreate', { gameId: 'ys', loginType: 'QR', taskId, action: 'CANCEL' }, { token })
  await server.lifecycle.jobRunner?.runAll()
  expect(asks.map(({ path }) => path)).toEqual(['/v1/reads', '/v1/reads/r1/forget'])
  expect((await server.app.inject({ method: 'POST', url: '/sandbox/collector', payload: {} })).statusCode).toBe(404)
})
