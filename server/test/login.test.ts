import { sql } from 'kysely'
import type { Limits } from '../core/limits'
import { SmsRejected } from '../providers/sms/port'
import { setupServer } from './harness'

const MINUTE = 60_000
const lines: string[] = []
const server = setupServer({ env: { TRUST_PROXY: '1', SMS_PER_HOUR: '30' }, onLog: (line) => lines.push(line) })
// limits per address count for a day, so each test begins on the next one
beforeEach(() => server.clock.advance(25 * 60 * MINUTE))

const sendCode = (mobile: string) => server.call('user', 'sendSmsCode', { mobile, scene: 1 })
const logIn = (mobile: string, code: string) => server.call('user', 'smsLogin', { mobile, code })
const newest = (mobile: string) => server.sms.newestCode(mobile) ?? ''
const wrongFor = (code: string) => (code === '000000' ? '000001' : '000000')

test('the first login creates a user, the second finds it; the token authenticates user calls', async () => {
  const mobile = '13800138000'
  const sent = await sendCode(mobile)
  expect(sent.body.data.nextAt).toBeGreaterThan(server.clock.now())
  const first = await logIn(mobile, newest(mobile))
  expect(first.body.data).toMatchObject({ newUser: true })
  const me = await server.call('user', 'get', {}, { token: first.body.data.token })
  expect(me.body.data).toMatchObject({ userId: first.body.data.userId, mobileMasked: '138****8000' })

  server.clock.advance(MINUTE)
  await sendCode('+86 138-0013-8000')
  const second = await logIn(' 138 0013 8000', newest(mobile))
  expect(second.body.data).toMatchObject({ newUser: false, userId: first.body.data.userId })
  expect(second.body.data.token).not.toBe(first.body.data.token)
})

test('only a hash of the token and of the code is stored', async () => {
  const mobile = '13800138001'
  const { token } = await server.login(mobile)
  const { db } = server.database
  const rows = [
    ...(await db.selectFrom('sessions').selectAll().execute()),
    ...(await db.selectFrom('sms_codes').selectAll().execute()),
  ]
  const text = JSON.stringify(rows)
  expect(text).not.toContain(token)
  expect(text).not.toContain(`"${newest(mobile)}"`)
})

test.each(['', '12345678901', '1380013800', '138001380000', 'abc'])('the number %p is refused', async (mobile) => {
  const answer = await server.send('POST', '/app-api/user/auth/send-sms-code', { mobile, scene: 1 })
  expect(answer.status).toBe(400)
})

test('a second code within a minute is refused, later it is not', async () => {
  const mobile = '13800138002'
  const began = server.clock.now()
  await sendCode(mobile)
  const code = newest(mobile)
  const fast = await sendCode(mobile)
  expect(fast.body).toMatchObject({ success: false, code: 'SMS_TOO_FAST' })
  const [, seconds = ''] = /^发送太频繁，请 (\d+) 秒后再试$/.exec(fast.body.msg) ?? []
  expect(Number(seconds)).toBeLessThanOrEqual(60)
  expect(Number(seconds)).toBeGreaterThanOrEqual((began + MINUTE - server.clock.now()) / 1000)
  expect(newest(mobile)).toBe(code)
  server.clock.advance(MINUTE)
  expect((await sendCode(mobile)).body.success).toBe(true)
})

test('a device that asks again is told that its code can be entered; nobody else is', async () => {
  const mobile = '13800138032'
  const client = 'the-device-whose-answer-was-lost'
  const ask = async (more: object, scene: 1 | 4 = 1) =>
    (await server.call('user', 'sendSmsCode', { mobile, scene, ...more })).body
  expect((await ask({ client })).success).toBe(true)
  const told = await ask({ client })
  expect(told).toMatchObject({ code: 'SMS_TOO_FAST', data: { sent: true } })
  const others = [await ask({}), await ask({ client: 'another-device-at-the-same-place' }), await ask({ client }, 4)]
  for (const { code, data } of others) expect([code, Object.keys(data)]).toEqual(['SMS_TOO_FAST', ['nextAt']])
  expect((await logIn(mobile, newest(mobile))).body.success).toBe(true)
  // used
  expect((await ask({ client })).data).not.toHaveProperty('sent')
  // refused by the carrier
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not started')
  server.clock.advance(MINUTE)
  const refuse = jest.spyOn(deps.providers.sms, 'sendCode').mockRejectedValueOnce(new SmsRejected('NUMBER', 'blocked'))
  expect((await ask({ client })).code).toBe('VALIDATION_FAILED')
  refuse.mockRestore()
  const after = await ask({ client })
  expect([after.code, Object.keys(after.data)]).toEqual(['SMS_TOO_FAST', ['nextAt']])
})

test('a device is not told to enter a code that the carrier has not accepted, or that wrong attempts have ended', async () => {
  const mobile = '13800138033'
  const client = 'the-device-that-is-too-early'
  const ask = async () => (await server.call('user', 'sendSmsCode', { mobile, scene: 1, client })).body
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not started')
  let early: Awaited<ReturnType<typeof ask>> | undefined
  const carrier = jest.spyOn(deps.providers.sms, 'sendCode').mockImplementationOnce(async () => {
    early = await ask()
    throw new SmsRejected('NUMBER', 'blocked')
  })
  expect((await ask()).code).toBe('VALIDATION_FAILED')
  carrier.mockRestore()
  expect([early?.code, Object.keys(early?.data ?? {})]).toEqual(['SMS_TOO_FAST', ['nextAt']])
  server.clock.advance(MINUTE)
  expect((await ask()).success).toBe(true)
  expect((await ask()).data).toMatchObject({ sent: true })
  for (let i = 0; i < 5; i++) await logIn(mobile, wrongFor(newest(mobile)))
  expect((await ask()).data).not.toHaveProperty('sent')
})

test('parallel requests send one code', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => sendCode('13800138003')))
  expect(answers.filter((a) => a.body.success)).toHaveLength(1)
})

test('a number gets ten codes a day', async () => {
  const mobile = '13800138004'
  for (let i = 0; i < 10; i += 1) {
    expect((await sendCode(mobile)).body.success).toBe(true)
    server.clock.advance(MINUTE)
  }
  expect((await sendCode(mobile)).body.code).toBe('SMS_DAILY_LIMIT')
  server.clock.advance(24 * 60 * MINUTE)
  expect((await sendCode(mobile)).body.success).toBe(true)
})

test("requests from other networks use up neither the codes nor the waiting time of a number's owner", async () => {
  const mobile = '13800138019'
  const client = 'the-owners-own-device'
  const place = (address: string, own = {}) =>
    server.call('user', 'sendSmsCode', { mobile, scene: 1, ...own }, { headers: { 'x-forwarded-for': address } })
  expect((await server.call('user', 'sendSmsCode', { mobile, scene: 1, client })).body.success).toBe(true)
  expect((await logIn(mobile, newest(mobile))).body.success).toBe(true)
  server.clock.advance(25 * 60 * MINUTE)
  for (let i = 0; i < 10; i += 1) {
    expect((await place(`203.0.113.${i}`)).body.success).toBe(true)
    if (i < 9) server.clock.advance(MINUTE)
  }
  expect((await place('198.51.100.1')).body.code).toBe('SMS_TOO_FAST')
  // in the network of the last login, and with its device elsewhere
  expect((await sendCode(mobile)).body.success).toBe(true)
  server.clock.advance(MINUTE)
  expect((await place('198.51.100.1')).body.code).toBe('SMS_DAILY_LIMIT')
  expect((await place('198.51.100.2', { client })).body.success).toBe(true)
  // the owner has a limit too
  for (let i = 0; i < 9; i += 1) {
    server.clock.advance(MINUTE)
    expect((await place('198.51.100.2', { client })).body.success).toBe(true)
  }
  server.clock.advance(MINUTE)
  expect((await place('198.51.100.2', { client })).body.code).toBe('SMS_DAILY_LIMIT')
})

test('an address gets twenty codes a day', async () => {
  for (let i = 0; i < 20; i += 1)
    expect((await sendCode(`137000000${String(i).padStart(2, '0')}`)).body.success).toBe(true)
  expect((await sendCode('13700000099')).body.code).toBe('SMS_DAILY_LIMIT')
})

test('all numbers together get thirty codes an hour, but not at the cost of owners where they last signed in', async () => {
  const owner = '13800138044'
  await sendCode(owner)
  expect((await logIn(owner, newest(owner))).body.success).toBe(true)
  server.clock.advance(60 * MINUTE)
  const from = (i: number) => ({ headers: { 'x-forwarded-for': `203.0.113.${i}` } })
  const ask = (i: number) =>
    server.call('user', 'sendSmsCode', { mobile: `137000001${String(i).padStart(2, '0')}`, scene: 1 }, from(i))
  const answers = await Promise.all(Array.from({ length: 34 }, (_, i) => ask(i)))
  expect(answers.filter(({ body }) => body.success)).toHaveLength(30)
  // one alarm an hour, however many are refused
  expect(lines.filter((line) => line.includes('codes are held back'))).toHaveLength(1)
  expect(answers.find(({ body }) => !body.success)).toMatchObject({
    ...{
      status: 406,
      body: { code: 'REQUEST_TOO_BUSY_PLEASE_WAIT', msg: '现在要验证码的人太多，请过一会儿再试，或用密码登录' },
    },
  })
  // meanwhile the alarm's counter holds no lock that others wait for
  const limits = server.lifecycle.deps?.limits as Limits
  const { take } = limits
  const locks: unknown[] = []
  const taken = jest.spyOn(limits, 'take').mockImplementation(async (name, key) => {
    const held = sql`select from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and d.datname = current_database()`
    if (name === 'codesAlarm') locks.push((await held.execute(server.database.db)).rows.length)
    return take(name, key)
  })
  expect((await ask(39)).body.success).toBe(false)
  taken.mockRestore()
  expect(locks).toEqual([0])
  expect((await sendCode(owner)).body.success).toBe(true)
  server.clock.advance(60 * MINUTE)
  expect((await ask(40)).body.success).toBe(true)
})

test('a code works once, also for parallel attempts', async () => {
  const mobile = '13800138005'
  await sendCode(mobile)
  const answers = await Promise.all(Array.from({ length: 5 }, () => logIn(mobile, newest(mobile))))
  expect(answers.filter((a) => a.body.success)).toHaveLength(1)
  expect((await logIn(mobile, newest(mobile))).body.code).toBe('SMS_CODE_EXPIRED')
})

test('the fifth wrong attempt invalidates the code', async () => {
  const mobile = '13800138006'
  await sendCode(mobile)
  const code = newest(mobile)
  for (let i = 0; i < 5; i += 1) expect((await logIn(mobile, wrongFor(code))).body.code).toBe('SMS_CODE_WRONG')
  expect((await logIn(mobile, code)).body.code).toBe('SMS_CODE_EXPIRED')
})

test('a code expires after ten minutes', async () => {
  const mobile = '13800138007'
  await sendCode(mobile)
  server.clock.advance(10 * MINUTE)
  expect((await logIn(mobile, newest(mobile))).body.code).toBe('SMS_CODE_EXPIRED')
})

test('a code that could not be sent does not count', async () => {
  const mobile = '13800138008'
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not ready')
  const real = deps.providers.sms
  deps.providers.sms = { sendCode: () => Promise.reject(new Error('carrier away')) }
  expect((await sendCode(mobile)).status).toBe(503)
  deps.providers.sms = real
  expect((await sendCode(mobile)).body.success).toBe(true)
})

test('a number or a rate that the carrier refuses counts towards the limits', async () => {
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not ready')
  const real = deps.providers.sms
  await sendCode('13800138031')
  server.clock.advance(MINUTE)
  deps.providers.sms = { sendCode: () => Promise.reject(new SmsRejected('NUMBER', 'isv.MOBILE_NUMBER_ILLEGAL')) }
  expect((await sendCode('13800138010')).status).toBe(400)
  expect((await sendCode('13800138010')).body.code).toBe('SMS_TOO_FAST')
  // twenty numbers a day from one network
  for (let i = 11; i < 28; i += 1) expect((await sendCode(`138001380${i}`)).status).toBe(400)
  // the code that did arrive stays valid
  expect((await sendCode('13800138031')).status).toBe(400)
  expect((await sendCode('13800138030')).body.code).toBe('SMS_DAILY_LIMIT')
  expect((await logIn('13800138031', newest('13800138031'))).body.success).toBe(true)
  deps.providers.sms = real
})

test('a login lasts 30 days', async () => {
  const { token } = await server.login('13800138009')
  server.clock.advance(30 * 24 * 60 * MINUTE - MINUTE)
  expect((await server.call('user', 'get', {}, { token })).status).toBe(200)
  server.clock.advance(MINUTE)
  expect((await server.call('user', 'get', {}, { token })).status).toBe(401)
})

test('settings changed on two devices at once are both kept', async () => {
  const { token } = await server.login('13800138010')
  await Promise.all([
    server.call('user', 'updateSettings', { showAsExample: true }, { token }),
    server.call('user', 'updateSettings', { fontScale: 1.3 }, { token }),
  ])
  const me = await server.call('user', 'get', {}, { token })
  expect(me.body.data.settings).toMatchObject({ showAsExample: true, fontScale: 1.3, reduceMotion: false })
})
