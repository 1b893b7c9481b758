import { socialTypes } from '@/contract/labels'
import { setupServer } from './harness'

/** A new password, a new number and an account deletion revoke all access of former session holders. */
const DAY = 86_400_000
const PASSWORD = 'efgh5678'
const server = setupServer()
// limits per address and day are reset
beforeEach(() => server.clock.advance(2 * DAY))

let mobiles = 13_400_000_000
let nonces = 0
const newMobile = () => String(mobiles++)
const fresh = (who: string) => `sandbox.${who}.r${String(nonces++).padStart(6, '0')}`
/** A login by WeChat; with a token it is bound to that account. */
const wechat = (who: string, token?: string) =>
  server.call(
    'user',
    'socialLogin',
    { type: socialTypes.WECHAT_WEB, code: fresh(who), state: 's', ...(token && { bind: true }) },
    token ? { token } : {},
  )
const newOwner = async () => {
  const mobile = newMobile()
  return { mobile, ...(await server.login(mobile)) }
}
type Owner = Awaited<ReturnType<typeof newOwner>>
async function codeFor(mobile: string, scene: 2 | 3 | 4 | 5, token?: string) {
  server.clock.advance(60_000)
  await server.call('user', 'sendSmsCode', { mobile, scene }, token ? { token } : {})
  return server.sms.newestCode(mobile) ?? ''
}
const rowsOf = (table: 'sessions' | 'wechat_logins' | 'data_exports', { userId }: Owner) =>
  server.database.db.selectFrom(table).select('user_id').where('user_id', '=', userId).execute()
const titles = async (token: string) =>
  (await server.call('user', 'messages', {}, { token })).body.data.list.map(({ title }) => title)

const reset = async ({ mobile }: Owner) =>
  server.call('user', 'resetPassword', { mobile, code: await codeFor(mobile, 4), password: PASSWORD })
const setPassword = async ({ mobile, token }: Owner) =>
  server.call('user', 'updatePassword', { code: await codeFor(mobile, 3, token), password: PASSWORD }, { token })
const cancel = async ({ mobile, token }: Owner) =>
  server.call('user', 'loginOff', { code: await codeFor(mobile, 5, token) }, { token })
const events: Record<string, (owner: Owner) => Promise<{ body: { success: boolean } }>> = {
  'a reset of the password': reset,
  'a change of the password': async (owner) => {
    await setPassword(owner)
    return server.call('user', 'updatePassword', { oldPassword: PASSWORD, password: `${PASSWORD}9` }, owner)
  },
  'a change of the number': async ({ mobile, token }) => {
    const to = newMobile()
    const [oldCode, code] = [await codeFor(mobile, 2, token), await codeFor(to, 2, token)]
    return server.call('user', 'updateSettings', { mobile: { mobile: to, code, oldCode } }, { token })
  },
  'the request to cancel the account': cancel,
}

test.each(Object.entries(events))('%s ends a WeChat login and a data export got before', async (name, event) => {
  const [owner, other] = [await newOwner(), await newOwner()]
  const [thief, friend] = [`thief${name.length}`, `friend${name.length}`]
  const urls: string[] = []
  for (const [who, user] of [
    [thief, owner],
    [friend, other],
  ] as const) {
    expect((await wechat(who, user.token)).body.data.userId).toBe(user.userId)
    await server.call('dataExport', 'request', {}, user)
    await server.lifecycle.jobRunner?.runAll()
    urls.push((await server.call('dataExport', 'get', {}, user)).body.data.url ?? '')
  }
  const found = () =>
    Promise.all(urls.map(async (url) => (await server.app.inject({ url: new URL(url).pathname })).statusCode))
  expect(await found()).toEqual([200, 200])
  const { key } = await server.database.db
    .selectFrom('data_exports')
    .select('key')
    .where('user_id', '=', owner.userId)
    .executeTakeFirstOrThrow()

  expect((await event(owner)).body).toMatchObject({ success: true })
  expect(await found()).toEqual([404, 200])
  const bound = await server.call('user', 'queryWeixinMiniAppBind', { loginCode: fresh(thief) })
  expect(bound.body.data).toEqual({ bound: false })
  const stranger = (await wechat(thief)).body.data
  expect(stranger.newUser).toBe(true)
  expect(stranger.userId).not.toBe(owner.userId)
  expect((await wechat(friend)).body.data.userId).toBe(other.userId)

  server.clock.advance(60_000)
  await server.lifecycle.jobRunner?.runAll()
  expect(await rowsOf('data_exports', owner)).toEqual([])
  expect(await server.lifecycle.deps?.providers.storage.read(key ?? '')).toBeUndefined()
  expect(await found()).toEqual([404, 200])
})

test('a login by a formerly bound WeChat does not revoke an account deletion; a login by number does, and WeChat can be bound again', async () => {
  const owner = await newOwner()
  await wechat('keeper', owner.token)
  const offAt = async () =>
    (
      await server.database.db
        .selectFrom('users')
        .select('deletion_at')
        .where('id', '=', owner.userId)
        .executeTakeFirstOrThrow()
    ).deletion_at
  await cancel(owner)
  await wechat('keeper')
  expect(await offAt()).toBeGreaterThan(server.clock.now())
  server.clock.advance(60_000)
  const back = await server.login(owner.mobile)
  expect([back.userId, await offAt()]).toEqual([owner.userId, null])
  expect((await wechat('keeper', back.token)).body.data.userId).toBe(owner.userId)
  expect((await wechat('keeper')).body.data.userId).toBe(owner.userId)
})

test('a first password ends other sessions and leaves WeChat linked', async () => {
  const owner = await newOwner()
  await wechat('same', owner.token)
  expect((await setPassword(owner)).body.success).toBe(true)
  expect(await rowsOf('sessions', owner)).toHaveLength(1)
  expect((await wechat('same')).body.data.userId).toBe(owner.userId)
})

test('the owner is told of a WeChat bound while logged in, once', async () => {
  const owner = await newOwner()
  const told = async () => (await titles(owner.token)).filter((title) => title === '已绑定微信').length
  await wechat('first', owner.token)
  await wechat('first', owner.token)
  await wechat('first')
  expect(await told()).toBe(1)
  // also of a WeChat with an account, which is merged
  await wechat('second')
  await wechat('second', owner.token)
  expect([await told(), (await titles(owner.token)).includes('账号已合并')]).toEqual([2, true])
})

test('an account without a number is not advised to change a password it cannot have', async () => {
  const userWithoutMobile = (await wechat('alone')).body.data
  await wechat('another', userWithoutMobile.token)
  const { data } = (await server.call('user', 'messages', {}, { token: userWithoutMobile.token })).body
  const told = data.list.find(({ title }) => title === '已绑定微信')
  expect(told?.summary).toContain('请立即联系客服')
  expect(told?.summary).not.toContain('密码')
})

test('a binding that waits for WeChat while the password is reset has no effect', async () => {
  const owner = await newOwner()
  const port = server.lifecycle.deps?.providers.wechat
  if (!port) throw new Error('no WeChat')
  const { webUser } = port
  port.webUser = async (code) => {
    port.webUser = webUser
    expect((await reset(owner)).body.success).toBe(true)
    return webUser(code)
  }
  expect(await wechat('late', owner.token)).toMatchObject({ status: 401, body: { code: 'NOT_LOGGED_IN' } })
  expect([await rowsOf('sessions', owner), await rowsOf('wechat_logins', owner)]).toEqual([[], []])
  expect((await wechat('late')).body.data.userId).not.toBe(owner.userId)
})
