/** A body that is refused before it was read leaves the connection usable: the next request on it is answered. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from './harness'

const MB = 1024 * 1024
/** ms within which the second request is answered; an unusable connection is silent until it is closed */
const ANSWERED_WITHIN = 3000

let testDatabase: TestDatabase
let server: TestServer
let port: number
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  server = await startServer({ testDatabase, env: { RATE_LIMIT: '1000' } })
  port = Number(new URL(await server.app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(async () => {
  await server.close()
  testDatabase.remove()
})

const FORM = 'content-type: multipart/form-data; boundary=b'
const field = (name: string, value: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const file = (bytes: number) =>
  `--b\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n${'x'.repeat(bytes)}\r\n`
const END = '--b--\r\n'

/** Sends a POST, as much as the connection takes, and then a health check. @returns the statuses of both */
async function statuses(path: string, headers: string[], body: string, isChunked = false): Promise<number[]> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (part) => {
    text += part
  })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const found = () => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${Buffer.byteLength(body)}`
  socket.write(`POST ${path} HTTP/1.1\r\n${['host: x', length, ...headers].join('\r\n')}\r\n\r\n`)
  // the body arrives in pieces, after the head, as it does from a phone
  await new Promise((resolve) => setTimeout(resolve, 20))
  const size = isChunked ? 16 * 1024 : 256 * 1024
  for (let at = 0; at < body.length; at += size) {
    const part = body.slice(at, at + size)
    socket.write(isChunked ? `${part.length.toString(16)}\r\n${part}\r\n` : part)
  }
  if (isChunked) socket.write('0\r\n\r\n')
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  const end = Date.now() + ANSWERED_WITHIN
  while (found().length < 2 && Date.now() < end && !socket.destroyed)
    await new Promise((resolve) => setTimeout(resolve, 10))
  socket.destroy()
  return found()
}

const JSON_TYPE = 'content-type: application/json'
const partnerHead = () => [`x-partner-key: pk_${'a'.repeat(20)}`, `x-partner-time: ${Date.now()}`]

test.each<[string, number, () => Promise<number[]>]>([
  ['an upload whose form is refused', 403, () => statuses('/uploads', [FORM], field('key', 'x') + file(4 * MB) + END)],
  [
    'an upload with a field twice',
    403,
    () => statuses('/uploads', [FORM], field('a', '1') + field('a', '2') + file(4 * MB) + END),
  ],
  [
    'an upload with too many fields',
    413,
    () =>
      statuses(
        '/uploads',
        [FORM],
        Array.from({ length: 40 }, (_, i) => field(`f${i}`, '1')).join('') + file(4 * MB) + END,
      ),
  ],
  ['an upload of an announced 11 MB', 413, () => statuses('/uploads', [FORM], field('key', 'x') + file(11 * MB) + END)],
  ['an upload that is no form', 415, () => statuses('/uploads', ['content-type: image/jpeg'], 'x'.repeat(2 * MB))],
  [
    'an upload without a boundary',
    400,
    () => statuses('/uploads', ['content-type: multipart/form-data'], 'x'.repeat(2 * MB)),
  ],
  ['a call of a megabyte', 413, () => statuses('/app-api/common/sts', [JSON_TYPE], 'x'.repeat(MB))],
  ['a chunked call of a megabyte', 413, () => statuses('/app-api/common/sts', [JSON_TYPE], 'x'.repeat(MB), true)],
  ['a call of another type', 415, () => statuses('/app-api/common/sts', ['content-type: text/csv'], 'x'.repeat(MB))],
  ['a path that does not exist', 404, () => statuses('/nothing', ['content-type: text/csv'], 'x'.repeat(MB))],
  ['a partner without a key', 401, () => statuses('/partner/v1/sales', [], 'x'.repeat(4 * MB))],
  ['a partner with an unknown key', 401, () => statuses('/partner/v1/sales', partnerHead(), 'x'.repeat(4 * MB))],
  [
    'a form of the desk without a login',
    303,
    () => statuses('/desk/operations/retry', [FORM], field('text', 'x') + file(4 * MB) + END),
  ],
  [
    'a login at the desk of a megabyte',
    413,
    () => statuses('/desk/login', ['content-type: application/x-www-form-urlencoded'], 'x'.repeat(MB)),
  ],
  ['a notification of a megabyte', 413, () => statuses('/pay/notify/wechat', [JSON_TYPE], 'x'.repeat(MB))],
])('%s', async (_name, status, send) => {
  expect(await send()).toEqual([status, 200])
})
