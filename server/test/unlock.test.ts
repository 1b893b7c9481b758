import type { FormConfig } from '@/contract/form/types'
import { socialTypes } from '@/contract/labels'
import type { UnlockRecord } from '@/contract/types'
import { createTestDatabase, setupServer, someAnswers, startServer, type TestDatabase, untilNoon } from './harness'
import { advance, configOf } from './orders'
import { startWechatApi } from './wechat-api'

const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 24 * HOUR
let config: FormConfig
const server = setupServer({ games: ['naraka'], env: { AD_UNIT_ID: 'adunit-1', TRUST_PROXY: '1' } })
beforeAll(async () => {
  config = await configOf(server, 'naraka')
})
// limits count per day, and the same two users wait a week; at noon in China, so that short waits stay on the same day
beforeEach(() => server.clock.advance(untilNoon(server, 2)))

type User = { token: string; userId: string }
let numbers = 0
const newUser = (): Promise<User> => server.login(`1370000${String(++numbers).padStart(4, '0')}`)
/** At least four. */
const newUsers = async (n = 4): Promise<[User, User, User, User, ...User[]]> => {
  const more: User[] = []
  for (let i = 4; i < n; i += 1) more.push(await newUser())
  return [await newUser(), await newUser(), await newUser(), await newUser(), ...more]
}
const db = () => server.database.db

async function submit({ token }: User, skip = 0, to = server): Promise<string> {
  const { gameId, schemaVersion } = config
  const req = { gameId, schemaVersion, answers: someAnswers(config, skip), source: 'TYPED' as const }
  const { body } = await to.call('evaluation', 'submitAi', req, { token })
  if (!body.success) throw new Error(`${body.code} ${body.msg}`)
  return body.data.orderId
}

interface From {
  client?: string
  headers?: Record<string, string>
  restart?: boolean
}
const invite = async ({ token }: User, orderId: string, { headers, ...more }: From = {}) =>
  (await server.call('evaluation', 'unlockRecord', { orderId, ...more }, { token, ...(headers && { headers }) })).body
const begin = async (user: User, from: From = {}) => {
  const orderId = await submit(user)
  const { data, code } = await invite(user, orderId, from)
  if (code !== 'OK') throw new Error(String(code))
  return { orderId, recordId: data.recordId, record: data }
}
const help = async ({ token }: User, recordId: string, { headers, ...more }: From = {}) =>
  (await server.call('evaluation', 'unlockHelp', { recordId, ...more }, { token, ...(headers && { headers }) })).body
const codeOf = async (user: User, recordId: string, from?: From) => (await help(user, recordId, from)).code
const look = async ({ token }: User, orderId: string) =>
  (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data
/** Messages of a kind. */
const told = async ({ token }: User, kind: string) =>
  (await server.call('user', 'messages', {}, { token })).body.data.list.filter(({ type }) => type === kind)

const weapp = { platform: 'weapp' }
const offer = (user: User, orderId: string, headers: Record<string, string> = weapp, platform = 'weapp') =>
  server.call('pay', 'adUnitId', { orderId, platform }, { token: user.token, headers })
const ended = async (user: User, orderId: string, nonce: string, isEnded = true) =>
  (await server.call('pay', 'adUnlock', { orderId, nonce, isEnded }, { token: user.token, headers: weapp })).body

test('three friends unlock a report: progress, masked helpers, messages, no price or order for the helpers', async () => {
  const [owner, ...friends] = await newUsers()
  const { orderId, recordId, record } = await begin(owner)
  expect(record).toMatchObject({ orderId, need: 3, got: 0, status: 'ONGOING', helpers: [], restartsLeft: 2 })
  expect(record.expireAt).toBe((record.now ?? 0) + DAY)
  expect((await invite(owner, orderId)).data.recordId).toBe(recordId)
  const seen = (await server.call('evaluation', 'unlockHelpList', { recordId }, { token: friends[0].token })).body.data
  expect(seen).toMatchObject({ gameName: config.name, helped: false, need: 3 })
  expect(seen.ownerNickMasked).toMatch(/^玩\*\*\d$/)
  expect(JSON.stringify(seen)).not.toContain(orderId)
  expect(JSON.stringify(seen)).not.toMatch(/Fen|1370000/)
  for (const [i, friend] of friends.entries()) {
    const { code, data } = await help(friend, recordId)
    expect([code, data.got, data.helped]).toEqual(['OK', i + 1, true])
    expect((await look(owner, orderId)).status).toBe(i < 2 ? 'LOCKED' : 'UNLOCKED')
  }
  const done = (await invite(owner, orderId)).data
  expect(done).toMatchObject({ status: 'DONE', got: 3 })
  expect(done.helpers.map(({ nickMasked }) => nickMasked)).toEqual(Array(3).fill(expect.stringMatching(/^玩\*\*\d$/)))
  const link = `/pages/evaluation/report/unlock/invite?orderId=${orderId}`
  expect(await told(owner, 'HELPED')).toMatchObject([{ link }, { link }, { link }])
  expect(await told(owner, 'UNLOCKED')).toHaveLength(1)
})

test('each rule has its own code, and a refused help is not counted', async () => {
  const [owner, friend, other, late] = await newUsers()
  const { orderId, recordId } = await begin(owner)
  expect(await codeOf(owner, recordId)).toBe('HELP_SELF')
  expect(await codeOf(friend, recordId)).toBe('OK')
  expect(await codeOf(friend, recordId)).toBe('HELP_DUPLICATE')
  expect(await codeOf(friend, 'nobody-has-this')).toBe('NOT_FOUND')
  const off = (deletion_at: number | null) =>
    db().updateTable('users').set({ deletion_at }).where('id', '=', owner.userId).execute()
  await off(server.clock.now() + 15 * DAY)
  expect(await codeOf(other, recordId)).toBe('HELP_EXPIRED')
  await off(null)
  // the same two users within a week, in either direction
  const second = await invite(owner, await submit(owner, 1))
  const msg = expect.stringMatching(/^您和对方 7 天内/)
  expect(await help(friend, second.data.recordId)).toMatchObject({ code: 'HELP_RISK', msg })
  expect(await codeOf(owner, (await begin(friend)).recordId)).toBe('HELP_RISK')
  // unlocked by another way
  server.clock.advance(HOUR)
  expect(await codeOf(other, recordId)).toBe('OK')
  const { nonce } = (await offer(owner, orderId)).body.data
  server.clock.advance(MINUTE)
  await ended(owner, orderId, nonce)
  expect(await codeOf(late, recordId)).toBe('HELP_DONE')
  expect((await invite(owner, orderId)).data).toMatchObject({ status: 'DONE', got: 2 })
  expect((await invite(owner, second.data.orderId)).data.got).toBe(0)
})

test('helps that were given while the clock was ahead refuse none', async () => {
  const [helper, ...owners] = await newUsers()
  for (const owner of owners) expect(await codeOf(helper, (await begin(owner)).recordId)).toBe('OK')
  const at = server.clock.now() + 30 * DAY
  await db().updateTable('unlock_helps').set({ at }).where('user_id', '=', helper.userId).execute()
  const again = await invite(owners[0], await submit(owners[0], 1))
  expect(await codeOf(helper, again.data.recordId)).toBe('OK')
})

test('a user can give three helps a day, also concurrently', async () => {
  const helper = await newUser()
  const owners = await newUsers(5)
  const records: string[] = []
  for (const owner of owners) records.push((await begin(owner)).recordId)
  const codes = await Promise.all(records.map((recordId) => codeOf(helper, recordId)))
  expect(codes.sort()).toEqual(['HELP_LIMIT', 'HELP_LIMIT', 'OK', 'OK', 'OK'])
  server.clock.advance(DAY)
  expect(await codeOf(helper, (await begin(await newUser())).recordId)).toBe('OK')
})

describe('helping from the owner’s own', () => {
  const from = (client: string | undefined, ip: string, agent = 'Phone/1'): From => ({
    ...(client && { client }),
    headers: { 'x-forwarded-for': ip, 'user-agent': agent },
  })

  test('device is refused: by the app’s device id, else by its network, whatever the user agent', async () => {
    const [owner, friend, sibling, another] = await newUsers()
    const { recordId } = await begin(owner, from('c-owner', '203.0.113.7'))
    expect(await help(friend, recordId, from('c-owner', '198.51.100.9', 'Other/2'))).toMatchObject({
      ...{ code: 'HELP_RISK', msg: expect.stringMatching(/^这台设备已经/) },
    })
    expect(await codeOf(friend, recordId, from(undefined, '203.0.113.7'))).toBe('HELP_RISK')
    expect(await codeOf(friend, recordId, from(undefined, '203.0.113.7', 'Other/2'))).toBe('HELP_RISK')
    // another phone of the same model in the same network is another device
    expect(await codeOf(sibling, recordId, from('c-sibling', '203.0.113.7'))).toBe('OK')
    // but a device that changes its id each time does not count as a family
    const msg = '这个网络下已经有人助力过这份报告，请换用手机流量再试'
    expect(await help(another, recordId, from('c-another', '203.0.113.7', 'Yet/3'))).toMatchObject({ msg })
    expect(await codeOf(friend, recordId, from('c-friend', '198.51.100.7'))).toBe('OK')
    expect(await codeOf(another, recordId, from('c-sibling', '198.51.100.9'))).toBe('HELP_RISK')
    const rows = [
      await db().selectFrom('unlock_records').selectAll().where('id', '=', recordId).execute(),
      await db().selectFrom('unlock_helps').selectAll().where('record_id', '=', recordId).execute(),
    ]
    expect(JSON.stringify(rows)).not.toMatch(/c-owner|c-sibling|203\.0/)
  })

  test('home network is one network, whichever IPv6 address is used', async () => {
    const [owner, sibling, another] = await newUsers()
    const { recordId } = await begin(owner, from('c-owner', '2001:db8:1:2::1'))
    expect(await codeOf(sibling, recordId, from('c-sibling', '2001:db8:1:2::2'))).toBe('OK')
    expect(await codeOf(another, recordId, from('c-another', '2001:db8:1:2::3'))).toBe('HELP_RISK')
    expect(await codeOf(another, recordId, from('c-another', '2001:db8:1:3::1'))).toBe('OK')
  })

  test('address headers of an undeclared proxy are ignored', async () => {
    const [owner, ...friends] = await newUsers()
    const { recordId } = await begin(owner, from('c-owner', '172.17.0.1'))
    for (const [i, friend] of friends.entries())
      expect(await codeOf(friend, recordId, from(`c-${i}`, '172.17.0.1'))).toBe('OK')
  })

  test('payment account is refused', async () => {
    const [owner, friend] = await newUsers()
    const { orderId, recordId } = await begin(owner)
    const payment = (id: string, user_id: string, openid: string | null) => ({
      ...{ id, order_id: orderId, user_id, pay_type: 'WX_JSAPI' as const, provider: 'none' as const, amount_fen: 1 },
      ...{ coupon_id: null, openid, return_url: '', origin: '', status: 'CLOSED' as const, txn: null },
      ...{ created_at: 0, expire_at: 0, paid_at: null, asked_at: null, next_ask_at: null },
    })
    await db()
      .insertInto('payments')
      .values([payment(`p-${orderId}-1`, owner.userId, 'wx-1'), payment(`p-${orderId}-2`, friend.userId, 'wx-1')])
      .execute()
    expect(await help(friend, recordId)).toMatchObject({ code: 'HELP_RISK', msg: expect.stringContaining('支付账号') })
    await db().updateTable('payments').set({ openid: null }).where('user_id', '=', friend.userId).execute()
    expect(await codeOf(friend, recordId)).toBe('OK')
  })
})

test('a request ends after 24 hours; it can be restarted twice, each time from zero, but not for an expired report', async () => {
  const [owner, friend, other] = await newUsers()
  const { orderId, recordId } = await begin(owner)
  expect(await codeOf(friend, recordId)).toBe('OK')
  // restarting an open request changes nothing
  expect((await invite(owner, orderId, { restart: true })).data.recordId).toBe(recordId)
  await advance(server, DAY)
  expect(await codeOf(other, recordId)).toBe('HELP_EXPIRED')
  expect((await invite(owner, orderId)).data).toMatchObject({ recordId, status: 'EXPIRED', restartsLeft: 2 })
  const both = await Promise.all([1, 2].map(() => invite(owner, orderId, { restart: true })))
  expect(new Set(both.map(({ data }) => data.recordId)).size).toBe(1)
  expect(both[0]?.data).toMatchObject({ status: 'ONGOING', got: 0, restartsLeft: 1 })
  await advance(server, DAY)
  expect((await invite(owner, orderId, { restart: true })).data).toMatchObject({ status: 'ONGOING', restartsLeft: 0 })
  await advance(server, DAY)
  expect((await invite(owner, orderId, { restart: true })).code).toBe('HELP_LIMIT')
  const old = await begin(other)
  await advance(server, 7 * DAY)
  expect((await invite(other, old.orderId, { restart: true })).code).toBe('HELP_EXPIRED')
  expect((await invite(other, await submit(other, 3))).code).toBe('OK')
})

test('concurrent helps: exactly one unlock, as many counted as needed, the others get HELP_DONE', async () => {
  for (let round = 0; round < 4; round += 1) {
    server.clock.advance(DAY)
    const owner = await newUser()
    const friends = await newUsers(6)
    const { orderId, recordId } = await begin(owner)
    // each one sends two requests
    const answers = await Promise.all(friends.flatMap((f) => [codeOf(f, recordId), codeOf(f, recordId)]))
    const pairs = friends.map((_, i) => [answers[2 * i], answers[2 * i + 1]].sort())
    expect(pairs.filter((pair) => pair.includes('OK'))).toHaveLength(3)
    for (const pair of pairs)
      expect([
        ['HELP_DUPLICATE', 'OK'],
        ['HELP_DONE', 'HELP_DONE'],
      ]).toContainEqual(pair)
    const events = db().selectFrom('order_events').select('note').where('order_id', '=', orderId)
    expect(await events.where('to_status', '=', 'UNLOCKED').execute()).toEqual([{ note: 'HELP' }])
    const { status, got, helpers } = (await invite(owner, orderId)).data
    expect([status, got, helpers.length]).toEqual(['DONE', 3, 3])
    expect(await told(owner, 'UNLOCKED')).toHaveLength(1)
  }
})

test('of two users who help each other concurrently one succeeds', async () => {
  const [a, b] = await newUsers()
  const [of, to] = [await begin(a), await begin(b)]
  const codes = await Promise.all([codeOf(a, to.recordId), codeOf(b, of.recordId)])
  expect(codes.sort()).toEqual(['HELP_RISK', 'OK'])
})

test('another user can neither read nor create a request for help', async () => {
  const [owner, stranger] = await newUsers()
  const { orderId } = await begin(owner)
  const answer = await server.call('evaluation', 'unlockRecord', { orderId }, { token: stranger.token })
  expect([answer.status, answer.body.data]).toEqual([404, null])
  const anonymous = await server.call('evaluation', 'unlockHelp', { recordId: 'x' })
  expect(anonymous.status).toBe(401)
})

describe('an ad', () => {
  test('unlocks once if watched to the end, within five minutes, for its order and user only', async () => {
    const [user, other] = await newUsers()
    const [first, second] = [await submit(user), await submit(user, 1)]
    const { adUnitId, nonce, left } = (await offer(user, first)).body.data
    expect([adUnitId, left]).toEqual(['adunit-1', 4])
    // an ad that failed to load does not count
    expect((await offer(user, first)).body.data).toMatchObject({ nonce, left: 4 })
    expect((await ended(user, second, nonce)).code).toBe('NOT_FOUND')
    expect((await ended(other, first, nonce)).code).toBe('NOT_FOUND')
    expect((await ended(user, first, nonce, false)).data).toEqual({ unlocked: false })
    // an ad cannot end right after its start
    expect((await ended(user, first, nonce)).data).toEqual({ unlocked: false })
    expect((await look(user, first)).status).toBe('LOCKED')
    server.clock.advance(15_000)
    const answers = await Promise.all([ended(user, first, nonce), ended(user, first, nonce)])
    expect(answers.map(({ data }) => data)).toEqual([{ unlocked: true }, { unlocked: true }])
    expect((await look(user, first)).status).toBe('UNLOCKED')
    expect((await ended(user, first, nonce)).data).toEqual({ unlocked: true })
    expect(await told(user, 'UNLOCKED')).toHaveLength(1)
    const late = (await offer(user, second)).body.data.nonce
    server.clock.advance(5 * MINUTE)
    expect((await ended(user, second, late)).code).toBe('HELP_EXPIRED')
    expect((await look(user, second)).status).toBe('LOCKED')
  })

  test('is limited to five a day, in the mini-program only', async () => {
    const user = await newUser()
    const orderId = await submit(user)
    for (const [headers, platform] of [
      [{ platform: 'h5' }, 'h5'],
      [{ platform: 'h5' }, 'weapp'],
    ] as const)
      expect((await offer(user, orderId, headers, platform)).body).toMatchObject({
        ...{ code: 'NOT_OPEN_YET', msg: '暂无广告，可用其他方式' },
      })
    const lefts: number[] = []
    for (let i = 0; i < 5; i += 1) {
      lefts.push((await offer(user, orderId)).body.data.left)
      server.clock.advance(5 * MINUTE)
    }
    expect(lefts).toEqual([4, 3, 2, 1, 0])
    expect((await offer(user, orderId)).body.code).toBe('HELP_LIMIT')
    // while the clock was ahead
    const ahead = { issued_at: server.clock.now() + DAY }
    await db().updateTable('ad_nonces').set(ahead).where('user_id', '=', user.userId).execute()
    expect((await offer(user, orderId)).body.data).toMatchObject({ left: 4 })
  })
})

describe('an ad with WeChat login codes', () => {
  let own: TestDatabase
  let real: typeof server
  let api: Awaited<ReturnType<typeof startWechatApi>>
  beforeAll(async () => {
    own = await createTestDatabase()
    api = await startWechatApi()
    real = await startServer({ testDatabase: own, games: ['naraka'], env: { ...api.env, AD_UNIT_ID: 'adunit-1' } })
  })
  afterAll(async () => {
    await real?.close()
    await api?.close()
    own?.remove()
  })

  /** A report of a new user after an ad. @returns the answer to a login code */
  const watched = async (mobile: string) => {
    const user = await real.login(mobile)
    const { token } = user
    const orderId = await submit(user, 0, real)
    const as = { token, headers: { platform: 'weapp' } }
    const { nonce } = (await real.call('pay', 'adUnitId', { orderId, platform: 'weapp' }, as)).body.data
    real.clock.advance(15_000)
    const ended = async (loginCode?: string) => {
      const req = { orderId, nonce, isEnded: true, ...(loginCode && { loginCode }) }
      return (await real.call('pay', 'adUnlock', req, as)).body
    }
    return { token, orderId, ended }
  }

  test('unlocks for users with a valid login code of the mini-program; a browser that pretends to be one is refused', async () => {
    const { token, orderId, ended } = await watched('13700009001')
    expect(await ended()).toMatchObject({ code: 'VALIDATION_FAILED', data: { fields: [{ path: 'loginCode' }] } })
    api.next.set('/sns/jscode2session', { body: { errcode: 40029, errmsg: 'invalid code' } })
    expect((await ended('made-up')).code).toBe('VALIDATION_FAILED')
    api.next.set('/sns/jscode2session', { status: 502 })
    expect((await ended('good')).code).toBe('SERVICE_UNAVAILABLE')
    expect((await real.call('evaluation', 'reportGet', { orderId }, { token })).body.data.status).toBe('LOCKED')
    // the permission is still valid
    expect((await ended('good')).data).toEqual({ unlocked: true })
  })

  const bind = (token: string, code: string) =>
    real.call('user', 'socialLogin', { type: socialTypes.WECHAT_MINI, code, state: 's', bind: true }, { token })

  test('does not unlock for the WeChat of another account', async () => {
    const [user, other] = [await watched('13700009002'), await watched('13700009003')]
    await bind(user.token, 'of-one')
    expect(await other.ended('of-one')).toMatchObject({
      code: 'VALIDATION_FAILED',
      data: { fields: [{ path: 'loginCode', msg: '这个微信属于另一个账号，请用本账号的微信观看广告' }] },
    })
    expect((await user.ended('of-one')).data).toEqual({ unlocked: true })
  })

  test('unlocks five reports a day for a WeChat without an account, whosever they are', async () => {
    for (const [i, code] of ['OK', 'OK', 'OK', 'OK', 'OK', 'HELP_LIMIT'].entries())
      expect((await (await watched(`1370000901${i}`)).ended('nobody')).code).toBe(code)
  })
})

test('help and ads depend on the platform; in WeChat’s browser help is not available', async () => {
  const status = async (platform: string, agent = 'Safari') => {
    const headers = { platform, 'user-agent': agent }
    return (await server.call('app', 'openPayStatus', { platform, version: '2.0.4' }, { headers })).body.data
  }
  expect(await status('weapp')).toMatchObject({ help: true, ad: true })
  expect(await status('h5')).toMatchObject({ help: true, ad: false })
  expect(await status('h5', 'Mozilla MicroMessenger/8')).toMatchObject({ help: false, ad: false })
  const [owner, friend] = await newUsers()
  const wechat = { headers: { 'user-agent': 'Mozilla MicroMessenger/8' } }
  expect((await invite(owner, await submit(owner), wechat)).code).toBe('NOT_OPEN_YET')
  const { recordId } = await begin(owner)
  expect((await help(friend, recordId, wechat)).msg).toContain('请在浏览器中打开')
})

test('the invitation of a new user is recorded and does not count as help', async () => {
  const owner = await newUser()
  const { orderId, recordId } = await begin(owner)
  const signUp = async (mobile: string, inviteRecordId: string) => {
    await server.call('user', 'sendSmsCode', { mobile, scene: 1 })
    const code = server.sms.newestCode(mobile) ?? ''
    const { userId } = (await server.call('user', 'smsLogin', { mobile, code, inviteRecordId })).body.data
    return (await db().selectFrom('users').select('invited_by').where('id', '=', userId).executeTakeFirstOrThrow())
      .invited_by
  }
  expect(await signUp('13611110001', recordId)).toBe(recordId)
  expect(await signUp('13611110002', 'made-up')).toBeNull()
  const record: UnlockRecord = (await invite(owner, orderId)).data
  expect(record.got).toBe(0)
})
