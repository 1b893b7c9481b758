import { verify } from '@node-rs/argon2'
import { countAttempt } from '../domains/accounts/login/password-attempts'
import { addStaff, sandboxLogins, seedSandboxLogins } from '../domains/staff/accounts'
import { cookieOf, csrfIn, HOUR, PASSWORD, setupDesk } from './desk-fixture'
import { createTestDatabase, startServer } from './harness'
import { advance } from './orders'
import { startProcess } from './process'

const { atDesk, db, get, logOf, nextNumber, paidOrder, post, server, statusOf } = setupDesk()

test('HEAD of a page of the desk answers like GET without a body', async () => {
  const head = (url: string, cookie = '') => server.app.inject({ method: 'HEAD', url, headers: { cookie } })
  const guest = await head('/desk')
  expect([guest.statusCode, guest.headers.location, guest.body]).toEqual([303, '/desk/login', ''])
  const login = await head('/desk/login')
  expect([login.statusCode, login.headers['content-type'], login.body]).toEqual([200, 'text/html; charset=utf-8', ''])
  const { cookie } = await atDesk('ADMIN')
  expect((await head('/desk', cookie)).statusCode).toBe(200)
  expect((await head('/desk/desk.css')).statusCode).toBe(200)
  expect((await head('/desk/nothing')).statusCode).toBe(404)
})

test('the desk needs a login; forged, expired and signed-out cookies open nothing', async () => {
  for (const url of ['/desk', '/desk/operations', '/desk/orders/x', '/desk/staff'])
    expect((await get(url, 'desk=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')).headers.location).toBe('/desk/login')
  const { send, see, cookie } = await atDesk('APPRAISER')
  const page = await see('/desk')
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-security-policy']).toContain("script-src 'self';")
  expect(page.headers['content-security-policy']).not.toContain('unsafe')
  expect(page.headers['cross-origin-opener-policy']).toBe('same-origin')
  expect(page.headers['cache-control']).toBe('no-store')
  const row = await db().selectFrom('staff_sessions').select('token_hash').execute()
  expect(JSON.stringify(row)).not.toContain(cookie.slice(5))
  await send('/desk/logout')
  expect((await see('/desk')).headers.location).toBe('/desk/login')
  const other = await atDesk('APPRAISER')
  await advance(server, 12 * HOUR)
  expect((await other.see('/desk')).headers.location).toBe('/desk/login')
  server.clock.advance(12 * HOUR)
})

test('failed logins lock a name on the network they come from', async () => {
  const { name } = await atDesk('APPRAISER')
  const logIn = (password: string, remoteAddress: string) =>
    server.app.inject({
      ...{ method: 'POST', url: '/desk/login', remoteAddress },
      ...{ payload: new URLSearchParams({ name, password }).toString() },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const isIn = async (address: string) => (await logIn(PASSWORD, address)).headers.location === '/desk'
  // the addresses of an IPv6 /64 count as one network
  const home = (i: number) => `2001:db8:1:2::${i}`
  for (let i = 0; i < 5; i++) await logIn('wrong-pass-1', home(i))
  expect([await isIn(home(9)), await isIn('2001:db8:1:3::1')]).toEqual([false, true])
  for (let i = 0; i < 95; i++) await countAttempt(db(), `desk:${name}`, 100, server.clock.now())
  expect(await isIn('2001:db8:1:3::1')).toBe(false)
  server.clock.advance(HOUR / 4)
  expect(await isIn(home(9))).toBe(true)
})

test('the cookie is limited to the desk and hidden from scripts; passwords are argon2id, the first one must be changed', async () => {
  const name = `staff${nextNumber()}`
  const { password } = await db()
    .transaction()
    .execute((tx) => addStaff(tx, { name, role: 'APPRAISER' }, server.clock.now()))
  const login = await post('/desk/login', { name: name.toUpperCase(), password })
  expect(String(login.headers['set-cookie'])).toMatch(
    /^desk=[^,]*; Path=\/desk; Max-Age=43200; HttpOnly; SameSite=Strict$/,
  )
  const cookie = cookieOf(login)
  expect((await get('/desk', cookie)).headers.location).toBe('/desk/password')
  const csrf = csrfIn((await get('/desk/password', cookie)).body)
  const weak = await post('/desk/password', { csrf, old: password, password: 'short', again: 'short' }, { cookie })
  expect(weak.statusCode).toBe(400)
  expect(weak.body).toContain('密码为 10-64 位')
  const { password_hash } = await db()
    .selectFrom('staff_logins')
    .select('password_hash')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  expect(password_hash).toMatch(/^\$argon2id\$/)
  expect(await verify(password_hash, password)).toBe(true)
})

test('guessing ends after five tries, for existing and unknown names alike', async () => {
  const { name } = await atDesk('APPRAISER')
  const said = []
  for (const who of [name, 'nobody'])
    for (let i = 0; i < 6; i++) {
      const { statusCode, body } = await post('/desk/login', { name: who, password: 'wrong-pass-1' })
      said.push([statusCode, /role="alert"[^>]*>([^<]*)/.exec(body)?.[1]])
    }
  expect(said.slice(0, 6)).toEqual(said.slice(6))
  expect(said[0]).toEqual([401, '登录名或密码不正确'])
  expect(said[5]).toEqual([401, '密码错误次数过多，请 15 分钟后再试'])
  expect((await post('/desk/login', { name, password: PASSWORD })).statusCode).toBe(401)
  server.clock.advance(HOUR)
  expect((await post('/desk/login', { name, password: PASSWORD })).headers.location).toBe('/desk')
})

test('a form from elsewhere is refused: no proof, another person’s proof, another origin; nothing happens', async () => {
  const [a, b] = [await atDesk('APPRAISER'), await atDesk('APPRAISER')]
  const { orderId } = await paidOrder()
  const url = `/desk/orders/${orderId}/take`
  const tries = [
    await post(url, {}, { cookie: a.cookie }),
    await post(url, { csrf: b.csrf }, { cookie: a.cookie }),
    await post(url, { csrf: a.csrf }, { cookie: a.cookie, origin: 'https://evil.example' }),
    await post(url, { csrf: a.csrf }, { cookie: a.cookie, origin: 'null' }),
    await post('/desk/login', { name: a.name, password: PASSWORD }, { origin: 'https://evil.example' }),
    await post('/desk/logout', { csrf: b.csrf }, { cookie: a.cookie }),
  ]
  expect(tries.map((t) => t.statusCode)).toEqual([460, 460, 460, 460, 460, 460])
  expect(await statusOf(orderId)).toBe('PAID')
  expect(await logOf(orderId)).toEqual([])
  const own = await post(url, { csrf: a.csrf }, { cookie: a.cookie, origin: 'http://localhost:80' })
  expect(own.headers.location).toBe(`/desk/orders/${orderId}?done=took`)
})

test('the sandbox’s accounts open nothing outside the sandbox', async () => {
  const { appraiser, password } = sandboxLogins
  expect((await post('/desk/login', { name: appraiser, password })).headers.location).toBe('/desk')
  const cookie = cookieOf(await post('/desk/login', { name: appraiser, password }))
  expect((await get('/desk', cookie)).body).toContain('沙箱')
  const real = server.settings.sandbox
  server.settings.sandbox = false
  try {
    await seedSandboxLogins(db(), 0)
    expect((await post('/desk/login', { name: appraiser, password })).statusCode).toBe(401)
    expect((await get('/desk', cookie)).headers.location).toBe('/desk/login')
    expect((await get('/desk/login')).body).not.toContain(password)
  } finally {
    server.settings.sandbox = real
  }
})

test('the first admin is made by a command that prints a password once, and another after a reset', async () => {
  const empty = await createTestDatabase()
  const run = async (...args: string[]) => {
    const tool = startProcess(empty.env, 'server/cli/staff-add.ts', args)
    return { code: await tool.ended, password: /^\S{10,64}$/m.exec(tool.output())?.[0], text: tool.output() }
  }
  try {
    expect(await run('boss')).toMatchObject({
      code: 1,
      text: '✗ 请用 --role 给出角色：admin、appraiser、consultant。\n',
    })
    const [first, again] = [await run('boss', '--role', 'admin', '--nick', '主管'), await run('boss', '--reset')]
    expect([first.code, again.code]).toEqual([0, 0])
    expect(first.password).not.toBe(again.password)
    const other = await startServer({ testDatabase: empty, env: { SANDBOX: '0' } })
    const login = (password = '') =>
      other.app.inject({
        method: 'POST',
        url: '/desk/login',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ name: 'boss', password }).toString(),
      })
    expect([(await login(first.password)).statusCode, (await login(again.password)).statusCode]).toEqual([401, 303])
    // the command runs as its own process with the real argon2; in this process it is faked (test/fakes/argon2.js)
    const stored = await other.database.db.selectFrom('staff_logins').select('password_hash').executeTakeFirstOrThrow()
    expect(stored.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    await other.close()
  } finally {
    empty.remove()
  }
})
