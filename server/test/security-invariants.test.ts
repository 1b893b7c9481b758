/** Security invariants of accounts for any input: each test attacks one statement of README or ARCHITECTURE. */
import type * as Argon2 from '@node-rs/argon2'
import { sql } from 'kysely'
import { type CallDef, type CallOf, calls } from '@/contract/calls'
import type { SignParams } from '@/contract/query'
import { schemas } from '@/contract/schemas'
import type { Req } from '@/contract/types'
import { depsOf } from '../core/lifecycle'
import { signIn } from '../domains/staff/sessions'
import { jobs } from '../jobs'
import { atDesk } from './desk-session'
import { createTestDatabase, setupServer, startServer, type TestDatabase, type TestServer } from './harness'
import { processorTime } from './processor'

// the object that the server calls, so that its functions can be spied on
const argon2 = jest.requireActual<typeof Argon2>('@node-rs/argon2')

const DAY = 86_400_000
const PASSWORD = 'secret-2026x'
const ID_NO = '11010519491231002X'
const NAME = '张三丰'
const CONTACT = '13611112222'

const logged: string[] = []
const server = setupServer({ env: { TRUST_PROXY: '1' }, onLog: (line) => void logged.push(line) })

const all: [name: string, def: CallDef, req: object][] = Object.entries(calls).flatMap(([group, defs]) =>
  Object.entries(defs as Record<string, CallDef>).map(([name, def]): [string, CallDef, object] => [
    `${group}.${name}`,
    def,
    (schemas as unknown as Record<string, Record<string, { req: object }>>)[group]?.[name]?.req ?? {},
  ]),
)
const closed = all.filter(([, { access }]) => access === 'user')

let places = 0
/** A caller from a new address. */
const from = () => {
  places += 1
  return { 'x-forwarded-for': `10.${places >> 16}.${(places >> 8) & 255}.${places & 255}` }
}
/** A call of a user's, each from a new address. */
const call = <C extends CallOf<'user'>>(name: C, req: Req<'user', C>, token?: string) =>
  server.call('user', name, req, { headers: from(), ...(token !== undefined && { token }) })
const deps = () => depsOf(server.lifecycle)
let numbers = 0
const unknown = () => `1390000${String(++numbers).padStart(4, '0')}`
/** A number with an account, and with a password when asked for. */
async function known(password?: string): Promise<string> {
  const mobile = unknown()
  const user = { id: `u${mobile}`, mobile, nickname: '玩家', avatar: '', settings: '{}', created_at: 0 }
  const password_hash = password ? await argon2.hash(password) : null
  await server.database.db
    .insertInto('users')
    .values({ ...user, password_hash })
    .execute()
  return mobile
}
const code = '000000'

describe('no enumeration of phone numbers', () => {
  /** Calls about a number that a stranger can make without holding the phone. */
  type Ask = (mobile: string) => ReturnType<TestServer['send']>
  const questions: [name: string, ask: Ask][] = [
    ['login', (mobile) => call('login', { mobile, password: 'wrong-pass1' })],
    ['smsLogin', (mobile) => call('smsLogin', { mobile, code })],
    ['resetPassword', (mobile) => call('resetPassword', { mobile, code, password: PASSWORD })],
    ...([1, 2, 3, 4, 5] as const).map((scene): [string, Ask] => [
      `sendSmsCode ${scene}`,
      (mobile) => call('sendSmsCode', { mobile, scene }),
    ]),
  ]
  const said = async (ask: Ask, mobile: string) => {
    const answers = []
    // enough attempts to include the answers of rate limit, lockout and invalidated code
    for (let i = 0; i < 7; i++) answers.push(await ask(mobile))
    // times and remaining seconds differ between the two series only because the clock runs
    return JSON.stringify(answers.map(({ status, body }) => [status, body])).replace(/\d{2,}/g, '#')
  }

  test.each(questions)('%s has the same answers for a number with and without an account', async (_, ask) => {
    const stranger = await said(ask, unknown())
    for (const mobile of [await known(PASSWORD), await known()]) expect(await said(ask, mobile)).toBe(stranger)
  })

  /** ms by which the cost of a short call may vary */
  const JITTER = 5

  /** Median ms of processor time of each kind, called alternately so that other load affects all equally. */
  async function medians(ask: Ask, makers: (() => Promise<string> | string)[], n: number) {
    const times = makers.map((): number[] => [])
    for (let i = 0; i < n; i++)
      for (const [k, make] of makers.entries()) {
        const mobile = await make()
        const spent = processorTime()
        await ask(mobile)
        times[k]?.push(spent())
      }
    return times.map((mine) => mine.sort((a, b) => a - b)[Math.floor(mine.length / 2)] ?? 0)
  }

  // counted, because hashing is the most expensive step of a call, and tests use cheap parameters
  test.each(questions)('%s computes the same number of hashes for both', async (name, ask) => {
    const spies = [jest.spyOn(argon2, 'hash'), jest.spyOn(argon2, 'verify')]
    const hashesFor = async (mobile: string) => {
      for (const spy of spies) spy.mockClear()
      await ask(mobile)
      return spies.map((spy) => spy.mock.calls.length)
    }
    const stranger = await hashesFor(unknown())
    // [new, verified]: a stranger without the code cannot have passwords hashed, each of which takes tens of ms
    expect(stranger).toEqual([0, name === 'login' ? 1 : 0])
    for (const mobile of [await known(PASSWORD), await known()]) expect(await hashesFor(mobile)).toEqual(stranger)
    for (const spy of spies) spy.mockRestore()
  })

  test('a new password is hashed only after the proof for it was verified', async () => {
    const { token } = await someone()
    const spy = jest.spyOn(argon2, 'hash')
    for (const proof of [{ code }, { oldPassword: 'wrong-pass1' }, {}])
      await call('updatePassword', { ...proof, password: PASSWORD }, token)
    expect(spy).not.toHaveBeenCalled()
    spy.mockRestore()
  })

  test('a code for a number without an account is used up, and no password is hashed for it', async () => {
    const mobile = unknown()
    await call('sendSmsCode', { mobile, scene: 4 })
    const right = { mobile, code: server.sms.newestCode(mobile) ?? '', password: PASSWORD }
    const spy = jest.spyOn(argon2, 'hash')
    for (const answer of ['NOT_FOUND', 'SMS_CODE_EXPIRED'])
      expect((await call('resetPassword', right)).body.code).toBe(answer)
    expect(spy).not.toHaveBeenCalled()
    spy.mockRestore()
  })

  // counted, because what they take elsewhere is no processor time of ours
  test.each(questions)('%s asks the database and the carrier the same for both', async (name, ask) => {
    const queries = jest.spyOn(Object.getPrototypeOf(server.database.db.getExecutor()), 'executeQuery')
    const messages = jest.spyOn(deps().providers.sms, 'sendCode')
    const callsFor = async (mobile: string) => {
      for (const spy of [queries, messages]) spy.mockClear()
      await ask(mobile)
      return {
        queries: queries.mock.calls.map(([query]) => (query as { sql: string }).sql),
        sent: messages.mock.calls.length,
      }
    }
    try {
      // what only the first call of a process reads
      await ask(unknown())
      const stranger = await callsFor(unknown())
      expect(stranger.queries.length).toBeGreaterThan(0)
      expect(stranger.sent).toBe(name.startsWith('sendSmsCode') ? 1 : 0)
      for (const mobile of [await known(PASSWORD), await known()]) expect(await callsFor(mobile)).toEqual(stranger)
    } finally {
      for (const spy of [queries, messages]) spy.mockRestore()
    }
  })

  const priced = ['login', 'smsLogin', 'sendSmsCode 1', 'sendSmsCode 4']
  test.each(questions.filter(([name]) => priced.includes(name)))('%s costs the same for both', async (_, ask) => {
    await ask(unknown())
    const [stranger = 0, ...others] = await medians(ask, [unknown, () => known(PASSWORD), () => known()], 15)
    for (const other of others) {
      const ratio = (other + JITTER) / (stranger + JITTER)
      expect(ratio).toBeGreaterThan(0.4)
      expect(ratio).toBeLessThan(2.5)
    }
  })
})

describe('rate limits', () => {
  let limited: TestServer
  let other: TestDatabase
  beforeAll(async () => {
    other = await createTestDatabase()
    limited = await startServer({ testDatabase: other, env: { RATE_LIMIT: '2', TRUST_PROXY: '1' } })
  })
  afterAll(async () => {
    await limited.close()
    other.remove()
  })

  const BUSY = 'REQUEST_TOO_BUSY_PLEASE_WAIT'
  test.each(all)('%s is limited for callers without a login', async (_, { method, path }) => {
    const ask = async (headers: Record<string, string>) => (await limited.send(method, path, {}, { headers })).body.code
    const place = from()
    const codes = [await ask(place), await ask(place), await ask(place)]
    expect([codes[0] === BUSY, codes[2]]).toEqual([false, BUSY])
    // another network is not limited
    expect(await ask(from())).toBe(codes[0])
  })

  test.each([
    '/v/GZ20260601-ABCDEF',
    '/wechat/login?state=abcdefghijklmnop',
    '/wechat/js-sdk?url=x',
    '/pictures/encrypted/GZ20260601-ABCDEF.png',
    '/uploads/u/somebody/20260601/0',
    '/desk/login',
    '/desk',
    '/desk/orders/20260601',
  ])('%s is limited too', async (url) => {
    const headers = from()
    const codes = []
    for (let i = 0; i < 3; i++) codes.push((await limited.app.inject({ url, headers })).statusCode)
    expect(codes[0]).not.toBe(406)
    expect(codes.slice(2)).toEqual([406])
  })

  test('all addresses of one IPv6 network, which one household owns, share a limit', async () => {
    const status = async (ip: string) =>
      (await limited.app.inject({ url: '/desk/login', headers: { 'x-forwarded-for': ip } })).statusCode
    expect([await status('2001:db8:1:2::1'), await status('2001:db8:1:2:f::2')]).toEqual([200, 200])
    expect([await status('2001:db8:1:2:a:b:c:d'), await status('2001:db8:1:3::1')]).toEqual([406, 200])
  })

  test('the partner feed is limited before the key is looked up', async () => {
    const headers = { ...from(), 'x-partner-key': `pk_${'a'.repeat(20)}`, 'x-partner-time': String(Date.now()) }
    for (const [status, wait] of [[401], [401], [429, '60'], [429, '60']]) {
      const answer = await limited.app.inject({ method: 'POST', url: '/partner/v1/sales', headers, payload: 'x' })
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([status, wait])
    }
  })

  test('uploads are limited before their first byte is read', async () => {
    const headers = from()
    for (const code of ['UPLOAD_REFUSED', 'UPLOAD_REFUSED', BUSY])
      expect((await limited.app.inject({ method: 'POST', url: '/uploads', headers })).json().code).toBe(code)
  })
})

describe('another site cannot act for the user (CSRF)', () => {
  test.each(closed)('%s: cookies alone do not authenticate', async (_, { method, path }) => {
    const { token, userId } = await someone()
    const cookie = `token=${token}; Token=${token}; session=${token}; userId=${userId}`
    const { status, body, headers } = await server.send(method, path, {}, { headers: { cookie, userId } })
    expect([status, body.code, headers['set-cookie']]).toEqual([401, 'NOT_LOGGED_IN', undefined])
  })

  test('no origin is allowed by CORS, and a request that a form can send is not accepted as a call', async () => {
    const origin = 'https://evil.example'
    const url = calls.user.updateSettings.path
    const asked = await server.app.inject({
      method: 'OPTIONS',
      url,
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'token' },
    })
    const read = await server.send('GET', calls.app.homeDataCount.path, {}, { headers: { origin } })
    for (const headers of [asked.headers, read.headers])
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    const { token } = await someone()
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const headers = { 'content-type': type, token, origin }
      const { status } = await server.send('POST', url, {}, { raw: '{"pushActivity":true}', headers })
      expect(status).toBeGreaterThanOrEqual(400)
    }
  })
})

/** One login, shared by all tests that need any user. */
let login: Promise<{ token: string; userId: string }> | undefined
function someone() {
  login ??= server.login('13700000000')
  return login
}

describe('no secrets in URLs, logs or the database', () => {
  test('no GET has personal data or credentials in its parameters', () => {
    // the share token is part of a link that its owner gives to others
    const harmless = ['shareToken']
    const secret = /token|password|code|mobile|idno|contact|openid/i
    const found = all
      .filter(([, { method }]) => method === 'GET')
      .flatMap(([name, , req]) =>
        Object.keys((req as { properties?: object }).properties ?? {})
          .filter((key) => secret.test(key) && !harmless.includes(key))
          .map((key) => `${name}.${key}`),
      )
    expect(found).toEqual([])
  })

  test('the complete use of an account leaves no number, code, token, password, name or ID number in the log', async () => {
    logged.length = 0
    const mobile = '13655557777'
    const codes: string[] = []
    const sms = async (scene: 1 | 3 | 4 | 5) => {
      server.clock.advance(61_000)
      await call('sendSmsCode', { mobile, scene })
      codes.push(server.sms.newestCode(mobile) ?? '')
      return codes.at(-1) ?? ''
    }
    const enter = async () => (await call('smsLogin', { mobile, code: await sms(1) })).body.data.token
    const first = await enter()
    await call('updatePassword', { code: await sms(3), password: PASSWORD }, first)
    const second = (await call('login', { mobile, password: PASSWORD })).body.data.token
    await call('login', { mobile, password: `${PASSWORD}!` })
    await call('realNameAuth', { name: NAME, idNo: ID_NO, consent: true }, first)
    await call('submitFeedback', { type: 6, content: `请打 ${CONTACT} 找 ${NAME}`, contact: CONTACT }, first)
    await call('get', { devices: true }, first)
    // failures do not log more
    await server.send('POST', calls.user.smsLogin.path, {}, { raw: `{"mobile":"${mobile}","code":"${codes[0]}"` })
    await server.send('GET', `/app-api/nowhere/${first}`, { token: first, mobile, idNo: ID_NO }, { token: first })
    await server.send('GET', calls.user.get.path, { token: second, mobile }, { token: second })
    await server.app.inject({ url: `/pages/mine/index?token=${second}&mobile=${mobile}` })
    await call('resetPassword', { mobile, code: await sms(4), password: `${PASSWORD}9` })
    const last = await enter()
    await call('loginOff', { code: await sms(5), reason: `我是${NAME}` }, last)
    const text = logged.join('\n')
    expect(logged.length).toBeGreaterThan(15)
    const person = [mobile, mobile.slice(3), CONTACT, NAME, ID_NO, ID_NO.slice(6, 14), PASSWORD]
    for (const secret of [...person, first, second, last]) expect(text).not.toContain(secret)
    // six digits also occur in request ids and times, so only whole values count
    for (const c of codes) expect(text).not.toMatch(new RegExp(`["\\s:]${c}["\\s,}]`))
  })
})

describe('ID numbers', () => {
  /** Every encoding in which a text may occur unencrypted. */
  const disguises = (text: string) => [text, Buffer.from(text).toString('base64'), Buffer.from(text).toString('hex')]
  const parts = [ID_NO, ID_NO.slice(0, 17), ID_NO.slice(6, 14), ID_NO.slice(4, 15)].flatMap(disguises)

  test('are masked in all answers and desk pages, and encrypted at rest', async () => {
    const { token, userId } = await server.login('13644445555')
    await call('realNameAuth', { name: NAME, idNo: ID_NO, consent: true }, token)
    await call('submitFeedback', { type: 6, content: '请看看我的实名认证，谢谢' }, token)
    const { realName } = (await call('get', {}, token)).body.data
    expect(realName).toMatchObject({ status: 'PASSED', nameMasked: '张**', idNoMasked: '1101**********002X' })
    const likely: SignParams = { gameId: 'hok', orderId: 'x', pageNo: 1, devices: true, keyword: '张' }
    const answers: string[] = []
    for (const [, { method, path }, req] of all) {
      const keys = Object.keys((req as { properties?: object }).properties ?? {})
      const params = Object.fromEntries(Object.entries(likely).filter(([key]) => keys.includes(key)))
      answers.push(JSON.stringify((await server.send(method, path, params, { token })).body))
    }
    const boss = await atDesk(server, { name: 'boss', role: 'ADMIN' })
    for (const url of ['/desk', '/desk/operations', '/desk/log', '/desk/staff', '/desk/feedback', '/desk/content'])
      answers.push((await boss.see(url)).body)
    const rowOf = sql<{ row: string }>`select to_jsonb(r)::text as row from real_names r where user_id = ${userId}`
    const { rows } = await rowOf.execute(server.database.db)
    expect(rows).toHaveLength(1)
    for (const text of [...answers, ...rows.map(({ row }) => row)])
      for (const part of parts) expect(text).not.toContain(part)
  })
})

test('no table, log line or key of a limit says from which network somebody came', async () => {
  const place = { 'x-forwarded-for': '198.51.100.77' }
  const headers = { headers: place }
  const limits = jest.spyOn(deps().limits, 'take')
  const { settings } = deps()
  const { rateLimit } = settings
  settings.rateLimit = 100
  const mobile = unknown()
  await server.call('user', 'sendSmsCode', { mobile, scene: 1 }, headers)
  await server.call('user', 'smsLogin', { mobile, code: '000000' }, headers)
  const code = server.sms.newestCode(mobile) ?? ''
  expect((await server.call('user', 'smsLogin', { mobile, code }, headers)).body.success).toBe(true)
  await server.call('user', 'login', { mobile, password: 'wrong-pass1' }, headers)
  await server.call('user', 'weixinMiniAppLogin', { loginCode: 'made-up', phoneCode: 'made-up', state: 's' }, headers)
  await expect(signIn(deps(), { name: 'nobody', password: 'x', ip: '198.51.100.77' })).rejects.toThrow()
  const called = { 'x-partner-key': `pk_${'a'.repeat(20)}`, 'x-partner-time': String(Date.now()), ...place }
  await server.app.inject({ method: 'POST', url: '/partner/v1/sales', payload: '', headers: called })
  settings.rateLimit = rateLimit
  const keys = limits.mock.calls.map(([name, key]) => `${name}:${key}`)
  limits.mockRestore()
  const { db } = server.database
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db)
  const stored: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select to_jsonb(r)::text as row from ${sql.table(name)} r`.execute(db)
    stored.push(...rows.map(({ row }) => row))
  }
  // each of them was counted
  expect(keys).toContainEqual(expect.stringMatching(/^partner:/))
  for (const key of ['"ip:', `"${mobile}@`, '"desk-ip:', '"wechat:'])
    expect([key, stored.some((row) => row.includes(key))]).toEqual([key, true])
  for (const text of [...stored, ...logged, ...keys]) expect(text).not.toContain('198.51.100.')
})

test('numbers of people who never signed up are deleted after two days', async () => {
  const mobile = unknown()
  await call('sendSmsCode', { mobile, scene: 1 })
  await call('login', { mobile, password: 'wrong-pass1' })
  server.clock.advance(2 * DAY)
  for (const job of jobs) await job.run(deps(), server.clock.now())
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from sms_codes where mobile = ${mobile})
      + (select count(*) from password_tries where key like ${`${mobile}%`}) + (select count(*) from throttles) as n`.execute(
    server.database.db,
  )
  expect(rows[0]?.n).toBe(0)
})
