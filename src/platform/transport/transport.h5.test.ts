/** @jest-environment node */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { transport } from '.'
import { NetFailure } from './port'

// Taro's own request over Node's fetch: jsdom has none, and all of Taro wants a document
jest.mock('@tarojs/taro', () => {
  process.env.TARO_PLATFORM = 'none'
  Object.assign(globalThis, { navigator: { onLine: true } })
  return { __esModule: true, default: require('@tarojs/taro-h5/dist/api/network/request/index.js') }
})

let server: Server
let base: string

beforeAll(async () => {
  server = createServer((req, res) => {
    if (req.url === '/hang') return
    if (req.url === '/half') {
      res.writeHead(200, { 'content-type': 'application/json' }).write('{"a":')
      return
    }
    if (req.url === '/reset') {
      res.destroy()
      return
    }
    const body: Buffer[] = []
    req.on('data', (d: Buffer) => body.push(d))
    req.on('end', () => {
      res.writeHead(req.url === '/460' ? 460 : 200, { 'X-Request-Id': 'r1' })
      res.end(
        req.url === '/text' ? 'plain' : JSON.stringify({ method: req.method, body: Buffer.concat(body).toString() }),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
})

const send = (path: string, timeoutMs = 5_000, body?: string) =>
  transport.request({ method: body === undefined ? 'GET' : 'POST', url: base + path, headers: {}, body, timeoutMs })
const failure = (running: { done: Promise<unknown> }) =>
  running.done.then(
    () => 'answered',
    (e: unknown) => (e instanceof NetFailure ? e.code : e),
  )

it('sends the body byte for byte and gives status, lower-case headers and parsed data', async () => {
  const text = '{"content":"估价\\n😀"}'
  const r = await send('/460', 5_000, text).done
  expect([r.status, r.headers['x-request-id'], r.data]).toEqual([460, 'r1', { method: 'POST', body: text }])
  expect((await send('/text').done).data).toBe('plain')
})

it('times out with code 5, also in the middle of the body', async () => {
  expect(await failure(send('/hang', 40))).toBe(5)
  expect(await failure(send('/half', 80))).toBe(5)
})

it('gives code 5 when nobody answers or the line breaks, and the reason', async () => {
  await expect(send('/reset').done).rejects.toMatchObject({ code: 5, reason: 'unreachable' })
  const running = transport.request({ method: 'GET', url: 'http://127.0.0.1:9/', headers: {}, timeoutMs: 5_000 })
  expect(await failure(running)).toBe(5)
})

it.each(['/hang', '/half'])('gives 600003 when it is aborted, and ends the request: %s', async (path) => {
  const ended = new Promise((resolve) => server.once('request', (req) => req.socket.once('close', resolve)))
  const asked = new Promise((resolve) => server.once('request', resolve))
  const running = send(path)
  await asked
  running.abort()
  expect(await failure(running)).toBe(600003)
  await ended
})
