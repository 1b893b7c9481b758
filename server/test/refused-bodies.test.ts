import { connect } from 'node:net'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from './harness'

const KB = 1000
const SIZES = [100 * KB, 200 * KB, 1000 * KB, 5000 * KB, 9000 * KB]

let testDatabase: TestDatabase
let server: TestServer
let port: number
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  server = await startServer({ testDatabase })
  port = Number(new URL(await server.app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(async () => {
  await server.close()
  testDatabase.remove()
})

const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

/** A form with a picture of `size` bytes. */
const form = (fields: Record<string, string>, size: number) =>
  Buffer.concat([
    Buffer.from(
      Object.entries(fields)
        .map(([name, value]) => field(name, value))
        .join(''),
    ),
    Buffer.from(
      '--b\r\nContent-Disposition: form-data; name="file"; filename="p.jpg"\r\nContent-Type: image/jpeg\r\n\r\n',
    ),
    Buffer.alloc(size),
    Buffer.from('\r\n--b--\r\n'),
  ])

/**
 * Sends a request with a body, and `/healthz` once it is answered, on the same connection.
 * @returns status of both, and ms until the second was answered
 */
async function then(path: string, type: string, body: Buffer) {
  let text = ''
  const open = () =>
    connect(port, '127.0.0.1')
      .on('data', (part) => {
        text += part.toString('latin1')
      })
      // closed by the server while the body is sent
      .on('error', () => undefined)
  const socket = open()
  const statuses = () => Array.from(text.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => Number(status))
  const answered = async (count: number, limit: number) => {
    const start = performance.now()
    while (statuses().length < count && performance.now() - start < limit)
      await new Promise((resolve) => setTimeout(resolve, 5))
    return performance.now() - start
  }
  try {
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`
    socket.write(head)
    socket.write(body)
    await answered(1, 5000)
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
    const took = await answered(2, 5000)
    return { statuses: statuses(), took }
  } finally {
    socket.destroy()
  }
}

/** Name of the case → its path and body. */
type Case = (
  size: number,
) => Promise<{ path: string; type: string; body: Buffer }> | { path: string; type: string; body: Buffer }

const upload =
  (change: (form: Record<string, string>) => Record<string, string>): Case =>
  async (size) => {
    const { token } = await server.login(`1371${String(++users).padStart(7, '0')}`)
    const sts = (await server.call('app', 'stsPost', { scene: 'ACCOUNT' }, { token })).body.data
    const fields = { ...JSON.parse(sts.token), key: `${sts.dir}00000000-0000-4000-8000-000000000001` }
    return {
      path: '/uploads',
      type: 'multipart/form-data; boundary=b',
      body: form(change({ ...fields, 'Content-Type': 'image/jpeg' }), size),
    }
  }
let users = 0

const cases: Record<string, Case> = {
  'an upload without a form': (size) => ({
    path: '/uploads',
    type: 'multipart/form-data; boundary=b',
    body: form({}, size),
  }),
  'an upload with a wrong signature': upload((fields) => ({ ...fields, signature: '0'.repeat(43) })),
  "an upload to another user's key": upload((fields) => ({
    ...fields,
    key: 'u/someone/20260101/00000000-0000-4000-8000-000000000001',
  })),
  'an upload of no picture': upload((fields) => fields),
  'an upload that is no form': (size) => ({ path: '/uploads', type: 'application/json', body: Buffer.alloc(size) }),
  'an upload with a field twice': (size) => ({
    path: '/uploads',
    type: 'multipart/form-data; boundary=b',
    body: Buffer.concat([Buffer.from(field('a', '1') + field('A', '2')), form({}, size)]),
  }),
  'a form of the desk without a session': (size) => ({
    path: '/desk/team/1/photo',
    type: 'multipart/form-data; boundary=b',
    body: form({}, size),
  }),
  "a partner's sales without a key": (size) => ({
    path: '/partner/v1/sales',
    type: 'application/x-ndjson',
    body: Buffer.alloc(size),
  }),
  'a call with a long body': (size) => ({
    path: '/app-api/common/sts',
    type: 'application/json',
    body: Buffer.alloc(size),
  }),
  'a call of another type': (size) => ({ path: '/app-api/common/sts', type: 'text/csv', body: Buffer.alloc(size) }),
  'a login at the desk with a long body': (size) => ({
    path: '/desk/login',
    type: 'application/x-www-form-urlencoded',
    body: Buffer.alloc(size),
  }),
  'a notification with a long body': (size) => ({
    path: '/pay/notify/wechat',
    type: 'application/json',
    body: Buffer.alloc(size),
  }),
  'a page that does not exist': (size) => ({ path: '/nowhere', type: 'text/plain', body: Buffer.alloc(size) }),
}

test.each(Object.keys(cases))('%s is refused, and the next request on the connection is answered', async (name) => {
  for (const size of SIZES) {
    const { path, type, body } = (await cases[name]?.(size)) ?? { path: '', type: '', body: Buffer.alloc(0) }
    const { statuses, took } = await then(path, type, body)
    expect({ size, refused: (statuses[0] ?? 0) >= 300 && (statuses[0] ?? 500) < 500, next: statuses[1] }).toEqual({
      size,
      refused: true,
      next: 200,
    })
    expect(took).toBeLessThan(1000)
  }
})
