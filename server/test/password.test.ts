import { setupServer } from './harness'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const server = setupServer({ env: { TRUST_PROXY: '1' } })
beforeEach(() => server.clock.advance(2 * DAY))

let next = 13_700_000_000
const codeFor = async (mobile: string, scene: number) => {
  await server.call('user', 'sendSmsCode', { mobile, scene: scene as 3 })
  return server.sms.newestCode(mobile) ?? ''
}
const logIn = (mobile: string, password: string) => server.call('user', 'login', { mobile, password })
const isIn = async (token: string) => (await server.call('user', 'get', {}, { token })).status === 200

/** A user with the password `abcd1234`. */
async function someone() {
  const mobile = String(next++)
  const { token, userId } = await server.login(mobile)
  server.clock.advance(MINUTE)
  const code = await codeFor(mobile, 3)
  await server.call('user', 'updatePassword', { code, password: 'abcd1234' }, { token })
  return { mobile, token, userId }
}

test('a password set by code logs in; only its argon2id hash is stored', async () => {
  const { mobile, userId } = await someone()
  const answer = await logIn(` ${mobile.slice(0, 3)} ${mobile.slice(3)}`, 'abcd1234')
  expect(answer.body.data).toMatchObject({ userId, newUser: false })
  const me = await server.call('user', 'get', {}, { token: answer.body.data.token })
  expect(me.body.data.hasPassword).toBe(true)
  const row = await server.database.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()
  expect(row?.password_hash).toMatch(/^\$argon2id\$/)
})

test('an unknown number and a wrong password have the same answers, including the lockout', async () => {
  const { mobile } = await someone()
  const nobody = String(next++)
  for (const number of [mobile, nobody]) {
    const codes = []
    for (let i = 0; i < 6; i++) codes.push((await logIn(number, 'wrong1234')).body.code)
    expect(codes).toEqual([...Array(5).fill('PWD_WRONG'), 'ACCOUNT_LOCKED'])
  }
  const [known, unknown] = [await logIn(mobile, 'abcd1234'), await logIn(nobody, 'abcd1234')]
  expect(known.body).toEqual(unknown.body)
  expect(known.body.msg).toBe('密码错误次数过多，请 15 分钟后再试或用验证码登录')
  server.clock.advance(15 * MINUTE)
  expect((await logIn(mobile, 'abcd1234')).body.success).toBe(true)
})

test('an account created by code has no password, and no built-in hash can be used as one', async () => {
  const mobile = String(next++)
  const { token } = await server.login(mobile)
  for (const password of ['no account has this password', 'abcd1234']) {
    expect((await logIn(mobile, password)).body).toMatchObject({ success: false, code: 'PWD_WRONG' })
    const change = await server.call(
      'user',
      'updatePassword',
      { oldPassword: password, password: 'abcd12345' },
      { token },
    )
    expect(change.body.success).toBe(false)
  }
  expect((await server.call('user', 'get', {}, { token })).body.data.hasPassword).toBe(false)
})

test('of thirty concurrent guesses five are verified', async () => {
  const { mobile } = await someone()
  const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => logIn(mobile, `guess${i}000`)))
  expect(answers.filter((a) => a.body.code === 'PWD_WRONG')).toHaveLength(5)
})

test('eight concurrent logins with the correct password all succeed', async () => {
  const { mobile } = await someone()
  const answers = await Promise.all(Array.from({ length: 8 }, () => logIn(mobile, 'abcd1234')))
  expect(answers.map((a) => a.body.code)).toEqual(Array(8).fill('OK'))
})

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

test('a stranger in another network can lock neither the password nor the codes of a number', async () => {
  const { mobile } = await someone()
  const stranger = from('198.51.100.9')
  const guess = async (password: string) =>
    (await server.call('user', 'login', { mobile, password }, stranger)).body.code
  for (let i = 0; i < 5; i++) expect(await guess('wrong1234')).toBe('PWD_WRONG')
  expect(await guess('wrong1234')).toBe('ACCOUNT_LOCKED')
  expect((await logIn(mobile, 'abcd1234')).body.code).toBe('OK')

  server.clock.advance(MINUTE)
  const code = await codeFor(mobile, 1)
  const wrong = code === '000000' ? '000001' : '000000'
  const tryCode = async (place = {}, typed = wrong) =>
    (await server.call('user', 'smsLogin', { mobile, code: typed }, place)).body.code
  for (let i = 0; i < 5; i++) expect(await tryCode(stranger)).toBe('SMS_CODE_WRONG')
  // from any number of networks, and for the correct code too
  expect(await tryCode(from('198.51.100.10'), code)).toBe('SMS_CODE_EXPIRED')
  expect(await tryCode()).toBe('SMS_CODE_WRONG')
  expect(await tryCode({}, code)).toBe('OK')
})

test('fifty wrong passwords from many networks lock password login everywhere; a code still opens the account', async () => {
  const { mobile } = await someone()
  const guess = async (i: number) =>
    (await server.call('user', 'login', { mobile, password: 'wrong1234' }, from(`203.0.113.${i % 12}`))).body.code
  const codes = []
  for (let i = 0; i < 55; i++) codes.push(await guess(i))
  expect(codes.filter((code) => code === 'PWD_WRONG')).toHaveLength(50)
  expect((await logIn(mobile, 'abcd1234')).body.code).toBe('ACCOUNT_LOCKED')
  server.clock.advance(MINUTE)
  const code = await codeFor(mobile, 1)
  expect((await server.call('user', 'smsLogin', { mobile, code })).body.code).toBe('OK')
})

test('one network cannot try a password on many numbers, even from different addresses', async () => {
  const tryFrom = async (address: string) =>
    (await server.call('user', 'login', { mobile: String(next++), password: 'wrong1234' }, from(address))).body.code
  const codes = []
  for (let i = 0; i < 60; i++) codes.push(await tryFrom(`2001:db8:1:2::${i.toString(16)}`))
  expect(codes.filter((c) => c === 'PWD_WRONG')).toHaveLength(50)
  expect(await tryFrom('2001:db8:1:3::1')).toBe('PWD_WRONG')
})

test('a reset by code ends every session and the lockout', async () => {
  const { mobile, token } = await someone()
  for (let i = 0; i < 6; i++) await logIn(mobile, 'wrong1234')
  server.clock.advance(MINUTE)
  const code = await codeFor(mobile, 4)
  const reset = await server.call('user', 'resetPassword', { mobile, code, password: 'efgh5678' })
  expect(reset.body.data).toBe(true)
  expect(await isIn(token)).toBe(false)
  expect((await logIn(mobile, 'abcd1234')).body.code).toBe('PWD_WRONG')
  expect((await logIn(mobile, 'efgh5678')).body.success).toBe(true)
})

test('a code of another purpose resets nothing', async () => {
  const { mobile } = await someone()
  server.clock.advance(MINUTE)
  const code = await codeFor(mobile, 1)
  const reset = await server.call('user', 'resetPassword', { mobile, code, password: 'efgh5678' })
  expect(reset.body.code).toBe('SMS_CODE_EXPIRED')
  expect((await logIn(mobile, 'abcd1234')).body.success).toBe(true)
})

test('changing the password by the old one keeps this session and ends the others', async () => {
  const { mobile, token } = await someone()
  const other = (await logIn(mobile, 'abcd1234')).body.data.token
  const wrong = await server.call(
    'user',
    'updatePassword',
    { oldPassword: 'nope1234', password: 'new12345' },
    { token },
  )
  expect(wrong.body.code).toBe('PWD_WRONG')
  await server.call('user', 'updatePassword', { oldPassword: 'abcd1234', password: 'new12345' }, { token })
  expect([await isIn(token), await isIn(other)]).toEqual([true, false])
  expect((await logIn(mobile, 'new12345')).body.success).toBe(true)
})

test.each(['short1', 'onlyletters', '12345678', 'with space1', `a${'1'.repeat(20)}`])(
  '%p is not a password',
  async (password) => {
    const { token } = await someone()
    const answer = await server.call('user', 'updatePassword', { oldPassword: 'abcd1234', password }, { token })
    expect([answer.status, answer.body.data]).toEqual([
      400,
      { fields: [{ path: 'password', msg: '密码为 8-20 位字母加数字' }] },
    ])
  },
)

test('the password cannot be changed without the old one or a code', async () => {
  const { token } = await someone()
  expect((await server.call('user', 'updatePassword', { password: 'new12345' }, { token })).status).toBe(400)
})

describe('devices', () => {
  const devices = async (token: string) =>
    (await server.call('user', 'get', { devices: true }, { token })).body.data.devices ?? []

  test('are listed with the current one marked, and can be signed out individually or all others at once', async () => {
    const { mobile, token } = await someone()
    const phone = await server.call(
      'user',
      'login',
      { mobile, password: 'abcd1234' },
      { headers: { platform: 'weapp', os: 'ios' } },
    )
    const third = (await logIn(mobile, 'abcd1234')).body.data.token
    const list = await devices(token)
    expect(list.map((d) => d.name).sort()).toEqual(['iOS · 微信小程序', '网页', '网页'])
    expect(list.filter((d) => d.current)).toHaveLength(1)
    const weapp = list.find((d) => d.name.startsWith('iOS'))?.id ?? ''
    await server.call('user', 'updateSettings', { signOut: weapp }, { token })
    expect([await isIn(phone.body.data.token), await isIn(third)]).toEqual([false, true])
    await server.call('user', 'updateSettings', { signOut: 'OTHERS' }, { token })
    expect([await isIn(third), await isIn(token)]).toEqual([false, true])
    await server.call('user', 'updateSettings', { signOut: 'THIS' }, { token })
    expect(await isIn(token)).toBe(false)
  })

  test("another user's device cannot be signed out", async () => {
    const [me, other] = [await someone(), await someone()]
    const theirs = (await devices(other.token))[0]?.id ?? ''
    await server.call('user', 'updateSettings', { signOut: theirs }, { token: me.token })
    expect(await isIn(other.token)).toBe(true)
  })

  test('are only returned on request', async () => {
    const { token } = await someone()
    expect((await server.call('user', 'get', {}, { token })).body.data).not.toHaveProperty('devices')
  })
})
