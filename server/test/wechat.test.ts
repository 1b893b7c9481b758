import { sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { socialTypes } from '@/contract/labels'
import { release } from '../domains/payments/coupons/redemption'
import { networkOf } from '../domains/shared/network'
import { setupServer } from './harness'
import { configOf, manualRequest, paid } from './orders'

const DAY = 86_400_000
const REAL = { name: '欧阳小乙', idNo: '11010519491231002X', consent: true } as const
let config: FormConfig
const server = setupServer({ games: ['naraka'] })
beforeAll(async () => {
  config = await configOf(server, 'naraka')
})
// limits per address and day are reset
beforeEach(() => server.clock.advance(2 * DAY))

let nonces = 0
let mobiles = 13_700_000_000
const newMobile = () => String(mobiles++)
const fresh = (who: string) => `sandbox.${who}.n${String(nonces++).padStart(6, '0')}`
const web = (who: string, more: { bind?: boolean } = {}, token?: string) =>
  server.call(
    'user',
    'socialLogin',
    { type: socialTypes.WECHAT_WEB, code: fresh(who), state: 's', ...more },
    token ? { token } : {},
  )
const quick = (who: string, mobile: string) =>
  server.call('user', 'weixinMiniAppLogin', { loginCode: fresh(who), phoneCode: fresh(mobile), state: 's' })
const me = async (token: string) => (await server.call('user', 'get', {}, { token })).body.data
const bindByCode = async (token: string, mobile: string) => {
  server.clock.advance(60_000)
  await server.call('user', 'sendSmsCode', { mobile, scene: 1 }, { token })
  const code = server.sms.newestCode(mobile) ?? ''
  return server.call('user', 'smsLogin', { mobile, code, bind: true }, { token })
}

test('quick login creates an account with the number and finds it later, on both platforms', async () => {
  const mobile = newMobile()
  const first = (await quick('ann', mobile)).body.data
  expect(first.newUser).toBe(true)
  expect(await me(first.token)).toMatchObject({ mobileMasked: `137****${mobile.slice(-4)}`, wxBound: true })
  expect((await quick('ann', mobile)).body.data).toMatchObject({ userId: first.userId, newUser: false })
  // the unionid is the same in all of the operator's apps
  expect((await web('ann')).body.data).toMatchObject({ userId: first.userId, openid: 'sandbox-web-ann' })
  expect(await server.login(mobile)).toMatchObject({ userId: first.userId, newUser: false })
  const bound = await server.call('user', 'queryWeixinMiniAppBind', { loginCode: fresh('ann') })
  expect(bound.body.data).toEqual({ bound: true, userId: first.userId, mobileMasked: `137****${mobile.slice(-4)}` })
  const unknown = await server.call('user', 'queryWeixinMiniAppBind', { loginCode: fresh('nobody') })
  expect(unknown.body.data).toEqual({ bound: false })
})

test('a code of WeChat works once, a made-up one never', async () => {
  const again = { type: socialTypes.WECHAT_WEB, code: fresh('bob'), state: 's' }
  expect((await server.call('user', 'socialLogin', again)).body.success).toBe(true)
  expect((await server.call('user', 'socialLogin', again)).body).toMatchObject({
    success: false,
    code: 'WECHAT_REFUSED',
  })
  expect((await server.call('user', 'socialLogin', { ...again, code: 'made-up' })).body.code).toBe('WECHAT_REFUSED')
})

test('concurrent first logins of one WeChat create one account', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => web('carl')))
  expect(new Set(answers.map(({ body }) => body.data.userId)).size).toBe(1)
  expect(answers.filter(({ body }) => body.data.newUser)).toHaveLength(1)
})

test('a WeChat account gets a number: it stays the same account, and its newcomer coupon is kept', async () => {
  const guest = (await web('dora')).body.data
  expect(await me(guest.token)).toMatchObject({ mobileMasked: '', wxBound: true, couponCount: 0 })
  const needs = await server.call('user', 'sendSmsCode', { scene: 3 }, { token: guest.token })
  expect(JSON.stringify(needs.body.data)).toContain('请先绑定手机号')
  const off = (await server.call('user', 'checkLoginOff', {}, { token: guest.token })).body.data
  expect(off).toMatchObject({ canOff: false, blockers: [{ type: 'MOBILE' }] })
  const mobile = newMobile()
  const bound = (await bindByCode(guest.token, mobile)).body.data
  expect(bound).toMatchObject({ userId: guest.userId, newUser: false })
  expect(await me(bound.token)).toMatchObject({ mobileMasked: `137****${mobile.slice(-4)}`, couponCount: 1 })
  expect((await server.call('user', 'get', {}, { token: guest.token })).status).toBe(401)
})

/** Rows of every table that name the user, by table. */
async function rowsOf(userId: string): Promise<Record<string, number>> {
  const { db } = server.database
  const { rows } = await sql<{ t: string; c: string }>`
    select table_name as t, column_name as c from information_schema.columns
    where table_schema = 'public' and column_name in ('user_id', 'owner_id')`.execute(db)
  const counts = await Promise.all(
    rows.map(async ({ t, c }) => {
      const n = await sql<{
        n: number
      }>`select count(*) as n from ${sql.table(t)} where ${sql.ref(c)} = ${userId}`.execute(db)
      return [`${t}.${c}`, Number(n.rows[0]?.n)] as const
    }),
  )
  return Object.fromEntries(counts.filter(([, n]) => n > 0))
}

/** An account with rows in every table that a merge must move. */
async function richAccount(login: { token: string; userId: string }) {
  const { token } = login
  const as = { token }
  await server.call('user', 'realNameAuth', REAL, as)
  const { orderId } = (await server.call('evaluation', 'submitManual', manualRequest(config, 1), as)).body.data
  await server.call('pay', 'payment', { orderId, payType: 'ALI_WAP', consent: true }, as)
  expect((await paid(server, orderId)).statusCode).toBe(200)
  // a row is sufficient; a real report would need a trained model
  await server.database.db
    .insertInto('reports')
    .values({
      report_no: `R${orderId}`,
      order_id: orderId,
      user_id: login.userId,
      game_id: config.gameId,
      version: 1,
      status: 'UNLOCKED',
      model_id: null,
      account_id: '',
      inputs: '{}',
      body: '{}',
      digest: '',
      predict_fen: 1,
      created_at: 1,
      valid_until: 2,
    })
    .execute()
  const coupons = (await server.call('coupon', 'canReceive', {}, as)).body.data
  for (const { templateId } of coupons) await server.call('coupon', 'receive', { templateId }, as)
  await server.call(
    'user',
    'submitFeedback',
    { type: 4, content: '暗号：月下独酌的反馈意见', contact: '微信 yuexia' },
    as,
  )
  await server.call('evaluation', 'saveGameFeedback', { gameName: '第五人格', platform: '安卓' }, as)
  return orderId
}

test('merging a WeChat account into that of a number moves orders, money, coupons and texts; no row refers to the old one', async () => {
  const mobile = newMobile()
  const owner = await server.login(mobile)
  await server.call(
    'evaluation',
    'saveGameFeedback',
    { gameName: '第五人格', platform: '安卓' },
    { token: owner.token },
  )
  const guest = (await web('eve')).body.data
  const orderId = await richAccount(guest)
  const [before, had] = [await rowsOf(owner.userId), await rowsOf(guest.userId)]
  for (const table of [
    'orders',
    'reports',
    'payments',
    'user_coupons',
    'feedback',
    'real_names',
    'messages',
    'wechat_logins',
  ])
    expect(Object.keys(had)).toContain(`${table}.user_id`)
  const ledger = await server.database.db.selectFrom('ledger').selectAll().where('order_id', '=', orderId).execute()

  const bound = (await bindByCode(guest.token, mobile)).body.data
  expect(bound).toMatchObject({ userId: owner.userId, newUser: false })
  expect(await rowsOf(guest.userId)).toEqual({})
  const after = await rowsOf(owner.userId)
  for (const table of ['orders', 'reports', 'payments', 'user_coupons', 'feedback', 'uploads', 'wechat_logins'].map(
    (t) => `${t}.user_id`,
  ))
    expect([table, after[table] ?? 0]).toEqual([table, (before[table] ?? 0) + (had[table] ?? 0)])
  // equal game requests of both become one; a message announces the merge
  expect(after['game_requests.user_id']).toBe(1)
  expect(after['messages.user_id']).toBe((before['messages.user_id'] ?? 0) + (had['messages.user_id'] ?? 0) + 1)
  expect(await server.database.db.selectFrom('ledger').selectAll().where('order_id', '=', orderId).execute()).toEqual(
    ledger,
  )

  const as = { token: bound.token }
  expect((await server.call('pay', 'getInfo', { orderId }, as)).body.data).toMatchObject({ status: 'PAID' })
  expect((await me(bound.token)).realName).toMatchObject({
    status: 'PASSED',
    nameMasked: '欧***',
    idNoMasked: '1101**********002X',
  })
  const said = (await server.call('user', 'feedbackList', {}, as)).body.data.list
  expect(said[0]).toMatchObject({ contact: '微信 yuexia' })
  expect((await server.call('user', 'get', {}, { token: guest.token })).status).toBe(401)
  expect((await web('eve')).body.data.userId).toBe(owner.userId)
  const events = await server.database.db
    .selectFrom('order_events')
    .selectAll()
    .where('order_id', '=', orderId)
    .execute()
  expect(JSON.stringify(events)).not.toContain(guest.userId)
})

test('pictures uploaded before the merge still belong to the user', async () => {
  const guest = (await web('finn')).body.data
  const { db } = server.database
  const key = `u/${guest.userId}/20260101/00000000-0000-4000-8000-000000000001`
  const row = { bytes: 1, type: 'image/jpeg', created_at: 1 } as const
  await db
    .insertInto('uploads')
    .values({ key, user_id: guest.userId, ...row })
    .execute()
  const other = await server.login(newMobile())
  const bound = (await bindByCode(guest.token, newMobile())).body.data
  const joined = (await quick('finn', mobiles > 0 ? String(mobiles - 1) : '')).body.data
  expect(joined.userId).toBe(bound.userId)
  const say = (token: string) =>
    server.call('user', 'submitFeedback', { type: 4, content: '这里有一张图片请看一下', images: [key] }, { token })
  expect((await say(other.token)).status).toBe(400)
  expect((await say(joined.token)).body.success).toBe(true)
})

test('after a merge a user has no more coupons of a template than the limit', async () => {
  const mobile = newMobile()
  let { token } = await server.login(mobile)
  const take = (as: string) => server.call('coupon', 'receive', { templateId: 'manual-3' }, { token: as })
  const coupons = async (status: 'UNUSED' | 'LOCKED' | 'EXPIRED') =>
    (await server.call('coupon', 'getByStatus', { status }, { token })).body.data.list.filter(
      ({ name }) => name === '人工估价满减券',
    ).length
  const join = async (who: string, before: (login: { token: string; userId: string }) => Promise<unknown>) => {
    const guest = (await web(who)).body.data
    await before(guest)
    ;({ token } = (await bindByCode(guest.token, mobile)).body.data)
  }
  await take(token)
  await join('kim', (guest) => take(guest.token))
  expect([await coupons('UNUSED'), await coupons('EXPIRED')]).toEqual([1, 1])
  const { list } = (await server.call('user', 'messages', {}, { token })).body.data
  expect(list.find(({ title }) => title === '账号已合并')?.summary).toContain('超过每人限领数量')
  // one that is locked by an order stays locked, and is not returned above the limit
  const orders: string[] = []
  for (const who of ['lou', 'max'])
    await join(who, async (guest) => {
      await server.database.db
        .insertInto('real_names')
        .values({ user_id: guest.userId, status: 'PASSED', tries_on: '', tries: 1, adult_at: 0, updated_at: 0 })
        .execute()
      const { couponId } = (await take(guest.token)).body.data
      const as = { token: guest.token }
      const { orderId } = (await server.call('evaluation', 'submitManual', manualRequest(config, 3), as)).body.data
      await server.call('pay', 'payment', { orderId, payType: 'ALI_WAP', consent: true, couponId }, as)
      orders.push(orderId)
    })
  expect([await coupons('UNUSED'), await coupons('LOCKED')]).toEqual([0, 2])
  // not even by a refund that we caused, which extends a coupon
  const now = server.clock.now()
  for (const orderId of orders)
    await server.database.db.transaction().execute((tx) => release(tx, { orderId, now, ourFault: true }))
  expect([await coupons('UNUSED'), await coupons('LOCKED')]).toEqual([1, 0])
})

test('concurrent merges are executed once', async () => {
  const mobile = newMobile()
  const owner = await server.login(mobile)
  const guest = (await web('gina')).body.data
  await richAccount(guest)
  const had = await rowsOf(guest.userId)
  const answers = await Promise.all(Array.from({ length: 5 }, () => quick('gina', mobile)))
  expect(answers.map(({ body }) => body.data?.userId)).toEqual(Array.from({ length: 5 }, () => owner.userId))
  expect(await rowsOf(guest.userId)).toEqual({})
  const after = await rowsOf(owner.userId)
  expect(after['orders.user_id']).toBe(had['orders.user_id'])
  const box = (await server.call('user', 'messages', {}, { token: answers[0]?.body.data.token ?? '' })).body.data
  expect(box.list.filter(({ title }) => title === '账号已合并')).toHaveLength(1)
})

test('two accounts with numbers are never merged: the verified number decides', async () => {
  const [mine, other] = [newMobile(), newMobile()]
  const first = (await quick('hans', mine)).body.data
  const second = await server.login(other)
  expect((await quick('hans', other)).body.data.userId).toBe(second.userId)
  expect(await server.login(mine)).toMatchObject({ userId: first.userId, newUser: false })
  // a request to bind in a session that already has a number is an ordinary login
  expect((await bindByCode(second.token, newMobile())).body.data.userId).not.toBe(second.userId)
  expect(await me(second.token)).toMatchObject({ mobileMasked: `137****${other.slice(-4)}` })
})

test('a payment in WeChat’s browser uses the payer of the login; binding links the WeChat to a phone account', async () => {
  const user = await server.login(newMobile())
  const as = { token: user.token, headers: { 'user-agent': 'Mozilla/5.0 MicroMessenger/8.0' } }
  await server.call('user', 'realNameAuth', { ...REAL, idNo: '120223198902021249' }, as)
  const answer = (await web('ida', { bind: true }, user.token)).body.data
  expect(answer).toMatchObject({ userId: user.userId, openid: 'sandbox-web-ida', newUser: false })
  const { orderId } = (await server.call('evaluation', 'submitManual', manualRequest(config, 2), as)).body.data
  const started = await server.call('pay', 'payment', { orderId, payType: 'WX_JSAPI', consent: true }, as)
  expect(started.body.success).toBe(true)
  const { openid } = await server.database.db
    .selectFrom('payments')
    .select('openid')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  expect(openid).toBe('sandbox-web-ida')
  expect((await web('ida')).body.data.userId).toBe(user.userId)
})

test('a deleted account is not found by WeChat login either', async () => {
  const mobile = newMobile()
  const user = (await quick('jack', mobile)).body.data
  server.clock.advance(60_000)
  await server.call('user', 'sendSmsCode', { scene: 5 }, { token: user.token })
  await server.call('user', 'loginOff', { code: server.sms.newestCode(mobile) ?? '' }, { token: user.token })
  server.clock.advance(15 * DAY)
  await server.lifecycle.jobRunner?.runAll()
  const { rows } = await sql`select * from wechat_logins where openid like '%jack'`.execute(server.database.db)
  expect(rows).toEqual([])
  expect((await web('jack')).body.data).toMatchObject({ newUser: true })
})

describe('authorisation in WeChat’s browser', () => {
  const get = (url: string) => server.app.inject({ url, headers: { host: 'gz.test', accept: 'text/html' } })
  const STATE = 'abcdefghijklmnop0123'

  test('redirects to WeChat and back to the login page with the given state', async () => {
    const door = await get(`/wechat/login?state=${STATE}`)
    expect(door.statusCode).toBe(302)
    const back = new URL(String(door.headers.location))
    expect(back.origin + back.pathname).toBe('http://gz.test/pagesA/pages/login/h5/index')
    expect(back.searchParams.get('state')).toBe(STATE)
    const login = await server.call('user', 'socialLogin', {
      type: socialTypes.WECHAT_WEB,
      code: back.searchParams.get('code') ?? '',
      state: STATE,
    })
    expect(login.body.success).toBe(true)
  })

  test('needs a well-formed state', async () => {
    expect((await get('/wechat/login')).statusCode).toBe(404)
    expect((await get('/wechat/login?state=<script>alert(1)</script>')).statusCode).toBe(404)
  })
})

test('a network may send 60 requests in ten minutes from all its addresses; others are not affected', async () => {
  const all = { v4: '203.0.113.9', v6: '2001:db8:1:2:3:4:5:6' }
  expect(networkOf(all.v4)).toBe('203.0.113.9')
  expect(networkOf(`::ffff:${all.v4}`)).toBe('203.0.113.9')
  expect(networkOf(all.v6)).toBe(networkOf('2001:db8:1:2::1'))
  expect(networkOf(all.v6)).not.toBe(networkOf('2001:db8:1:3::1'))
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  const answers = []
  for (let i = 0; i < 61; i += 1)
    answers.push((await server.call('user', 'queryWeixinMiniAppBind', { loginCode: fresh('kim') })).body.code)
  expect(answers.filter((code) => code === 'OK')).toHaveLength(60)
  expect(answers.at(-1)).toBe('REQUEST_TOO_BUSY_PLEASE_WAIT')
  server.clock.advance(10 * 60_000)
  expect((await web('kim')).body.success).toBe(true)
})
