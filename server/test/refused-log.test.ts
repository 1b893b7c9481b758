/** Refused requests in the log: they are not logged as errors. */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { FormConfig } from '@/contract/form/types'
import { AppError } from '../core/app-error'
import { addPartner } from '../domains/market/partners/partners'
import { setupServer, someAnswers } from './harness'
import { configOf } from './orders'

interface Line {
  level: number
  msg?: string
  err?: unknown
  refusal?: string
}

let config: FormConfig
const lines: string[] = []
const logged = (): Line[] => lines.map((line) => JSON.parse(line))
const errors = () => logged().filter(({ level, err }) => level >= 50 || err !== undefined)
const server = setupServer({ games: ['naraka'], onLog: (line) => lines.push(line) })
beforeAll(async () => {
  config = await configOf(server, 'naraka')
})
beforeEach(() => {
  lines.length = 0
})

const submit = async (mobile: string) => {
  const { token } = await server.login(mobile)
  const { gameId, schemaVersion } = config
  const request = { gameId, schemaVersion, answers: someAnswers(config), source: 'TYPED' as const }
  return () => server.call('evaluation', 'submitAi', request, { token })
}
/** The lock that valuations wait for. */
const setModel = (active: () => Promise<never>) => {
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not started')
  deps.repositories.models = { ...deps.repositories.models, active }
}

test('the line of a request has its id, and its path without query or secrets; a health check has none', async () => {
  const secret = 'Q'.repeat(43)
  for (const url of [`/data-exports/${secret}?key=${secret}`, `/healthz?key=${secret}`, `/desk/${secret}`])
    await server.app.inject({ url })
  expect(lines.join('')).not.toContain(secret)
  const requests = logged().filter((line) => 'status' in line)
  expect(requests).toMatchObject([
    { reqId: expect.stringMatching(/^[\w-]{36}$/), method: 'GET', path: '/data-exports/[…]', ms: expect.any(Number) },
    { reqId: expect.stringMatching(/^[\w-]{36}$/), path: '/desk/[…]', status: 404 },
  ])
})

test('the line of a request does not have the client’s address', async () => {
  await server.app.inject({ url: '/desk/login', remoteAddress: '203.0.113.7' })
  expect(lines).toHaveLength(1)
  expect(lines.join('')).not.toContain('203.0.113.7')
})

test('a refusal is one line without a stack; a fault of the server is an error', async () => {
  server.lifecycle.phase = 'starting'
  expect((await server.call('evaluation', 'hotGame', { limit: 4 })).status).toBe(503)
  expect((await server.app.inject('/desk/login')).statusCode).toBe(503)
  server.lifecycle.phase = 'ready'
  expect(errors()).toEqual([])
  const refused = logged().filter(({ refusal }) => refusal === 'SERVICE_UNAVAILABLE')
  expect(refused.map(({ level }) => level)).toEqual([30, 30])

  setModel(() => Promise.reject(new AppError('MODEL_PENDING')))
  const send = await submit('13900030001')
  expect((await send()).status).toBe(503)
  expect(errors()).toEqual([])
  setModel(() => Promise.reject(new Error('broken')))
  expect((await send()).status).toBe(500)
  expect(errors()).toMatchObject([{ level: 50, msg: 'request failed', err: { message: 'broken' } }])
})

test('a client that leaves while it sends is not an error', async () => {
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not started')
  const { key } = await addPartner(deps.db, deps.encryption, '离开的合作方', Date.now())
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.app.server.address() as AddressInfo
  const partnerHeaders = `x-partner-key: ${key}\r\nx-partner-time: ${Date.now()}\r\nx-partner-sign: 00`
  for (const [path, headers] of [
    ['/partner/v1/sales', partnerHeaders],
    ['/app-api/sale/tell', 'content-type: application/json'],
    ['/desk/login', 'content-type: application/x-www-form-urlencoded'],
  ] as const) {
    const arrived = once(server.app.server, 'request')
    const socket = connect(port, '127.0.0.1')
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\ncontent-length: 100\r\n\r\n{"half`)
    const [request] = (await arrived) as [IncomingMessage]
    while (request.listenerCount('data') === 0) await turn()
    // `once` would reject by the error that comes before
    const closed = new Promise((resolve) => request.once('close', resolve))
    socket.destroy()
    await closed
    await turn()
  }
  expect(errors()).toEqual([])
})
