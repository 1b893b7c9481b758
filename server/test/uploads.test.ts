import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { socialTypes } from '@/contract/labels'
import { cleanPicture } from '../providers/storage/picture'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from './harness'
import { impostors, jpeg, jpegOf, pictures } from './pictures'

const MB = 1024 * 1024
/** files that are being received, apart from those of other tests */
const received = mkdtempSync(path.join(os.tmpdir(), 'received-'))
jest.spyOn(os, 'tmpdir').mockReturnValue(received)
let testDatabase: TestDatabase
let server: TestServer
let base: string
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  server = await startServer({ testDatabase })
  base = await server.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await server.close()
  testDatabase.remove()
  rmSync(received, { recursive: true })
})

// limits of codes count per day
beforeEach(() => server.clock.advance(86_400_000))

let numbers = 0
const newUser = () => server.login(`1370000${String(++numbers).padStart(4, '0')}`)
const uuid = (n = numbers) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const permit = async (token: string) => (await server.call('app', 'stsPost', { scene: 'ACCOUNT' }, { token })).body.data

/** Posts an upload like a client over a real socket; `change` modifies it like an attacker. */
async function post(sts: Awaited<ReturnType<typeof permit>>, file: Buffer, change: Record<string, string> = {}) {
  const form = new FormData()
  const fields = { ...JSON.parse(sts.token), key: `${sts.dir}${uuid()}`, 'Content-Type': 'image/jpeg', ...change }
  for (const [name, value] of Object.entries(fields as Record<string, string>)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(file)]), 'photo.jpg')
  const answer = await fetch(base + sts.host, { method: 'POST', body: form })
  const body = answer.status === 204 ? undefined : ((await answer.json()) as { code: string; msg: string })
  return { status: answer.status, ...body }
}

const folder = () => path.join(testDatabase.where.dataDir, 'uploads')
const fileOf = (key: string) => path.join(folder(), key)
const halves = () => readdirSync(received).filter((name) => name.startsWith('picture-'))
const look = async (key: string, token: string) =>
  (await server.call('app', 'stsGet', { scene: 'ACCOUNT', key }, { token })).body.data?.url

/** Waits for effects on the server after the client has disconnected. */
async function until(done: () => boolean | Promise<boolean>) {
  const end = Date.now() + 60_000
  while (!(await done())) {
    if (Date.now() > end) throw new Error('did not happen')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test('a signed form stores a picture, readable by its owner', async () => {
  const { token, userId } = await newUser()
  const sts = await permit(token)
  expect(sts).toMatchObject({ host: '/uploads', maxSize: 10 * MB, expireAt: expect.any(Number) })
  expect(sts.expireAt - server.clock.now()).toBeGreaterThan(14 * 60_000)
  expect(sts.dir).toMatch(new RegExp(`^u/${userId}/\\d{8}/$`))
  expect(await post(sts, jpeg)).toEqual({ status: 204 })
  const key = `${sts.dir}${uuid()}`
  const stored = readFileSync(fileOf(key))
  expect((await sharp(stored).metadata()).format).toBe('jpeg')

  const seen = await fetch(base + (await look(key, token)))
  expect(Object.fromEntries(seen.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'x-content-type-options': 'nosniff',
    'content-disposition': 'attachment; filename="picture.jpg"',
    // pages of the mini-program have an origin of WeChat
    'cross-origin-resource-policy': 'cross-origin',
  })
  expect(Buffer.from(await seen.arrayBuffer()).equals(stored)).toBe(true)
})

test('metadata of the file (location, device) is not stored and does not count towards the size', async () => {
  const { token, userId } = await newUser()
  const sts = await permit(token)
  const dirty = await sharp(jpeg)
    .withExif({ IFD0: { Make: 'SecretPhone' } })
    .jpeg()
    .toBuffer()
  expect(dirty.toString('latin1')).toContain('SecretPhone')
  expect(await post(sts, dirty)).toEqual({ status: 204 })
  const stored = readFileSync(fileOf(`${sts.dir}${uuid()}`))
  expect(stored.toString('latin1')).not.toContain('SecretPhone')
  const row = await server.database.db.selectFrom('uploads').select('bytes').where('user_id', '=', userId).execute()
  expect(row).toEqual([{ bytes: stored.length }])
  // the answer was lost on the way
  expect(await post(sts, dirty)).toEqual({ status: 204 })
  expect(halves()).toEqual([])
})

test('others cannot read it: without an address, with a forged one or an expired one', async () => {
  const [owner, other] = [await newUser(), await newUser()]
  const sts = await permit(owner.token)
  await post(sts, jpeg)
  const key = `${sts.dir}${uuid()}`
  const refused = await server.call('app', 'stsGet', { scene: 'ACCOUNT', key }, { token: other.token })
  expect([refused.status, refused.body.code]).toEqual([404, 'NOT_FOUND'])
  const address = (await look(key, owner.token)) ?? ''
  const statusOf = async (url: string) => (await fetch(base + url)).status
  expect(await statusOf(`/uploads/${key}`)).toBe(404)
  expect(await statusOf(address.replace(/signature=.*/, 'signature=AAAA'))).toBe(404)
  expect(await statusOf(address.replace(/expires=\d+/, `expires=${server.clock.now() + 10 * MB}`))).toBe(404)
  expect(await statusOf(address)).toBe(200)
  server.clock.advance(15 * 60_000)
  expect(await statusOf(address)).toBe(404)
})

test('pictures of a merged account are readable by its owner; its upload form is no longer valid', async () => {
  const web = (n: number, token?: string) =>
    server.call(
      'user',
      'socialLogin',
      { type: socialTypes.WECHAT_WEB, code: `sandbox.uploader.u${n}`, state: 's', ...(token && { bind: true }) },
      token ? { token } : {},
    )
  const guest = (await web(100_001)).body.data
  const sts = await permit(guest.token)
  expect(await post(sts, jpeg)).toEqual({ status: 204 })
  const key = sts.dir + uuid()
  const { token } = (await web(100_002, (await newUser()).token)).body.data
  expect((await fetch(base + (await look(key, token)))).status).toBe(200)
  expect(await post(sts, jpeg)).toMatchObject({ status: 403, code: 'UPLOAD_REFUSED' })
  expect(await look(key, (await newUser()).token)).toBeUndefined()
})

test.each(Object.entries(pictures))('%s: the type is determined by the content', async (_name, file) => {
  const { token } = await newUser()
  expect(await post(await permit(token), file)).toEqual({ status: 204 })
})

test.each(Object.entries(impostors))('%s is refused and nothing is stored', async (_name, file) => {
  const { token } = await newUser()
  const sts = await permit(token)
  expect(await post(sts, file)).toMatchObject({ status: 400, code: 'UPLOAD_TYPE' })
  expect([existsSync(fileOf(`${sts.dir}${uuid()}`)), halves()]).toEqual([false, []])
})

test.each([
  ['a foreign folder', (dir: string) => ({ key: dir.replace(/^u\/\w+/, 'u/somebody') + uuid() })],
  ['a climbing key', (dir: string) => ({ key: `${dir}../../../../etc/passwd` })],
  ['a key with a dot', (dir: string) => ({ key: `${dir}${uuid()}.html` })],
  ['no key', () => ({ key: '' })],
  ['a forged signature', () => ({ signature: 'f'.repeat(43) })],
  ['another folder than the signed one', (dir: string) => ({ dir: dir.slice(0, 2) })],
  ['a later end of its own', () => ({ expires: '99999999999999' })],
])('%s is refused and nothing is stored', async (_name, change) => {
  const { token } = await newUser()
  const sts = await permit(token)
  expect(await post(sts, jpeg, change(sts.dir))).toMatchObject({ status: 403, code: 'UPLOAD_REFUSED' })
  expect([existsSync(path.join(folder(), sts.dir)), halves()]).toEqual([false, []])
})

test('the form expires after 15 minutes', async () => {
  const { token } = await newUser()
  const sts = await permit(token)
  server.clock.advance(15 * 60_000)
  expect(await post(sts, jpeg)).toMatchObject({ status: 403, code: 'UPLOAD_REFUSED' })
})

test('10 MB are accepted, one byte more and 12 MB are refused with a message', async () => {
  const { token } = await newUser()
  const sts = await permit(token)
  expect(await post(sts, await jpegOf(10 * MB))).toEqual({ status: 204 })
  for (const size of [10 * MB + 1, 12 * MB])
    expect(await post(sts, await jpegOf(size))).toEqual(
      expect.objectContaining({ status: 413, code: 'PAYLOAD_TOO_LARGE', msg: '图片不能超过 10 MB' }),
    )
  expect(halves()).toEqual([])
})

/** The same form as raw bytes, so that a test may stop in the middle. */
function raw(sts: Awaited<ReturnType<typeof permit>>, file: Buffer) {
  const fields = { ...JSON.parse(sts.token), key: `${sts.dir}${uuid()}`, 'Content-Type': 'image/jpeg' }
  const parts = Object.entries(fields as Record<string, string>).map(
    ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = `${parts.join('')}--b\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`
  return Buffer.concat([Buffer.from(head), file, Buffer.from('\r\n--b--\r\n')])
}

async function open(headers: string) {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', (part) => {
    text += part
  })
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(
    `POST /uploads HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=b\r\n${headers}\r\n\r\n`,
  )
  return { socket, text: () => text }
}

test('an interrupted upload stores nothing, and the same form works again', async () => {
  const { token } = await newUser()
  const sts = await permit(token)
  const body = raw(sts, await jpegOf(4 * MB))
  const { socket } = await open(`content-length: ${body.length}`)
  socket.write(body.subarray(0, body.length / 2))
  await until(() => halves().length === 1)
  socket.destroy()
  await until(() => halves().length === 0)
  expect(existsSync(fileOf(`${sts.dir}${uuid()}`))).toBe(false)
  expect(await post(sts, jpeg)).toEqual({ status: 204 })
})

test('an announced 100 MB is refused before the picture is sent', async () => {
  const { token } = await newUser()
  await permit(token)
  const { socket, text } = await open(`content-length: ${100 * MB}`)
  await until(() => text().includes('\r\n\r\n'))
  expect(text()).toMatch(/^HTTP\/1.1 413 /)
  socket.destroy()
})

test('an endless picture of unknown length is aborted at the limit, with constant memory', async () => {
  const { token } = await newUser()
  const sts = await permit(token)
  const { socket, text } = await open('transfer-encoding: chunked')
  const before = process.memoryUsage().rss
  const chunk = (part: Buffer) =>
    Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')])
  const head = raw(sts, Buffer.alloc(0))
  socket.write(chunk(head.subarray(0, head.length - 9)))
  const noise = chunk(Buffer.alloc(MB, 0x20))
  for (let sent = 0; !text().includes('\r\n\r\n'); sent++) {
    if (sent > 60) throw new Error('never stopped')
    if (!socket.write(noise)) await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve))
  }
  expect(text()).toMatch(/^HTTP\/1.1 413 /)
  await until(() => halves().length === 0)
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * MB)
  socket.destroy()
})

test('a user may store 200 MB; the same key counts once', async () => {
  const { token, userId } = await newUser()
  const sts = await permit(token)
  const { db } = server.database
  const { bytes } = await cleanPicture([jpeg])
  const stored = bytes.length
  const full = { user_id: userId, bytes: 200 * MB - stored, type: 'image/jpeg', created_at: 0 } as const
  await db
    .insertInto('uploads')
    .values({ key: `u/${userId}/20260101/${uuid(1)}`, ...full })
    .execute()
  for (const _again of [1, 2]) expect(await post(sts, jpeg)).toEqual({ status: 204 })
  const other = { key: `${sts.dir}${uuid(777)}` }
  expect(await post(sts, jpeg, other)).toMatchObject({ status: 403, code: 'UPLOAD_QUOTA' })
  expect(existsSync(fileOf(other.key))).toBe(false)
})

test('an uploaded picture cannot be replaced: the first of a key stays', async () => {
  const { token } = await newUser()
  const sts = await permit(token)
  const key = `${sts.dir}${uuid()}`
  const { bytes } = await cleanPicture([jpeg])
  const stored = () => readFileSync(fileOf(key)).equals(bytes)
  expect(await post(sts, jpeg)).toEqual({ status: 204 })
  // the last one, because the answer was lost on the way
  for (const other of [pictures.png, await jpegOf(1000), jpeg]) {
    expect(await post(sts, other)).toEqual({ status: 204 })
    expect([stored(), halves()]).toEqual([true, []])
  }
  // of two concurrent uploads one is stored
  const fresh = { key: `${sts.dir}${uuid(778)}` }
  const both = await Promise.all([post(sts, jpeg, fresh), post(sts, pictures.webp, fresh)])
  expect(both).toEqual([{ status: 204 }, { status: 204 }])
  const { format } = await sharp(readFileSync(fileOf(fresh.key))).metadata()
  const row = server.database.db.selectFrom('uploads').select('type').where('key', '=', fresh.key)
  expect(await row.executeTakeFirst()).toEqual({ type: `image/${format}` })
})

test('other routes have a small body limit and refuse multipart bodies', async () => {
  const { token } = await newUser()
  const large = await server.send(
    'POST',
    '/app-api/common/sts',
    {},
    { token, raw: JSON.stringify({ scene: 'x'.repeat(70_000) }) },
  )
  expect([large.status, large.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  const unknown = await server.call('app', 'stsPost', { scene: 'ELSEWHERE' }, { token })
  expect(unknown.body.data).toEqual({ fields: [{ path: 'scene', msg: '没有这种上传场景' }] })
})
