import { setupServer } from './harness'

/**
 * Changing the number of an account, confirmed by a code to the new number and by a code to the old one or the
 * password.
 */
const server = setupServer()
beforeEach(() => server.clock.advance(2 * 86_400_000))

let numbers = 13_600_000_000
const next = () => String(numbers++)
type Who = { token: string }

async function codeTo(mobile: string | undefined, who: Who, to = mobile ?? ''): Promise<string> {
  const sent = await server.call('user', 'sendSmsCode', { ...(mobile && { mobile }), scene: 2 }, who)
  expect(sent.body.code).toBe('OK')
  return server.sms.newestCode(to) ?? ''
}
const change = (who: Who, mobile: { mobile: string; code: string; oldCode?: string; password?: string }) =>
  server.call('user', 'updateSettings', { mobile }, who)
const me = async (who: Who) => (await server.call('user', 'get', {}, who)).body
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('changing by the old number’s code keeps this session, ends others and frees the old number', async () => {
  const [from, to] = [next(), next()]
  const who = await server.login(from)
  server.clock.advance(60_000)
  const other = await server.login(from)
  server.clock.advance(60_000)
  const oldCode = await codeTo(undefined, who, from)
  const code = await codeTo(to, who)
  // if one code is wrong, it is named and neither is used up
  const missed = await change(who, { mobile: to, code: wrong(code), oldCode })
  expect(missed.body).toMatchObject({ code: 'SMS_CODE_WRONG', data: { fields: [{ path: 'mobile.code' }] } })
  const missedOld = await change(who, { mobile: to, code, oldCode: wrong(oldCode) })
  expect(missedOld.body).toMatchObject({ code: 'SMS_CODE_WRONG', data: { fields: [{ path: 'mobile.oldCode' }] } })
  expect((await change(who, { mobile: to, code, oldCode })).body.code).toBe('OK')
  expect((await me(who)).data).toMatchObject({ userId: who.userId, mobileMasked: `136****${to.slice(-4)}` })
  expect((await me(other)).code).toBe('NOT_LOGGED_IN')
  expect((await server.call('user', 'messages', {}, who)).body.data.list[0]?.title).toBe('登录手机已更换')
  server.clock.advance(60_000)
  expect((await server.login(to)).userId).toBe(who.userId)
  const stranger = await server.login(from)
  expect(stranger).toMatchObject({ newUser: true })
  // no newcomer gift for a number that has had one
  expect((await me(stranger)).data.couponCount).toBe(0)
})

test('changing by password counts wrong passwords and uses up the code', async () => {
  const [from, to] = [next(), next()]
  const who = await server.login(from)
  const { db } = server.database
  server.clock.advance(60_000)
  await server.call('user', 'sendSmsCode', { scene: 3 }, who)
  const password = 'abc12345'
  await server.call('user', 'updatePassword', { code: server.sms.newestCode(from) ?? '', password }, who)
  const code = await codeTo(to, who)
  expect((await change(who, { mobile: to, code, password: 'abc99999' })).body.code).toBe('PWD_WRONG')
  const tries = await db
    .selectFrom('password_tries')
    .select('wrong')
    .where('key', 'like', `${from}@%`)
    .executeTakeFirst()
  expect(tries?.wrong).toBe(1)
  expect((await change(who, { mobile: to, code, password })).body.code).toBe('OK')
  const login = await server.call('user', 'login', { mobile: to, password })
  expect(login.body.data.userId).toBe(who.userId)
  expect((await change(who, { mobile: next(), code, password })).body.code).toBe('SMS_CODE_EXPIRED')
})

test('a number with an account, a missing proof and the same number are refused without any change', async () => {
  const [from, taken] = [next(), next()]
  const who = await server.login(from)
  const owner = await server.login(taken)
  server.clock.advance(60_000)
  const guess = await change(who, { mobile: taken, code: '123456', oldCode: '123456' })
  expect(guess.body.code).toBe('SMS_CODE_EXPIRED')
  const oldCode = await codeTo(undefined, who, from)
  const code = await codeTo(taken, who)
  const { status, body } = await change(who, { mobile: taken, code, oldCode })
  expect([status, body.data]).toMatchObject([
    400,
    { fields: [{ path: 'mobile', msg: expect.stringContaining('已经有账号') }] },
  ])
  expect((await me(who)).data.mobileMasked).toBe(`136****${from.slice(-4)}`)
  expect((await me(owner)).code).toBe('OK')
  expect((await change(who, { mobile: next(), code: '123456' })).body.data).toMatchObject({
    fields: [{ path: 'mobile.oldCode' }],
  })
  expect((await change(who, { mobile: from, code, oldCode })).status).toBe(400)
})

test('of two concurrent accounts one gets the number', async () => {
  const to = next()
  const both = await Promise.all([next(), next()].map(async (from) => ({ from, ...(await server.login(from)) })))
  server.clock.advance(60_000)
  const olds = await Promise.all(both.map((who) => codeTo(undefined, who, who.from)))
  const code = await codeTo(to, both[0] as Who)
  const answers = await Promise.all(both.map((who, i) => change(who, { mobile: to, code, oldCode: olds[i] ?? '' })))
  expect(answers.filter(({ body }) => body.code === 'OK')).toHaveLength(1)
})
