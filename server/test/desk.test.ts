/** @group postgres */
import { verify } from '@node-rs/argon2'
import { type Kysely, sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { estimate } from '@/contract/format'
import { bindingItemText, keysOf, type ManualLevel } from '@/contract/labels'
import type { AppraisalDetails } from '@/contract/types'
import type { DB } from '../db/tables'
import { createModelRepository } from '../domains/models/repository'
import { commitBlindEstimate, saveDraft } from '../domains/orders/blind-estimates'
import { MAX_UNFINISHED } from '../domains/orders/workload'
import { addStaff, type DeskRole, sandboxLogins, seedSandboxLogins } from '../domains/staff/accounts'
import { countAttempt } from '../domains/users/password-attempts'
import { confirmationIn, deliveryFields } from './appraisal'
import { deliver as deliverAt } from './desk-session'
import { createTestDatabase, setupServer, startServer } from './harness'
import { multipartForm } from './multipart'
import { adult, advance, configOf, manualRequest, paid } from './orders'
import { commented, impostors, jpeg, jpegOf } from './pictures'
import { readWhole, statementsOf } from './plans'
import { startProcess } from './process'

const HOUR = 3_600_000
const PASSWORD = 'desk-pass-2026'
const EVIL = '"><script>alert(1)</script><img src=x onerror=alert(2)>'
const INERT = '&#60;script&#62;alert(1)'

let config: FormConfig
let numbers = 0
const db = () => server.database.db
const server = setupServer({ games: ['naraka'], env: { DEMO_APPRAISER: '0' } })
beforeAll(async () => {
  config = await configOf(server, 'naraka')
  // ten in the morning in China, within working hours
  const DAY = 24 * HOUR
  server.clock.advance(Math.ceil(server.clock.now() / DAY) * DAY + 2 * HOUR - server.clock.now())
})

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

interface Sent {
  cookie?: string
  origin?: string
}
const get = (url: string, cookie = '') => server.app.inject({ method: 'GET', url, headers: { cookie } })
const post = (url: string, fields: Record<string, string>, { cookie = '', origin }: Sent = {}) =>
  server.app.inject({
    method: 'POST',
    url,
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', ...(origin && { origin }) },
    payload: new URLSearchParams(fields).toString(),
  })
const cookieOf = (answer: { headers: Record<string, unknown> }) =>
  String(answer.headers['set-cookie']).split(';')[0] ?? ''
const csrfIn = (body: string) => /name="csrf" value="(\w+)"/.exec(body)?.[1] ?? ''

/** A member of the staff who has replaced the one-time password. */
async function atDesk(role: DeskRole, nick = '小林') {
  const name = `staff${++numbers}`
  const now = server.clock.now()
  const { staffId, password } = await db()
    .transaction()
    .execute((tx) => addStaff(tx, { name, role, nick, years: 4 }, now))
  const first = cookieOf(await post('/desk/login', { name, password }))
  const csrf = csrfIn((await get('/desk/password', first)).body)
  const changed = await post(
    '/desk/password',
    { csrf, old: password, password: PASSWORD, again: PASSWORD },
    { cookie: first },
  )
  expect(changed.headers.location).toBe('/desk?done=password')
  const send = (url: string, fields: Record<string, string> = {}) => post(url, { csrf, ...fields }, { cookie: first })
  const see = (url: string) => get(url, first)
  const deliver = (url: string, fields: Record<string, string>) => deliverAt({ see, send }, url, fields)
  return { name, staffId, cookie: first, csrf, send, see, deliver }
}

async function paidOrder(extra: { remark?: string; nickname?: string; level?: ManualLevel } = {}) {
  // beyond the codes of a day
  await db().deleteFrom('sms_codes').execute()
  const user = await adult(server, `1370000${String(++numbers).padStart(4, '0')}`)
  const { nickname, ...request } = extra
  if (nickname) await db().updateTable('users').set({ nickname }).where('id', '=', user.userId).execute()
  const { body } = await server.call(
    'evaluation',
    'submitManual',
    { ...manualRequest(config), ...request },
    { token: user.token },
  )
  const { orderId } = body.data
  await server.call('pay', 'payment', { orderId, payType: 'ALI_WAP', couponId: '' }, { token: user.token })
  expect((await paid(server, orderId)).statusCode).toBe(200)
  return { ...user, orderId }
}
const statusOf = async (id: string) =>
  (await db().selectFrom('orders').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status
const logOf = async (orderId: string) =>
  (
    await db()
      .selectFrom('desk_log')
      .select(['action', 'staff_id', 'note', 'at'])
      .where('order_id', '=', orderId)
      .orderBy('id')
      .execute()
  ).map(({ action, staff_id, note }) => [action, staff_id, note])

test('the desk needs a login; forged, expired and signed-out cookies open nothing', async () => {
  for (const url of ['/desk', '/desk/today', '/desk/orders/x', '/desk/staff'])
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

test('failed logins by strangers lock a name only on devices its owner never used', async () => {
  const names = await Promise.all([atDesk('APPRAISER'), atDesk('APPRAISER')])
  const [{ name }, other] = names as [(typeof names)[0], (typeof names)[1]]
  const logIn = (password: string, known = '', remoteAddress = '198.51.100.1', as = name) =>
    server.app.inject({
      ...{ method: 'POST', url: '/desk/login', remoteAddress },
      ...{ payload: new URLSearchParams({ name: as, password }).toString() },
      headers: { cookie: known, 'content-type': 'application/x-www-form-urlencoded' },
    })
  const knownIn = ({ headers }: Awaited<ReturnType<typeof logIn>>) =>
    [headers['set-cookie']].flat().map((one) => /^desk-known=[^;]+/.exec(String(one))?.[0])
  const known = knownIn(await logIn(PASSWORD)).find(Boolean) ?? ''
  expect(known).not.toContain(name)
  for (let i = 0; i < 100; i++) await countAttempt(db(), `desk:${name}`, 100, server.clock.now())
  const isIn = async (...login: Parameters<typeof logIn>) => (await logIn(...login)).headers.location === '/desk'
  expect(await isIn(PASSWORD)).toBe(false)
  expect(await isIn(PASSWORD, known)).toBe(true)
  // forged, or another member's
  expect(await isIn(PASSWORD, `${known.slice(0, -4)}AAAA`)).toBe(false)
  expect(await isIn(PASSWORD, knownIn(await logIn(PASSWORD, '', '192.0.2.9', other.name)).find(Boolean))).toBe(false)
  // five attempts per trusted device, whatever the encoding of its cookie
  for (let i = 0; i < 5; i++) expect((await logIn('wrong-pass-1', known)).body).toContain('登录名或密码不正确')
  for (const note of [known, `${known}=`]) expect((await logIn(PASSWORD, note)).body).toContain('密码错误次数过多')
  server.clock.advance(HOUR / 4)
  // the addresses of an IPv6 /64 count as one network
  const home = (i: number) => `2001:db8:1:2::${i}`
  for (let i = 0; i < 5; i++) await logIn('wrong-pass-1', '', home(i), other.name)
  expect(await isIn(PASSWORD, '', home(9), other.name)).toBe(false)
  expect(await isIn(PASSWORD, '', '2001:db8:1:3::1', other.name)).toBe(true)
})

test('the cookie is limited to the desk and hidden from scripts; passwords are argon2id, the first one must be changed', async () => {
  const name = `staff${++numbers}`
  const { password } = await db()
    .transaction()
    .execute((tx) => addStaff(tx, { name, role: 'APPRAISER' }, server.clock.now()))
  const login = await post('/desk/login', { name: name.toUpperCase(), password })
  expect(String(login.headers['set-cookie'])).toMatch(
    /^desk=[^,]*; Path=\/desk; Max-Age=43200; HttpOnly; SameSite=Strict,/,
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

test('of two appraisers who take one order one gets it; the other sees a message and no longer the order', async () => {
  const [a, b] = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER', '乙')]
  const { orderId } = await paidOrder()
  const answers = await Promise.all([a, b].map((s) => s.send(`/desk/orders/${orderId}/take`)))
  const won = answers.findIndex((x) => x.statusCode === 303)
  const [winner, loser] = won === 0 ? [a, b] : [b, a]
  expect(answers.filter((x) => x.statusCode === 303)).toHaveLength(1)
  expect(answers[1 - won]?.statusCode).toBeGreaterThanOrEqual(400)
  expect(await logOf(orderId)).toEqual([['TAKE', winner.staffId, '']])
  expect((await loser.see(`/desk/orders/${orderId}`)).statusCode).toBe(404)
  const stolen = await loser.send(`/desk/orders/${orderId}/deliver`, { price: '2580', comment: '' })
  expect(stolen.statusCode).toBe(404)
  expect((await loser.see('/desk')).body).not.toContain(orderId)
  expect((await winner.see('/desk')).body).toContain(orderId)
})

test('an appraiser holds no more unfinished orders than can be delivered in time, also by takes at the same moment', async () => {
  const [appraiser, admin] = [await atDesk('APPRAISER', '甲'), await atDesk('ADMIN')]
  const made = []
  for (let n = 0; n < MAX_UNFINISHED + 3; n += 1) made.push(`/desk/orders/${(await paidOrder()).orderId}`)
  const take = (url: string) => appraiser.send(`${url}/take`)
  const [first = '', second = '', ...others] = made
  await take(first)
  await take(second)
  expect((await appraiser.see(others[0] ?? '')).body).toContain(`您手上有 2 单没有完成，最多同时 ${MAX_UNFINISHED} 单`)
  const answers = await Promise.all(others.map(take))
  const refused = answers.flatMap(({ statusCode }, n) => (statusCode === 303 ? [] : [n]))
  expect(refused).toHaveLength(made.length - MAX_UNFINISHED)
  const full = `您手上有 ${MAX_UNFINISHED} 单没有完成（最多同时 ${MAX_UNFINISHED} 单），请先交付再接单`
  for (const n of refused) expect(answers[n]?.body).toContain(full)
  const [left = '', given = ''] = refused.map((n) => others[n] ?? '')
  const page = (await appraiser.see(left)).body
  expect([page.includes(full), page.includes('>接单</button>')]).toEqual([true, false])

  // one that an admin gives them is theirs, whatever else they hold
  await admin.send(`${given}/take`)
  await admin.send(`${given}/assign`, { to: appraiser.staffId })
  expect((await appraiser.send(`${given}/first`, { first: '2580' })).statusCode).toBe(303)
  // delivered orders no longer count, nor those that wait for their owner
  await appraiser.deliver(first, { price: '2580', comment: '按近期成交，仓库齐全' })
  expect((await take(left)).statusCode).toBe(409)
  await appraiser.send(`${second}/ask`, { wanted: '请补充仓库截图' })
  expect((await take(left)).statusCode).toBe(303)
})

test('while the first model is trained the page opens, and what was typed to be delivered stays', async () => {
  const { send, see, deliver } = await atDesk('APPRAISER')
  const { orderId } = await paidOrder()
  const url = `/desk/orders/${orderId}`
  expect((await send(`${url}/take`)).statusCode).toBe(303)
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not started')
  const { models } = deps
  await db().updateTable('models').set({ active: false }).execute()
  deps.models = createModelRepository(db(), () => new Promise(() => undefined), 20)
  expect((await see(url)).body).toContain('模型正在准备')
  const refused = await deliver(url, { price: '2580', comment: '按近期成交估价，等待模型' })
  expect(refused.body).toContain('该游戏的估价模型正在准备')
  expect(refused.body).toContain('按近期成交')
  expect(await statusOf(orderId)).toBe('ASSIGNED')
  await db().updateTable('models').set({ active: true }).execute()
  deps.models = models
  expect((await deliver(url, { price: '2580', comment: '按近期成交估价，等待模型' })).statusCode).not.toBe(503)
})

test('taken, asked, supplied, delivered, revised: each through the orders’ own rules, each in the log', async () => {
  const { staffId, send, see, deliver } = await atDesk('APPRAISER')
  const { orderId, token, userId } = await paidOrder()
  const url = `/desk/orders/${orderId}`
  await send(`${url}/take`)
  expect((await send(`${url}/ask`, { wanted: ' ' })).body).toContain('请写明需要补充的资料')
  for (const [wanted, refusal] of [
    ['请加我微信，私下说', '不能留联系方式'],
    ['请补充登录密码、短信验证码', '不能向用户索要密码、验证码或保证金'],
  ] as const)
    expect((await send(`${url}/ask`, { wanted })).body).toContain(refusal)
  await send(`${url}/ask`, { wanted: '请补一张仓库截图' })
  expect(await statusOf(orderId)).toBe('WAIT_INFO')
  await server.call(
    'evaluation',
    'submitManual',
    { ...manualRequest(config), orderId, remark: '已补充仓库说明' },
    { token },
  )
  // computes the market
  await server.lifecycle.jobRunner?.runAll()
  const page = (await see(url)).body
  for (const words of ['已补充仓库说明', 'AI 看了哪些', '可比账号', '逐项对照', '先写下您的首次估价'])
    expect(page).toContain(words)
  expect(page).toMatch(/近一年行情<\/h2><p>\d{4}-\d\d \d+，.* 100<\/p>/)
  for (const words of ['AI 估价', '交付报告']) expect(page).not.toContain(words)
  expect((await send(`${url}/deliver`, { price: '2580' })).statusCode).toBe(409)
  expect((await send(`${url}/first`, { first: '贵' })).body).toContain('请填写您的首次估价')
  // a slip of the keys is asked about, measured by the sales on the page and not by the hidden price
  for (const [typed, words] of [
    ['9,999,999', '是可比账号最高价'],
    ['0.5', '不到可比账号最低价'],
  ] as const) {
    const warned = await send(`${url}/first`, { first: typed })
    expect([warned.statusCode, warned.body.includes(words)]).toEqual([400, true])
    expect(warned.body).toContain(`name="first" inputmode="decimal" autocomplete="off" value="${typed}"`)
    expect(warned.body).toContain(`name="sure" value="${typed}"`)
    expect(warned.body).not.toContain('AI 估价')
  }
  expect((await send(`${url}/first`, { first: '9999998', sure: '9,999,999' })).statusCode).toBe(400)
  await send(`${url}/first`, { first: '2,500' })
  expect((await send(`${url}/first`, { first: '2600' })).statusCode).toBe(409)
  const afterwards = (await see(url)).body
  for (const words of ['AI 估价', '交付报告', '您的首次估价 ¥2,500']) expect(afterwards).toContain(words)
  // neither the price nor the range that the page shows now was anywhere on it before
  const shown = /AI 估价<\/h2><p class="price">(¥[\d,.]+)<\/p>\s*<p>区间 (¥[\d,.]+) – (¥[\d,.]+)，/.exec(afterwards)
  expect(shown).not.toBeNull()
  for (const amount of shown?.slice(1) ?? []) expect(page).not.toContain(amount)

  // a price far from the model's needs a reason; the input is kept
  const bad = await deliver(url, { price: '1', comment: '低' })
  expect(bad.statusCode).toBe(400)
  expect(bad.body).toContain('相差超过 20%')
  expect(bad.body).toContain('value="1"')
  expect((await send(`${url}/deliver`, { price: 'abc' })).body).toContain('请填写价格（元）')
  expect(await statusOf(orderId)).toBe('ASSIGNED')
  const comment = '按近期成交，仓库齐全，没有风险'
  const tries = [
    [{ comment: '加我微信 wx_abc12345 或打 13900001111，我个人收' }, '估价说明不能留联系方式（微信、QQ、电话）'],
    [{ 'note-0-why': '加 QQ 123456789 私下聊' }, '”不能留联系方式（微信、QQ、电话）'],
    [{ low: '' }, '请填写区间最低（元）'],
    [{ low: '2600' }, '价格应为：区间最低'],
    [{ 'note-0-verdict': 'HIGHER', 'note-0-why': '' }, '与模型不同，请写明理由'],
    [
      { 'note-0-verdict': '', 'note-1-verdict': '', 'note-2-verdict': '', 'note-3-verdict': '', 'note-4-verdict': '' },
      '项明细表态',
    ],
    [{ 'like-0-verdict': 'STRUCK', 'like-0-why': '' }, '取舍可比账号请写明理由'],
    [{ 'advice-0-how': '快卖', 'advice-1-how': '' }, '出售建议请写明渠道和做法'],
    [{ comment: '按近期成交' }, '请填写估价说明（至少 10 字）'],
    [{ 'check-0': '' }, '请先完成核对清单'],
  ] as const
  for (const [given, words] of tries) {
    const answer = await deliver(url, { price: '2580', comment, ...given })
    expect([answer.statusCode, answer.body.includes(words) || words]).toEqual([400, true])
  }
  // input is saved as a draft until it is delivered
  const draft = { price: '2570', comment: '草稿里的话' }
  expect((await send(`${url}/draft`, draft)).headers.location).toBe(`${url}?done=drafted`)
  expect((await see(url)).body).toContain('草稿里的话')
  const range = { low: '2400', high: '2,750' }
  const delivered = await deliver(url, { price: '2,580.50', ...range, comment })
  expect(delivered.headers.location).toBe(`${url}?done=delivered`)
  expect(
    await db().selectFrom('appraisal_drafts').select(['blind_fen', 'draft']).where('order_id', '=', orderId).execute(),
  ).toEqual([{ blind_fen: 250_000, draft: {} }])
  const first = await server.call('evaluation', 'reportGet', { orderId }, { token })
  expect(first.body.data).toMatchObject({
    version: 1,
    price: { predictFen: 258_050, lowFen: 240_000, highFen: 275_000 },
    appraiser: { name: '小林', years: 4, comment, delivered: 1, sales: 0 },
  })
  // nobody has sent a picture: the page and the report say so
  expect(page).toContain('用户没有传截图')
  expect(first.body.data.pictures).toBe(0)
  // from the model's price to the appraiser's, to the fen
  const { aiFen = 0, lines = [], restFen = 0, people } = first.body.data.reconciliation ?? {}
  expect([aiFen, people]).toEqual([first.body.data.ai?.price.predictFen, 1])
  expect(aiFen + lines.reduce((sum, { amountFen }) => sum + amountFen, 0) + restFen).toBe(258_050)
  // the rank is that of the appraiser's price among the sales
  const { model } = (await server.lifecycle.deps?.models.active(config)) ?? {}
  const rank = Math.round(100 * (first.body.data.percentile ?? 0))
  const [below = 0, above = 0] = model?.percentiles.slice(rank - 1, rank + 1).map(Math.exp) ?? []
  expect([below < 258_050, above >= 258_050]).toEqual([true, true])
  // it contains the model's full report
  expect(first.body.data.ai?.breakdown.length).toBeGreaterThanOrEqual(5)
  expect(first.body.data.appraiser?.work?.notes.length).toBeGreaterThanOrEqual(5)
  expect((await send(`${url}/deliver`, { price: '2580' })).statusCode).toBe(409)

  const again = { ...manualRequest(config), orderId, remark: '新入了两件限定，漏算了' }
  const why = async (more: object) =>
    (await server.call('evaluation', 'submitManual', { ...again, ...more }, { token })).body
  expect(JSON.stringify((await why({})).data)).toContain('请选择复估的原因')
  expect(JSON.stringify((await why({ reasons: ['OTHER'], remark: ' ' })).data)).toContain('请写明复估的原因')
  expect((await why({ reasons: ['TOO_LOW', 'MISSED'] })).code).toBe('OK')
  const asked = (await see(url)).body
  for (const words of ['价格偏低、漏算了物品或资料', '新入了两件限定，漏算了', '这一版改了什么'])
    expect(asked).toContain(words)
  // said once, not again as the owner's remark
  expect(asked.split('新入了两件限定，漏算了')).toHaveLength(2)
  // the form begins with the version before, without its ticks
  const sent = deliveryFields(asked, 2580)
  for (const [name, value] of Object.entries({
    ...{ price: '2580.50', low: '2400', high: '2750', 'advice-0-channel': sent['advice-0-channel'] },
    ...{ 'note-0-why': sent['note-0-why'], 'like-0-why': sent['like-0-why'] },
  }))
    expect(asked).toMatch(new RegExp(`name="${name}"[^>]* value="${value}"`))
  expect(asked).toContain(comment)
  expect(asked).toContain('核对清单需要重新勾选')
  expect(asked).not.toContain('checked')
  const revised = { price: '2600', comment: '复估：行情略升，其余与上一版一致' }
  expect((await deliver(url, revised)).body).toContain('请写明这一版改了什么')
  const misspelled = await deliver(url, { ...revised, changed: '按截图补计联动·古墓丽形，其余与上一版一致' })
  expect([misspelled.statusCode, await statusOf(orderId)]).toEqual([400, 'REVALUING'])
  expect(misspelled.body).toContain('“联动·古墓丽形”是不是“联动·古墓丽影”？')
  await deliver(url, { ...revised, changed: '按截图补计两件限定，其余与上一版一致' })
  const second = await server.call('evaluation', 'reportGet', { orderId }, { token })
  expect(second.body.data).toMatchObject({
    version: 2,
    price: { predictFen: 260_000, lowFen: 234_000 },
    revised: {
      reasons: ['TOO_LOW', 'MISSED'],
      text: '新入了两件限定，漏算了',
      answer: '按截图补计两件限定，其余与上一版一致',
      beforeFen: 258_050,
    },
  })
  expect(await logOf(orderId)).toEqual([
    ['TAKE', staffId, ''],
    ['ASK', staffId, ''],
    ['FIRST', staffId, ''],
    ['DELIVER', staffId, 'v1 ¥2,580.50'],
    ['REVISE', staffId, 'v2 ¥2,600'],
  ])
  const told = await db().selectFrom('messages').select(['title', 'link']).where('user_id', '=', userId).execute()
  expect(told.map((m) => m.title)).toEqual(expect.arrayContaining(['待补充资料', '报告已出', '复估报告已出']))
  // to the order, where it is supplied
  expect(told.find(({ title }) => title === '待补充资料')?.link).toContain(`orderId=${orderId}`)
})

test('a professional order is delivered with a reason for every verdict, a selling plan and answers to buyers', async () => {
  const { send, see, deliver } = await atDesk('APPRAISER')
  const { orderId, token } = await paidOrder({ level: 'ADV' })
  const url = `/desk/orders/${orderId}`
  await send(`${url}/take`)
  const full = { price: '1000', comment: '按近期成交，仓库齐全，没有风险' }
  const planIssue = '降价计划至少 3 步'
  const tries = [
    [{ 'note-0-why': '' }, '请写明理由'],
    [{ 'like-0-why': '' }, '取舍可比账号请写明理由'],
    [{ 'plan-2-day': '', 'plan-2-price': '' }, planIssue],
    [{ 'plan-2-price': '1030' }, planIssue],
    [{ 'plan-floor': '960' }, '底价应在'],
    [{ 'bargain-1-says': '', 'bargain-1-how': '' }, '请写至少 2 种买家压价怎么回'],
  ] as const
  for (const [given, words] of tries) {
    const answer = await deliver(url, { ...full, ...given })
    expect([given, answer.statusCode, answer.body.includes(words)]).toEqual([given, 400, true])
  }
  // what is valid and yet probably a mistake is asked about, once for each mistake
  const typed = { ...deliveryFields((await see(url)).body, 1000), ...full, 'advice-1-channel': '号商回收' }
  const warned = await send(`${url}/deliver`, typed)
  expect([warned.statusCode, warned.body.includes('明细更正合计 ¥0')]).toEqual([400, true])
  const sure = confirmationIn(warned.body) ?? ''
  const low = { ...typed, 'advice-0-how': '先挂 {挂牌价}，急用钱可以 900 元卖' }
  const other = await send(`${url}/deliver`, { ...low, sure })
  expect([other.statusCode, other.body.includes('低于底价 ¥950')]).toEqual([400, true])
  expect(await statusOf(orderId)).toBe('ASSIGNED')
  const made = await send(`${url}/deliver`, { ...typed, sure: sure.replaceAll('\n', '\r\n') })
  expect(made.headers.location).toBe(`${url}?done=delivered`)
  const { data } = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body
  expect(data.appraiser?.work).toMatchObject({
    plan: [
      { day: 1, fen: 105_000 },
      { day: 4, fen: 102_000 },
      { day: 7, fen: 100_000 },
    ],
    floorFen: 95_000,
    // what is left after the fee
    advice: [{ feeBp: 600, netFen: 94_000, lessFen: 1_000 }, { feeBp: 0, netFen: 95_000, soldFen: 95_000 }, {}, {}],
  })
  expect(data.appraiser?.work?.advice.slice(2)).toEqual([
    { channel: '买家压价：有防沉迷', how: '报价里已经扣过，不再让' },
    { channel: '买家压价：同类更便宜', how: '那些账号少一款典藏，最多让到 ¥950' },
  ])
})

test('an order that nobody has priced goes to a colleague at the desk before its time limit, once, and its owner is notified', async () => {
  const [away, here] = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER', '乙')]
  const { orderId, userId } = await paidOrder()
  await away.send(`/desk/orders/${orderId}/take`)
  const order = () =>
    db().selectFrom('orders').select(['appraiser_id', 'due_at']).where('id', '=', orderId).executeTakeFirstOrThrow()
  const { due_at } = await order()
  server.clock.advance((due_at ?? 0) - 40 * 60_000 - server.clock.now())
  await server.lifecycle.jobRunner?.runAll()
  expect((await order()).appraiser_id).toBe(away.staffId)
  // now an appraiser is present
  await here.see('/desk')
  await server.lifecycle.jobRunner?.runAll()
  expect((await order()).appraiser_id).toBe(here.staffId)
  await away.see('/desk')
  await server.lifecycle.jobRunner?.runAll()
  expect((await order()).appraiser_id).toBe(here.staffId)
  const told = await db().selectFrom('messages').select('summary').where('user_id', '=', userId).execute()
  expect(told.filter(({ summary }) => summary.includes('改由 乙 估价'))).toHaveLength(1)
})

test('questions on a report go to those who valued it, for seven days, and are answered on the order’s page', async () => {
  const [author, colleague, admin] = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER'), await atDesk('ADMIN')]
  const { orderId, token, userId } = await paidOrder()
  const other = await adult(server, `1370000${String(++numbers).padStart(4, '0')}`)
  const url = `/desk/orders/${orderId}`
  const ask = (content: string, by = token) =>
    server.call('chat', 'send', { clientId: `q${++numbers}`, type: 'TEXT', content, orderId }, { token: by })
  await author.send(`${url}/take`)
  expect((await ask('多久能出？')).body).toMatchObject({
    code: 'ORDER_STATUS_CHANGED',
    msg: '报告出具后 7 天内可以向估价师提问',
  })
  await author.deliver(url, { price: '2580', comment: '按近期成交，仓库齐全，没有风险' })
  const info = async () => (await server.call('pay', 'getInfo', { orderId }, { token })).body.data
  const { reportedAt = 0, ...delivered } = await info()
  expect(delivered).toMatchObject({ appraiser: '甲', askUntil: reportedAt + 7 * 24 * HOUR })
  expect(delivered.actions).toContain('ASK')

  expect((await ask('别人的订单', other.token)).status).toBe(404)
  const sent = await ask('为什么比 AI 高？<b>')
  expect(sent.body.data).toMatchObject({ orderId, from: 'USER' })
  // consultants have no part in it
  const chat = () => db().selectFrom('chats').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow()
  expect((await chat()).waiting_since).toBeNull()
  const queue = (await author.see('/desk')).body
  for (const words of ['用户提问（1）', orderId, '为什么比 AI 高？&#60;b&#62;']) expect(queue).toContain(words)
  expect((await admin.see('/desk')).body).toContain(orderId)
  expect((await colleague.see('/desk')).body).not.toContain(orderId)
  expect((await colleague.send(`${url}/answer`, { text: '抢答', id: 'form-of-another' })).statusCode).toBe(404)

  const invitation = { text: '加我微信 abc12345，先交 200 元保证金', id: 'an-invitation' }
  expect((await author.send(`${url}/answer`, invitation)).body).toContain('不能留联系方式（微信、QQ、电话）')
  const answer = { text: '两件绝版外观近期成交偏高', id: 'the-same-form' }
  await Promise.all([1, 2].map(() => author.send(`${url}/answer`, answer)))
  const { list } = (await server.call('chat', 'messages', {}, { token })).body.data
  expect(list.filter(({ from }) => from === 'STAFF')).toMatchObject([{ text: answer.text, nick: '甲', orderId }])
  expect((await author.see('/desk')).body).not.toContain('用户提问')
  expect((await author.see(url)).body).toContain(answer.text)
  const [told] = await db()
    .selectFrom('messages')
    .select(['title', 'link'])
    .where('user_id', '=', userId)
    .where('title', 'like', '估价师回答%')
    .execute()
  expect(told?.link).toBe(`/pages/chat/index?orderId=${orderId}&ask=1`)
  await ask('谢谢')
  await author.send(`${url}/noanswer`)
  expect((await author.see('/desk')).body).not.toContain('用户提问')

  await db()
    .updateTable('orders')
    .set({ reported_at: server.clock.now() - 7 * 24 * HOUR })
    .where('id', '=', orderId)
    .execute()
  expect((await info()).actions).not.toContain('ASK')
  expect((await ask('还能问吗？')).body).toMatchObject({
    code: 'ORDER_STATUS_CHANGED',
    msg: '报告出具已满 7 天，不能再向估价师提问，可以改问客服',
  })
  expect((await logOf(orderId)).map(([action]) => action)).toEqual([
    'TAKE',
    'FIRST',
    'DELIVER',
    'QUESTION_REPLY',
    'QUESTION_DONE',
  ])
})

test('a question on a report is in the chat of those who work on its order, and of consultants and admins', async () => {
  const [author, colleague] = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER', '乙')]
  const [consultant, admin] = [await atDesk('CONSULTANT'), await atDesk('ADMIN')]
  const { orderId, token, userId } = await paidOrder()
  const url = `/desk/orders/${orderId}`
  await author.send(`${url}/take`)
  await author.deliver(url, { price: '2580', comment: '按近期成交，仓库齐全' })
  const say = (content: string, about = {}) =>
    server.call('chat', 'send', { clientId: `q${++numbers}`, type: 'TEXT', content, ...about }, { token })
  const chat = `/desk/chat/${userId}`
  const seen = async (who: typeof author, text: string) =>
    [(await who.see('/desk/chat')).body, (await who.see(chat)).body].map((body) => body.includes(text))

  await say('私下问估价师的', { orderId })
  expect((await colleague.see('/desk/chat')).body).not.toContain(userId)
  expect((await colleague.see(chat)).statusCode).toBe(404)
  expect((await colleague.send(`${chat}/reply`, { text: '抢答', id: 'form-of-another' })).statusCode).toBe(404)
  for (const who of [author, consultant, admin]) expect(await seen(who, '私下问估价师的')).toEqual([true, true])

  // the cards of the app show the sandbox's while there is no other
  await db().updateTable('staff').set({ active: false }).where('staff_id', '=', consultant.staffId).execute()

  // users ask consultants in the same conversation, which all staff answer
  await say('客服在吗')
  await say('再问估价师', { orderId })
  expect((await colleague.see('/desk/chat')).body).toContain('1 条未读')
  await author.send(`${url}/answer`, { text: '估价师私下答', id: 'answer-in-private' })
  expect(await seen(colleague, '客服在吗')).toEqual([true, true])
  for (const text of ['私下问估价师的', '再问估价师', '估价师私下答'])
    expect([text, ...(await seen(colleague, text))]).toEqual([text, false, false])
  expect(await seen(author, '估价师私下答')).toEqual([true, true])
  expect((await colleague.send(`${chat}/reply`, { text: '在的', id: 'answer-to-all' })).statusCode).toBe(303)

  // nor do they when the revaluation may be delivered by anybody
  const again = { ...manualRequest(config), answers: {}, orderId, reasons: ['TOO_LOW' as const] }
  expect((await server.call('evaluation', 'submitManual', again, { token })).body.code).toBe('OK')
  expect((await colleague.see(url)).statusCode).toBe(200)
  expect(await seen(colleague, '再问估价师')).toEqual([false, false])
})

describe('an expert order', () => {
  const SAID = '：按成交和截图逐项核对'
  const model = async (s: Awaited<ReturnType<typeof atDesk>>, url: string) => {
    // the model's price is hidden until the blind estimate is committed
    expect((await s.see(url)).body).not.toContain('AI 估价')
    await s.send(`${url}/first`, { first: '1000' })
    return Number(
      (/AI 估价<\/h2><p class="price">¥([\d,.]+)/.exec((await s.see(url)).body)?.[1] ?? '').replaceAll(',', ''),
    )
  }

  test('begun before plans and answers to buyers were asked for is delivered with what was promised then, and more', async () => {
    const [a, b] = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER', '乙')]
    const { orderId, token } = await paidOrder({ level: 'PRO' })
    const url = `/desk/orders/${orderId}`
    await a.send(`${url}/take`)
    const fair = await model(a, url)
    await a.deliver(url, { price: String(fair), comment: `甲的看法${SAID}` })
    // as the release before stored it: verdicts without reasons, two channels, no plan
    const { work } = await db()
      .selectFrom('appraisals')
      .select('work')
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow()
    const { plan: _plan, floorFen: _floor, binding: _binding, ...unplanned } = work as AppraisalDetails
    const before = {
      ...unplanned,
      notes: unplanned.notes.map(({ why: _, ...note }) => note),
      comparables: unplanned.comparables.map(({ why: _, ...one }) => one),
      advice: unplanned.advice.slice(0, 2).map(({ channel, how }) => ({ channel, how })),
    }
    await db()
      .updateTable('appraisals')
      .set({ work: JSON.stringify(before) })
      .where('order_id', '=', orderId)
      .execute()
    // a draft of the form before: opened, it has no plan yet, and is completed
    await b.send(`${url}/first`, { first: '1000' })
    const { 'plan-floor': __, ...rest } = deliveryFields((await b.see(url)).body, fair)
    const draft = Object.fromEntries(Object.entries(rest).filter(([name]) => !/^(plan|bargain)-|-why$/.test(name)))
    await b.send(`${url}/draft`, { ...draft, price: String(fair), comment: `乙的看法${SAID}` })
    const opened = (await b.see(url)).body
    expect(opened).toContain(`乙的看法${SAID}`)
    expect(
      (await b.send(`${url}/deliver`, { ...draft, price: String(fair), comment: `乙的看法${SAID}` })).statusCode,
    ).toBe(400)
    const made = await b.deliver(url, { price: String(fair), comment: `乙的看法${SAID}` })
    expect(made.headers.location).toBe(`${url}?done=delivered`)
    const { data } = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body
    expect(data.appraiser?.work).toEqual(before)
    for (const one of [data.appraiser?.work, data.second?.work]) {
      expect(one?.notes.length).toBeGreaterThanOrEqual(8)
      expect(one?.comparables.length).toBeGreaterThanOrEqual(5)
      expect(one?.advice.length).toBeGreaterThanOrEqual(2)
    }
    expect(data.second?.work?.plan).toHaveLength(3)
    // two plans of which one is missing are not combined
    expect(data.joint).toBeUndefined()
  })

  test('has two appraisers: neither sees the other’s price before both are given; their mean is the price', async () => {
    const [a, b, c] = [
      await atDesk('APPRAISER', '甲'),
      await atDesk('APPRAISER', '乙'),
      await atDesk('APPRAISER', '丙'),
    ]
    const { orderId, token } = await paidOrder({ level: 'PRO' })
    const url = `/desk/orders/${orderId}`
    await a.send(`${url}/take`)
    // no report to revise yet
    expect((await b.see(url)).statusCode).toBe(404)
    const fair = await model(a, url)
    const said = await a.deliver(url, { price: String(fair), comment: `甲的看法${SAID}` })
    expect(said.headers.location).toBe(`${url}?done=opined`)
    expect(await statusOf(orderId)).toBe('ASSIGNED')
    expect((await b.see('/desk')).body).toContain(orderId)
    const before = (await b.see(url)).body
    expect(before).toContain('一位同事已估价')
    expect(before).not.toContain('甲的看法')
    expect(before).not.toContain('AI 估价')
    expect((await c.send(`${url}/ask`, { wanted: '再来一张截图' })).statusCode).toBe(409)
    const unjudged = { price: String(fair), comment: `乙的看法${SAID}`, 'bind-MINOR-cost': '' }
    expect((await b.deliver(url, unjudged)).body).toContain('“防沉迷”请写影响多少钱')
    // the halves are whole yuan, which the report shows
    const [cost, gain] = [2 * Math.round(fair / 10), 2 * Math.round(fair / 20)]
    const recovery = {
      ...{ 'bind-RECOVERY-cost': String(cost), 'bind-RECOVERY-gain': String(gain) },
      'bind-RECOVERY-removal': `先花 ${gain} 元导出首充记录，多卖 ${gain} 元`,
    }
    const made = await b.deliver(url, { price: (fair * 1.1).toFixed(2), comment: `乙的看法${SAID}`, ...recovery })
    expect(made.headers.location).toBe(`${url}?done=delivered`)
    const { data } = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body
    const fen = (yuan: number) => Math.round(yuan * 100)
    expect(Math.abs(data.price.predictFen - fen(fair * 1.05))).toBeLessThanOrEqual(100)
    expect(data).toMatchObject({
      level: 'PRO',
      appraiser: { name: '甲', comment: `甲的看法${SAID}`, priceFen: fen(fair) },
      second: { name: '乙', comment: `乙的看法${SAID}`, priceFen: fen(fair * 1.1) },
      // one plan for the mean: the steps of both as shares of their prices
      joint: {
        plan: [{ day: 1, fen: data.price.listFen }, { day: 4 }, { day: 7, fen: data.price.predictFen }],
        differences: [],
      },
    })
    expect(data.joint?.mended).toMatchObject({
      predictFen: data.price.predictFen + fen(gain / 2),
      plan: [{ day: 1 }, { day: 4 }, { day: 7 }],
    })
    // all its prices rise with the price: the last step is the price itself, in whole yuan
    const mended = data.joint?.mended
    expect(Math.abs(Number(mended?.plan[2]?.fen) - Number(mended?.predictFen))).toBeLessThan(100)
    expect(mended?.floorFen).toBeGreaterThanOrEqual(Number(data.joint?.floorFen))
    const { lines = [], restFen = 0, bindingFen = 0, ...reconciled } = data.reconciliation ?? {}
    expect(reconciled).toMatchObject({ aiFen: data.ai?.price.predictFen, people: 2 })
    const total = lines.reduce((sum, { amountFen }) => sum + amountFen, Number(data.ai?.price.predictFen))
    expect(total + bindingFen + restFen).toBe(data.price.predictFen)
    // each of the two gave a range of 20 % of the price: that of the mean is narrower
    const width = (data.price.highFen - data.price.lowFen) / data.price.predictFen
    expect(width).toBeGreaterThan(0.17)
    expect(width).toBeLessThan(0.175)
    // in whole yuan, as the desk writes it
    expect(data.joint?.floorFen).toBeLessThanOrEqual(Number(data.price.quickFen))
    expect(data.joint?.floorFen).toBeGreaterThan(Number(data.price.quickFen) - 100)
    // binding is the task of the one who did not take the order, and no reader but the owner's
    expect(data.binding).toMatchObject({
      by: '乙',
      // 甲 has not deducted the risk of recovery, so that the mean contains half of it
      ...{ costFen: fen(cost), openFen: fen(cost / 2), gainFen: fen(gain / 2) },
      items: keysOf(bindingItemText).map((item) => ({ item })),
    })
    // one action, one gain: that of the report's price, in the text too; what it costs stays
    expect(data.binding?.items.find(({ item }) => item === 'RECOVERY')?.removal).toBe(
      `先花 ${gain} 元导出首充记录，多卖 ${estimate(fen(gain / 2))}`,
    )
    expect(data.joint?.decision).toMatch(/^两份估价相差 10%，取均价；/)
    // a visitor, perhaps the buyer, gets the prices and their reasons, and nothing of how it is to be sold
    const { shareToken } = (await server.call('evaluation', 'reportImageShare', { orderId }, { token })).body.data
    const seen = (await server.call('evaluation', 'reportGet', { shareToken })).body.data
    expect([seen.joint, seen.binding]).toEqual([undefined, undefined])
    for (const one of [seen.appraiser, seen.second]) {
      expect(one?.work?.notes.length).toBeGreaterThanOrEqual(8)
      expect(one?.work).toMatchObject({ advice: [] })
      for (const secret of ['plan', 'floorFen', 'binding']) expect(one?.work).not.toHaveProperty(secret)
    }
    // what both wrote names the amounts of the one plan
    for (const one of [data.appraiser, data.second])
      expect(one?.work?.advice.at(-1)?.how).toBe(`那些账号少一款典藏，最多让到 ${estimate(data.joint?.floorFen)}`)
    expect((await logOf(orderId)).map(([action, who]) => [action, who])).toEqual([
      ['TAKE', a.staffId],
      ['FIRST', a.staffId],
      ['OPINION', a.staffId],
      ['FIRST', b.staffId],
      ['DELIVER', b.staffId],
    ])
    expect((await c.see(url)).statusCode).toBe(404)
    expect((await b.see(url)).body).toContain('复核 乙')
  })

  test('that one of them revalues still names both, with what the other delivered, and both answer questions', async () => {
    // codes are limited per day
    server.clock.advance(24 * HOUR)
    const [a, b] = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER', '乙')]
    const { orderId, token } = await paidOrder({ level: 'PRO' })
    const url = `/desk/orders/${orderId}`
    await a.send(`${url}/take`)
    const fair = Math.round(await model(a, url))
    const [admin, c] = [await atDesk('ADMIN', '主管'), await atDesk('APPRAISER', '丙')]
    const finds = async (reader: typeof a, nick: string) =>
      (await reader.see(`/desk/orders?q=${encodeURIComponent(nick)}`)).body.includes(orderId)
    await a.deliver(url, { price: String(fair), comment: `看法${SAID}` })
    await b.deliver(url, { price: String(fair), comment: `看法${SAID}` })
    // the search is by everybody who valued the order, for those who may see it
    for (const nick of ['甲', '乙'])
      expect([await finds(admin, nick), await finds(a, nick), await finds(b, nick), await finds(c, nick)]).toEqual([
        ...[true, true, true, false],
      ])
    const again = { ...manualRequest(config), orderId, reasons: ['TOO_LOW' as const] }
    expect((await server.call('evaluation', 'submitManual', again, { token })).body.code).toBe('OK')
    const changed = '按截图补计两件限定，其余与上一版一致'
    await b.deliver(url, { price: (fair * 1.1).toFixed(2), comment: `复估${SAID}`, changed })
    const { data } = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body
    expect(data).toMatchObject({
      ...{ version: 2, level: 'PRO', price: { predictFen: Math.round(fair * 110) } },
      appraiser: { name: '乙', comment: `复估${SAID}`, delivered: 1 },
      earlier: [{ name: '甲', comment: `看法${SAID}`, priceFen: fair * 100, delivered: 1 }],
    })
    expect(data.earlier?.[0]?.work?.notes.length).toBeGreaterThanOrEqual(8)
    expect(data.second).toBeUndefined()
    const ask = { clientId: `q${++numbers}`, type: 'TEXT' as const, content: '甲怎么看？', orderId }
    await server.call('chat', 'send', ask, { token })
    for (const s of [a, b]) expect((await s.see('/desk')).body).toContain('甲怎么看？')
  })

  test('with two distant prices is priced by one of them, between the two and with a reason', async () => {
    const [a, b, c] = [
      await atDesk('APPRAISER', '甲'),
      await atDesk('APPRAISER', '乙'),
      await atDesk('APPRAISER', '丙'),
    ]
    const { orderId, token } = await paidOrder({ level: 'PRO' })
    const url = `/desk/orders/${orderId}`
    await a.send(`${url}/take`)
    const fair = Math.round(await model(a, url))
    const comment = '按成交和截图逐项核对'
    await a.deliver(url, { price: String(fair), comment })
    // the first appraiser may still correct it, and remains one of the two
    await a.deliver(url, { price: String(fair + 1), comment })
    const far = await b.deliver(url, { price: String(fair * 2), comment: '绝版外观齐全，近期有人专门求购' })
    expect(far.headers.location).toBe(`${url}?done=apart`)
    expect(await statusOf(orderId)).toBe('ASSIGNED')
    // a third appraiser may settle it, without seeing the two prices
    expect((await c.see(url)).body).not.toContain('绝版外观齐全')
    expect((await c.see(url)).body).toContain('三者居中')
    expect((await a.see(url)).body).toContain('绝版外观齐全')
    const final = (price: number, comment: string) => a.deliver(url, { price: price.toFixed(2), comment })
    expect((await final(fair * 3, '与乙核对后认可外观和行情')).body).toContain('定价应在两位估价师的估价之间')
    // neither imposes a price that is still too far from the other's
    for (const price of [fair + 1, fair * 1.6])
      expect((await final(price, '与乙核对后认可外观和行情')).body).toContain('与另一位仍相差超过 20%')
    expect(await statusOf(orderId)).toBe('ASSIGNED')
    expect((await final(fair * 1.1, '')).body).toContain('请填写估价说明')
    await final(fair * 1.7, '与乙核对后认可外观和行情')
    const { data } = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body
    expect(data).toMatchObject({
      price: { predictFen: Math.round(fair * 170) },
      appraiser: { name: '甲', comment: '与乙核对后认可外观和行情', priceFen: (fair + 1) * 100 },
      second: { name: '乙', priceFen: fair * 200 },
      other: { reason: '估价师说明：与乙核对后认可外观和行情' },
      // who settled it wrote the plan for it
      joint: { plan: [{ day: 1 }, {}, { fen: Math.round(fair * 170) }] },
    })
    expect(Math.abs(Number(data.joint?.plan[0]?.fen) - fair * 1.7 * 105)).toBeLessThanOrEqual(1)
    expect(Math.abs(Number(data.joint?.floorFen) - fair * 1.7 * 95)).toBeLessThanOrEqual(1)
  })

  test('with two distant prices is decided only by a form that showed the other’s price', async () => {
    const [a, b] = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER', '乙')]
    const { orderId } = await paidOrder({ level: 'PRO' })
    const url = `/desk/orders/${orderId}`
    await a.send(`${url}/take`)
    const fair = Math.round(await model(a, url))
    const comment = '按成交和截图逐项核对，差异已写明'
    await a.deliver(url, { price: String(fair), comment })
    const form = async (s: typeof a, price: number) => ({
      ...{ ...deliveryFields((await s.see(url)).body, price), price: String(price), comment },
    })
    const confirmed = async (s: typeof a, fields: Record<string, string>) => {
      const answer = await s.send(`${url}/deliver`, fields)
      const sure = confirmationIn(answer.body)
      return sure === undefined ? answer : s.send(`${url}/deliver`, { ...fields, sure })
    }
    // opened while the other's price was awaited
    const stale = { ...(await form(a, fair)), comment: '改一个错字，其余按成交和截图核对' }
    await b.send(`${url}/first`, { first: String(fair * 2) })
    const twice = await form(b, fair * 2)
    expect((await confirmed(b, twice)).headers.location).toBe(`${url}?done=apart`)
    for (const [who, fields] of [
      [b, twice],
      [a, stale],
    ] as const) {
      const refused = await confirmed(who, fields)
      expect(refused.body).toContain('另一位估价师已交付，两位相差较大，请看过后再定价')
      expect(refused.body).toContain(fields.comment)
    }
    expect(await statusOf(orderId)).toBe('ASSIGNED')
    const stored = db().selectFrom('appraisals').select(['price_fen', 'comment']).where('order_id', '=', orderId)
    expect(await stored.orderBy('price_fen').execute()).toEqual([
      { price_fen: fair * 100, comment },
      { price_fen: fair * 200, comment },
    ])
  })

  test('with two distant prices may be settled by a third: the median is the price', async () => {
    const people = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER', '乙'), await atDesk('APPRAISER', '丙')]
    const [a, b, c] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]]
    const { orderId, token } = await paidOrder({ level: 'PRO' })
    const url = `/desk/orders/${orderId}`
    await a.send(`${url}/take`)
    const fair = Math.round(await model(a, url))
    const comment = '按成交和截图逐项核对，差异已写明'
    await a.deliver(url, { price: String(fair), comment })
    await b.deliver(url, { price: String(fair * 2), comment })
    const why = '近期成交支持乙的一半，取两者之间'
    const made = await c.deliver(url, { price: (fair * 1.4).toFixed(2), comment: why })
    expect(made.headers.location).toBe(`${url}?done=delivered`)
    const { data } = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body
    // the three prices are those of the appraiser whose price it is; the range contains what each estimated
    expect(data).toMatchObject({
      price: {
        predictFen: Math.round(fair * 140),
        quickFen: Math.round(Number((fair * 1.4).toFixed(2)) * 95),
        listFen: Math.round(Number((fair * 1.4).toFixed(2)) * 105),
        lowFen: fair * 100,
        highFen: fair * 200,
      },
      joint: { floorFen: Math.round(Number((fair * 1.4).toFixed(2)) * 95) },
      ...{ appraiser: { name: '甲' }, second: { name: '乙' }, third: { name: '丙' } },
      // of who decided it, not of the first
      other: { reason: `估价师说明：${why}` },
    })
  })

  test('two simultaneous deliveries are both counted and make one report', async () => {
    const [a, b] = [await atDesk('ADMIN', '甲'), await atDesk('ADMIN', '乙')]
    const { orderId } = await paidOrder({ level: 'PRO' })
    const url = `/desk/orders/${orderId}`
    await a.send(`${url}/take`)
    const price = String(await model(a, url))
    const answers = await Promise.all([a, b].map((s) => s.deliver(url, { price, comment: '按成交和截图逐项核对' })))
    expect(answers.map(({ headers }) => String(headers.location).split('=')[1]).sort()).toEqual(['delivered', 'opined'])
    expect(await db().selectFrom('reports').select('version').where('order_id', '=', orderId).execute()).toEqual([
      { version: 1 },
    ])
  })
})

test('an admin decides refunds and gives a reason for a refusal', async () => {
  const [appraiser, admin] = [await atDesk('APPRAISER'), await atDesk('ADMIN')]
  const orders = [await paidOrder(), await paidOrder()]
  for (const { orderId, token } of orders) {
    await appraiser.send(`/desk/orders/${orderId}/take`)
    const request = { orderId, reason: '等太久' as const }
    expect((await server.call('evaluation', 'applyCancel', request, { token })).body.data.status).toBe('REFUNDING')
    // the refund may be refused: the order is valued then, without having seen the model's price
    expect((await appraiser.see(`/desk/orders/${orderId}`)).body).not.toContain('AI 估价')
  }
  const [one, two] = orders.map(({ orderId }) => orderId) as [string, string]
  expect((await admin.see('/desk')).body).toContain('退款审核')
  expect((await appraiser.send(`/desk/orders/${one}/grant`)).statusCode).toBe(409)
  expect(await statusOf(one)).toBe('REFUNDING')
  expect((await admin.send(`/desk/orders/${two}/refuse`, { answer: '不' })).body).toContain('请写明拒绝退款的理由')
  expect((await admin.send(`/desk/orders/${two}/refuse`, { answer: '有事打 139 0000 1111' })).body).toContain(
    '联系方式',
  )
  await admin.send(`/desk/orders/${two}/refuse`, { answer: '报告即将交付，请稍候' })
  expect(await statusOf(two)).toBe('ASSIGNED')
  await admin.send(`/desk/orders/${one}/grant`)
  await server.lifecycle.jobRunner?.runAll()
  expect(await statusOf(one)).toBe('REFUNDED')
  expect((await logOf(one)).map(([action, who]) => [action, who])).toEqual([
    ['TAKE', appraiser.staffId],
    ['REFUND_GRANT', admin.staffId],
  ])
  expect((await logOf(two)).map(([action]) => action)).toEqual(['TAKE', 'REFUND_REFUSE'])
  const today = await admin.see('/desk/today')
  expect(today.body).toMatch(/退款<\/td><td>支付宝<\/td><td class="num">1<\/td><td class="num">-¥/)
})

test('an admin hands an order on, opens a report again and gives money back; an appraiser does not', async () => {
  const [a, b, admin] = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER', '乙'), await atDesk('ADMIN')]
  const { orderId, token, userId } = await paidOrder()
  const url = `/desk/orders/${orderId}`
  await a.send(`${url}/take`)
  expect((await a.send(`${url}/assign`, { to: b.staffId })).statusCode).toBe(409)
  expect((await admin.send(`${url}/assign`, { to: a.staffId })).body).toContain('请选择另一位在岗的估价师')
  await admin.send(`${url}/assign`, { to: b.staffId })
  expect((await a.see(url)).statusCode).toBe(404)
  await b.deliver(url, { price: '2580', comment: '按近期成交估价，逐项核对' })

  expect((await b.send(`${url}/reopen`, { words: '短' })).body).toContain('请写明理由')
  await b.send(`${url}/reopen`, { words: '区服看错，正在更正' })
  expect(await statusOf(orderId)).toBe('REVALUING')
  const changed = '上一版看错了区服，按正确的区服重估'
  await b.deliver(url, { price: '2480', comment: '更正区服后的价格，其余不变', changed })
  const report = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data
  expect(report).toMatchObject({ version: 2, price: { predictFen: 248_000 } })
  // the owner's revaluation is still available
  const { actions } = (await server.call('pay', 'getInfo', { orderId }, { token })).body.data
  expect(actions).toContain('REVALUE')

  const other = await paidOrder()
  const back = `/desk/orders/${other.orderId}`
  await a.send(`${back}/take`)
  expect((await a.send(`${back}/back`, { words: '账号信息无法核实' })).statusCode).toBe(409)
  await admin.send(`${back}/back`, { words: '账号信息无法核实' })
  await server.lifecycle.jobRunner?.runAll()
  expect(await statusOf(other.orderId)).toBe('REFUNDED')
  expect((await admin.send(`${back}/back`, { words: '账号信息无法核实' })).statusCode).toBe(409)
  const told = await db()
    .selectFrom('messages')
    .select(['title', 'summary'])
    .where('user_id', 'in', [userId, other.userId])
    .execute()
  const titles = ['已更换估价师', '正在重新核对您的报告', '正在退款', '退款到账']
  expect(told.map(({ title }) => title)).toEqual(expect.arrayContaining(titles))
  expect(told.find(({ title }) => title === '正在退款')?.summary).toContain('账号信息无法核实')
  const refund = await db().selectFrom('refunds').select('reason').where('order_id', '=', other.orderId).execute()
  expect(refund).toEqual([{ reason: '客服退款' }])
})

test('an appraiser of some games sees the orders of these', async () => {
  const [one, admin] = [await atDesk('APPRAISER'), await atDesk('ADMIN')]
  const { orderId } = await paidOrder()
  const set = (games: Record<string, string>) => admin.send(`/desk/staff/${one.staffId}/games`, games)
  expect((await one.see('/desk')).body).toContain(orderId)
  await db().updateTable('staff').set({ game_ids: '["hok"]' }).where('staff_id', '=', one.staffId).execute()
  expect((await one.see('/desk')).body).not.toContain(orderId)
  expect((await one.send(`/desk/orders/${orderId}/take`)).statusCode).toBe(404)
  await set({ 'game-naraka': 'on', 'game-made-up': 'on' })
  expect((await one.see('/desk')).body).toContain(orderId)
  const row = await db().selectFrom('staff').select('game_ids').where('staff_id', '=', one.staffId).executeTakeFirst()
  expect(row?.game_ids).toEqual(['naraka'])
})

test('orders hidden from an appraiser are answered as unknown', async () => {
  const [appraiser, admin] = [await atDesk('APPRAISER'), await atDesk('ADMIN')]
  for (const path of ['/desk/today', '/desk/log', '/desk/staff']) {
    expect((await appraiser.see(path)).statusCode).toBe(404)
    expect((await admin.see(path)).statusCode).toBe(200)
  }
  const request = { name: 'mallory', role: 'ADMIN', years: '0' }
  expect((await appraiser.send('/desk/staff', request)).statusCode).toBe(404)
  expect((await appraiser.send(`/desk/staff/${admin.staffId}/off`)).statusCode).toBe(404)
  expect((await admin.see('/desk')).statusCode).toBe(200)
})

test('an admin adds, resets and closes accounts; a closed one is out at once', async () => {
  const [admin, other] = [await atDesk('ADMIN'), await atDesk('APPRAISER')]
  const made = await admin.send('/desk/staff', { name: 'newcomer', nick: '小新', role: 'APPRAISER', years: '2' })
  expect(made.body).toMatch(/<code>[2-9A-Z]{8}-[2-9A-Z]{8}7a<\/code>/)
  expect((await admin.send('/desk/staff', { name: 'newcomer', role: 'ADMIN' })).body).toContain(
    '登录名 newcomer 已存在',
  )
  await admin.send(`/desk/staff/${other.staffId}/reset`)
  expect((await other.see('/desk')).headers.location).toBe('/desk/login')
  expect((await post('/desk/login', { name: other.name, password: PASSWORD })).statusCode).toBe(401)
  const third = await atDesk('APPRAISER')
  await admin.send(`/desk/staff/${third.staffId}/off`)
  expect((await third.see('/desk')).headers.location).toBe('/desk/login')
  expect((await post('/desk/login', { name: third.name, password: PASSWORD })).statusCode).toBe(401)
  expect((await admin.send(`/desk/staff/${admin.staffId}/off`)).statusCode).toBe(404)
  const log = (await admin.see('/desk/log')).body
  for (const words of ['新增账号', '重置密码', '停用账号']) expect(log).toContain(words)
})

test('an appraiser’s picture, years and introduction are set at the desk and shown with the figures', async () => {
  const [admin, appraiser] = [await atDesk('ADMIN'), await atDesk('APPRAISER', '小<林>')]
  const at = `/desk/staff/${appraiser.staffId}/profile`
  const told = { avatar: 'cover-human.webp', years: '6', intro: '做过三年寄售 <b>' }
  for (const [given, words] of [
    [{ avatar: '../x.webp' }, '没有这张图片'],
    [{ years: '' }, '从业年数'],
    [{ intro: '字'.repeat(121) }, '简介最多 120 字'],
  ] as const)
    expect((await admin.send(at, { ...told, ...given })).body).toContain(words)
  expect((await appraiser.send(at, told)).statusCode).toBe(404)
  expect((await admin.send(at, told)).headers.location).toBe('/desk/staff?done=changed')
  const { html } = (await server.call('app', 'documentGet', { key: 'APPRAISERS' })).body.data
  for (const words of [
    '小&lt;林&gt;',
    '从业 6 年 · 已估 0 单',
    '暂无成交回访',
    '做过三年寄售 &lt;b&gt;',
    '/cover-human.',
  ])
    expect(html).toContain(words)
  expect(html).not.toContain('<b>')
})

test('an appraiser’s accuracy is published from three known sales on, by the newest price that each person delivered', async () => {
  const [mine, other, admin] = [
    await atDesk('APPRAISER', '小准'),
    await atDesk('APPRAISER', '小别'),
    await atDesk('ADMIN'),
  ]
  const comment = '按近期成交，仓库齐全，没有风险'
  const delivered = async (by: typeof mine, price: string) => {
    const order = await paidOrder()
    await by.send(`/desk/orders/${order.orderId}/take`)
    await by.deliver(`/desk/orders/${order.orderId}`, { price, comment })
    return order
  }
  const orders = [await delivered(mine, '1000'), await delivered(mine, '1000'), await delivered(mine, '1050')]
  const [revised, second, third] = orders as [(typeof orders)[0], (typeof orders)[0], (typeof orders)[0]]
  const { orderId: foreign } = await delivered(other, '2000')
  const { orderId, token } = revised
  const again = { ...manualRequest(config), orderId, reasons: ['TOO_LOW' as const] }
  await server.call('evaluation', 'submitManual', again, { token })
  const changed = '按近期成交重新核对，价格略升'
  await mine.deliver(`/desk/orders/${orderId}`, { price: '1100', comment, changed })

  /** What the report and the page of appraisers say of the appraiser. */
  const published = async () => {
    const { appraiser } = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data
    const { html } = (await server.call('app', 'documentGet', { key: 'APPRAISERS' })).body.data
    const person = html.split('<div class="doc-person">').find((one) => one.includes('小准')) ?? ''
    return [appraiser?.delivered, appraiser?.sales, appraiser?.medianGap, person.split('<br>')[2]]
  }
  // one sale by its owner, the others by the staff
  const sale = { orderId, score: 5, accuracy: 'FAIR' as const, soldFen: 100_000 }
  await server.call('evaluation', 'saveEvaluation', sale, { token })
  await admin.send(`/desk/orders/${second.orderId}/sold`, { soldPrice: '800', soldDay: '' })
  expect(await published()).toEqual([3, 2, undefined, '暂无成交回访'])
  await admin.send(`/desk/orders/${third.orderId}/sold`, { soldPrice: '1000', soldDay: '' })
  // 10 % of the second version (0 % of the first), 25 % and 5 %
  expect(await published()).toEqual([3, 3, 0.1, '与成交价的差距中位数 10.0%（3 笔）'])
  // of one owner's sales one counts, that of the newest order
  await db().updateTable('orders').set({ user_id: revised.userId }).where('id', '=', second.orderId).execute()
  expect(await published()).toEqual([3, 2, undefined, '暂无成交回访'])

  // at the desk each sees the own figures, an admin everybody's
  const seen = async ({ see }: typeof mine) => {
    const { body } = await see('/desk/calibration')
    return ['小准', '小别', orderId, foreign].filter((words) => body.includes(words))
  }
  expect(await seen(mine)).toEqual(['小准', orderId])
  expect(await seen(other)).toEqual(['小别', foreign])
  expect(await seen(admin)).toEqual(['小准', '小别', orderId, foreign])
})

test('an uploaded picture of an appraiser is shown in the list and on the report, until another replaces it', async () => {
  const [admin, appraiser] = [await atDesk('ADMIN'), await atDesk('APPRAISER', '小照')]
  const url = `/desk/staff/${appraiser.staffId}/profile`
  const upload = (file: Buffer, { csrf, cookie }: typeof admin, avatar = '') =>
    server.app.inject({
      ...{ method: 'POST', url },
      ...multipartForm({ csrf, avatar, years: '6', intro: '有照片的' }, file, cookie),
    })
  const stored = () => db().selectFrom('portraits').select('hash').execute()
  const tooBig = await upload(jpegOf(513 * 1024), admin)
  expect([tooBig.statusCode, tooBig.body.includes('照片不能超过 512 KB')]).toEqual([413, true])
  for (const file of Object.values(impostors)) expect((await upload(file, appraiser)).statusCode).toBe(404)
  for (const [name, file] of Object.entries(impostors))
    if (name !== 'nothing') expect((await upload(file, admin)).statusCode).toBe(400)
  expect(await stored()).toEqual([])

  expect((await upload(commented('taken in Hangzhou'), admin)).headers.location).toBe('/desk/staff?done=changed')
  const { html } = (await server.call('app', 'documentGet', { key: 'APPRAISERS' })).body.data
  const address = /class="doc-face" src="(\/content\/portraits\/\w{32})"/.exec(html)?.[1] ?? ''
  const shown = await get(address)
  expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/jpeg'])
  expect(shown.headers['cache-control']).toContain('immutable')
  expect(shown.rawPayload.equals(jpeg)).toBe(true)

  const { token, orderId } = await paidOrder()
  await appraiser.see('/desk')
  await appraiser.send(`/desk/orders/${orderId}/take`)
  await appraiser.deliver(`/desk/orders/${orderId}`, { price: '820', comment: '资料齐全，按近期成交定价。' })
  const report = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data
  expect(report.appraiser?.avatar).toBe(address)

  // changing the text keeps the portrait, another picture's name is refused, a new portrait replaces it
  const kept = /value="(portrait\/\w+)" selected/.exec((await admin.see('/desk/staff')).body)?.[1] ?? ''
  await admin.send(url, { avatar: kept, years: '7', intro: '' })
  expect((await get(address)).statusCode).toBe(200)
  expect((await admin.send(url, { avatar: `portrait/${'0'.repeat(32)}`, years: '7' })).statusCode).toBe(400)
  await upload(jpegOf(20_000), admin)
  expect((await get(address)).statusCode).toBe(404)
  expect(await stored()).toHaveLength(1)
})

test('a consultant answers users, is shown on their cards with the way to reach him, and sees no orders', async () => {
  const { token, orderId } = await paidOrder()
  const card = async (gameId?: string) =>
    (await server.call('evaluation', 'consultStaff', { ...(gameId && { gameId }) }, { token })).body.data
  expect((await card()).nick).toContain('沙箱')
  const [admin, consultant] = [await atDesk('ADMIN'), await atDesk('CONSULTANT', '小安')]
  const { staffId, see, send } = consultant
  const asAppraiser = { avatar: '', years: '3', intro: '' }
  expect((await admin.send(`/desk/staff/${staffId}/profile`, asAppraiser)).statusCode).toBe(404)
  const home = (await see('/desk')).body
  expect(home).not.toContain(orderId)
  expect(home).not.toContain('href="/desk">订单')
  for (const url of [`/desk/orders/${orderId}`, '/desk/staff', '/desk/today'])
    expect((await see(url)).statusCode).toBe(404)
  expect((await send(`/desk/orders/${orderId}/take`)).statusCode).toBe(404)
  expect((await see('/desk/feedback')).statusCode).toBe(200)
  expect(await card()).toMatchObject({ staffId, nick: '小安', wecomQr: '', kfUrl: '' })

  const at = `/desk/staff/${staffId}/contact`
  const kfUrl = 'https://work.weixin.qq.com/kfid/kfc123'
  for (const [wrong, says] of [
    [{ kfUrl: 'https://evil.example/', corpId: 'ww12345678' }, '客服链接应以'],
    [{ kfUrl }, '要么都填'],
    [{ wecomQr: '../../etc/passwd' }, '没有这张图片'],
  ] as const) {
    const answer = await admin.send(at, wrong)
    expect([answer.statusCode, answer.body.includes(says)]).toEqual([400, true])
  }
  expect((await send(at, { kfUrl, corpId: 'ww12345678' })).statusCode).toBe(404)
  const [picture = ''] = server.lifecycle.deps?.content.pictures() ?? []
  await admin.send(at, { wecomQr: picture, kfUrl, corpId: 'ww12345678' })
  expect(await card()).toMatchObject({
    kfUrl,
    corpId: 'ww12345678',
    avatar: '',
    wecomQr: expect.stringContaining(picture),
  })

  // a consultant of the game is preferred to one for all games
  const other = await atDesk('CONSULTANT', '小北')
  await admin.send(`/desk/staff/${other.staffId}/games`, { 'game-naraka': 'on' })
  expect([(await card('naraka')).nick, (await card()).nick]).toEqual(['小北', '小安'])
  for (const { staffId: id } of [consultant, other]) await admin.send(`/desk/staff/${id}/off`)
  expect((await card()).nick).toContain('沙箱')
})

test('a reply to feedback reaches the user once, as a message', async () => {
  const { send, see } = await atDesk('APPRAISER')
  const { token, userId } = await server.login(`1370000${String(++numbers).padStart(4, '0')}`)
  const { body } = await server.call(
    'user',
    'submitFeedback',
    { type: 2, content: `估价偏低${EVIL}`, contact: '13800138000' },
    { token },
  )
  const url = `/desk/feedback/${body.data.id}`
  expect((await see('/desk/feedback')).body).toContain(INERT)
  const page = (await see(url)).body
  expect(page).not.toContain('<script>alert')
  expect(page).not.toContain('13800138000')
  await send(`${url}/take`)
  await send(`${url}/reply`, { reply: '已核对，谢谢反馈' })
  expect((await send(`${url}/reply`, { reply: '第二次' })).statusCode).toBe(409)
  const { list } = (await server.call('user', 'feedbackList', {}, { token })).body.data
  expect(list[0]).toMatchObject({ status: 'REPLIED', reply: '已核对，谢谢反馈' })
  const told = await db().selectFrom('messages').select(['type', 'body']).where('user_id', '=', userId).execute()
  expect(told.filter((m) => m.body === '已核对，谢谢反馈')).toEqual([{ type: 'SYSTEM', body: '已核对，谢谢反馈' }])
})

test('text by users is escaped wherever it is shown', async () => {
  const [appraiser, admin] = [await atDesk('APPRAISER', EVIL.slice(0, 16)), await atDesk('ADMIN')]
  const { orderId } = await paidOrder({ remark: EVIL, nickname: EVIL })
  const { answers, title } = await db()
    .selectFrom('orders')
    .select(['answers', 'title'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  const evil = Object.fromEntries(Object.entries(answers).map(([k, v]) => [k, typeof v === 'string' ? EVIL : v]))
  await db()
    .updateTable('orders')
    .set({ answers: JSON.stringify(evil), title: `${title}${EVIL}`, cancel_reason: EVIL })
    .where('id', '=', orderId)
    .execute()
  await appraiser.send(`/desk/orders/${orderId}/take`)
  await appraiser.send(`/desk/orders/${orderId}/first`, { first: '2580' })
  const typed = await appraiser.send(`/desk/orders/${orderId}/deliver`, { price: EVIL, comment: EVIL })
  const pages = [typed, ...(await Promise.all(['/desk', `/desk/orders/${orderId}`, '/desk/log'].map(admin.see)))]
  for (const { body } of pages) {
    expect(body).not.toContain('<script>alert')
    expect(body).not.toContain('<img src=x')
  }
  expect(pages[0]?.body).toContain(INERT)
  expect(pages[2]?.body).toContain(INERT)
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
    expect(await run('boss', '--role', 'admin')).toMatchObject({ code: 1, text: '✗ 登录名 boss 已存在。\n' })
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

test('the history pages through all orders, forwards and backwards, without gaps or repeats', async () => {
  const { orderId } = await paidOrder()
  // of several at the same time, ids decide
  await sql`insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', 'page-' || n, 'order_no',
      'P' || n, 'title', '翻页', 'created_at', o.created_at + n / 40, 'revalue_of', null))).*
    from orders o, generate_series(1, 130) n where o.id = ${orderId}`.execute(db())
  const { see } = await atDesk('ADMIN')
  const page = async (url: string) => {
    const { body } = await see(url)
    const link = (name: string) =>
      new RegExp(`href="([^"]*${name}=[^"]*)"`).exec(body)?.[1]?.replaceAll('&#38;', '&') ?? ''
    return { ids: [...body.matchAll(/orders\/(page-\d+)"/g)].map(([, id]) => id), link }
  }
  const first = await page(`/desk/orders?${new URLSearchParams({ q: '翻页' })}`)
  const second = await page(first.link('older'))
  const third = await page(second.link('older'))
  expect([first, second, third].map(({ ids }) => ids.length)).toEqual([50, 50, 30])
  expect(new Set([first, second, third].flatMap(({ ids }) => ids)).size).toBe(130)
  expect([first.link('newer'), third.link('older')]).toEqual(['', ''])
  expect((await page(third.link('newer'))).ids).toEqual(second.ids)
  const again = await page(second.link('newer'))
  expect([again.ids, again.link('newer')]).toEqual([first.ids, ''])
  await sql`delete from orders where id like 'page-%'`.execute(db())
})

test('the queue is by due time, whatever is to be done; the navigation counts it and marks the current page', async () => {
  const [{ see, send, deliver }, later] = [await atDesk('APPRAISER'), await paidOrder()]
  /** The page and the count of the queue in the navigation, then the current page. */
  const navigation = async (url: string) => {
    const { body } = await see(url)
    const [, n = '0'] = /<a href="\/desk"[^>]*>订单(?: <span class="count">(\d+)<\/span>)?<\/a>/.exec(body) ?? []
    return {
      body,
      n: Number(n),
      current: [...body.matchAll(/href="([^"]+)" aria-current="page"/g)].map(([, at]) => at),
    }
  }
  const before = await navigation('/desk')
  expect(before.current).toEqual(['/desk'])
  const urgent = await paidOrder()
  const url = `/desk/orders/${urgent.orderId}`
  expect((await navigation(url)).n).toBe(before.n + 1)
  await send(`${url}/take`)
  await deliver(url, { price: '2580', comment: '按近期成交，仓库齐全' })
  expect(await navigation('/desk/orders')).toMatchObject({ n: before.n, current: ['/desk/orders'] })
  const again = { ...manualRequest(config), orderId: urgent.orderId, reasons: ['TOO_LOW' as const] }
  await server.call('evaluation', 'submitManual', again, { token: urgent.token })
  // a revaluation due in five minutes, an order nobody took due later
  const until = server.clock.now() + 5 * 60_000
  await db().updateTable('orders').set({ due_at: until }).where('id', '=', urgent.orderId).execute()
  const { body, n, current } = await navigation('/desk')
  expect([n, current]).toEqual([before.n + 1, ['/desk']])
  expect(body).toContain(`<h2>待处理（${n}）</h2>`)
  const at = [urgent, later].map(({ orderId }) => body.indexOf(`/desk/orders/${orderId}"`))
  expect(Math.min(...at)).toBeGreaterThan(0)
  expect(at[0]).toBeLessThan(at[1] ?? 0)
  // what waits for its owner is not to be done
  await send(`/desk/orders/${later.orderId}/take`)
  await send(`/desk/orders/${later.orderId}/ask`, { wanted: '请补一张仓库截图' })
  const asked = await navigation('/desk')
  expect(asked.n).toBe(n - 1)
  expect(asked.body.split('<h2>等用户补充资料')[1]).toContain(later.orderId)
})

test('an admin finds an AI order by its number, an appraiser does not', async () => {
  const [admin, appraiser] = [await atDesk('ADMIN'), await atDesk('APPRAISER')]
  const { token } = await server.login(`1370000${String(++numbers).padStart(4, '0')}`)
  const { gameId, schemaVersion, answers } = manualRequest(config)
  const request = { gameId, schemaVersion, answers, source: 'TYPED' as const }
  const { orderId } = (await server.call('evaluation', 'submitAi', request, { token })).body.data
  const order = db().selectFrom('orders').select('order_no').where('id', '=', orderId)
  const { order_no } = await order.executeTakeFirstOrThrow()
  const found = async ({ see }: typeof admin, words = order_no) => (await see(`/desk/orders?q=${words}`)).body
  const link = `href="/desk/orders/${orderId}"`
  const asked = await statementsOf(db(), async () => expect(await found(admin, order_no.toLowerCase())).toContain(link))
  const searches = asked.filter(({ sql: text }) => /order_no (=|ilike)/.test(text))
  expect([searches.length, await readWhole(db(), searches)]).toEqual([1, []])
  // without its first letter, and of an order that the appraiser may not see
  expect(await found(admin, order_no.slice(1))).toContain(link)
  expect(await found(appraiser)).toContain('没有符合的订单')
})

// last, because it moves the clock by hours, perhaps over a night
test('before its time limit an order that nobody took, a second price and a revaluation go to somebody at the desk', async () => {
  const [first, here] = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER', '丁')]
  const order = (orderId: string) =>
    db()
      .selectFrom('orders')
      .select(['status', 'appraiser_id', 'due_at'])
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow()
  /** Forty minutes before the limit, with `here` at the desk. */
  const due = async (orderId: string) => {
    server.clock.advance(((await order(orderId)).due_at ?? 0) - 40 * 60_000 - server.clock.now())
    await here.see('/desk')
    await server.lifecycle.jobRunner?.runAll()
    return order(orderId)
  }
  const untaken = await paidOrder()
  expect(await due(untaken.orderId)).toMatchObject({ status: 'ASSIGNED', appraiser_id: here.staffId })
  await here.deliver(`/desk/orders/${untaken.orderId}`, { price: '2580', comment: '按近期成交，仓库齐全' })

  const expert = await paidOrder({ level: 'PRO' })
  await first.send(`/desk/orders/${expert.orderId}/take`)
  await first.deliver(`/desk/orders/${expert.orderId}`, { price: '2580', comment: '按近期成交，仓库齐全' })
  expect(await due(expert.orderId)).toMatchObject({ status: 'ASSIGNED', appraiser_id: here.staffId })
  await here.deliver(`/desk/orders/${expert.orderId}`, { price: '2600', comment: '按近期成交，仓库齐全' })
  expect((await order(expert.orderId)).status).toBe('REPORTED')

  // one that was handed on for its first price is handed on again for the second
  const slow = await paidOrder({ level: 'PRO' })
  await first.send(`/desk/orders/${slow.orderId}/take`)
  expect((await due(slow.orderId)).appraiser_id).toBe(here.staffId)
  await here.deliver(`/desk/orders/${slow.orderId}`, { price: '2580', comment: '按近期成交，仓库齐全' })
  await first.see('/desk')
  await server.lifecycle.jobRunner?.runAll()
  expect(await order(slow.orderId)).toMatchObject({ status: 'ASSIGNED', appraiser_id: first.staffId })

  const { orderId, token } = await paidOrder()
  await first.send(`/desk/orders/${orderId}/take`)
  await first.deliver(`/desk/orders/${orderId}`, { price: '2580', comment: '按近期成交，仓库齐全' })
  const again = { ...manualRequest(config), answers: {}, orderId, reasons: ['TOO_LOW' as const] }
  expect((await server.call('evaluation', 'submitManual', again, { token })).body.code).toBe('OK')
  expect(await due(orderId)).toMatchObject({ status: 'REVALUING', appraiser_id: here.staffId })
  await here.deliver(`/desk/orders/${orderId}`, {
    ...{ price: '2590', comment: '按近期成交，仓库齐全' },
    changed: '重新核对了全部资料，按近期行情调整',
  })
  expect((await order(orderId)).status).toBe('REPORTED')
})

test('an expert order that a third price is awaited for is handed on, though it was handed on for the second', async () => {
  const staff = [await atDesk('APPRAISER', '子'), await atDesk('APPRAISER', '丑'), await atDesk('APPRAISER', '寅')]
  const [first, given, second] = staff as [(typeof staff)[0], (typeof staff)[0], (typeof staff)[0]]
  const third = await atDesk('APPRAISER', '卯')
  const { orderId } = await paidOrder({ level: 'PRO' })
  const url = `/desk/orders/${orderId}`
  const order = () => db().selectFrom('orders').select(['status', 'appraiser_id', 'due_at']).where('id', '=', orderId)
  const appraiserNow = async () => (await order().executeTakeFirstOrThrow()).appraiser_id
  await first.send(`${url}/take`)
  await first.deliver(url, { price: '2580', comment: '按近期成交，仓库齐全' })
  const { due_at } = await order().executeTakeFirstOrThrow()
  server.clock.advance((due_at ?? 0) - 40 * 60_000 - server.clock.now())
  await given.see('/desk')
  await server.lifecycle.jobRunner?.runAll()
  expect(await appraiserNow()).toBe(given.staffId)
  // whoever it was given to is away, somebody else gives a distant price
  await second.deliver(url, { price: '5000', comment: '按近期成交，仓库齐全' })
  expect((await order().executeTakeFirstOrThrow()).status).toBe('ASSIGNED')
  await third.see('/desk')
  await server.lifecycle.jobRunner?.runAll()
  expect(await appraiserNow()).toBe(third.staffId)
})

test('an order that its appraiser is at work on is handed on later, and what they then send stays on the page', async () => {
  const [busy, here] = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER', '乙')]
  const { orderId } = await paidOrder()
  const url = `/desk/orders/${orderId}`
  await busy.send(`${url}/take`)
  const order = () =>
    db().selectFrom('orders').select(['appraiser_id', 'due_at']).where('id', '=', orderId).executeTakeFirstOrThrow()
  const { due_at } = await order()
  /** Whose the order is so many minutes before its limit, with a colleague at the desk. */
  const appraiserAt = async (minutes: number) => {
    server.clock.advance((due_at ?? 0) - minutes * 60_000 - server.clock.now())
    await here.see('/desk')
    await server.lifecycle.jobRunner?.runAll()
    return (await order()).appraiser_id
  }
  server.clock.advance((due_at ?? 0) - 47 * 60_000 - server.clock.now())
  await busy.send(`${url}/first`, { first: '2580' })
  const comment = '按近期成交估价，逐项核对'
  const typed: Record<string, string> = {
    ...{ ...deliveryFields((await busy.see(url)).body, 2580), price: '2580', comment },
  }
  expect(await appraiserAt(44)).toBe(busy.staffId)
  await busy.send(`${url}/draft`, typed)
  expect(await appraiserAt(25)).toBe(busy.staffId)
  expect(await appraiserAt(19)).toBe(here.staffId)
  const late = await busy.send(`${url}/deliver`, typed)
  expect(late.statusCode).toBe(404)
  expect(late.body).toContain('订单已转给其他估价师')
  for (const words of [comment, typed['note-0-why'] ?? '', '2580']) expect(late.body).toContain(words)
  expect(await statusOf(orderId)).toBe('ASSIGNED')
  // nothing else of the order is shown
  expect((await busy.see(url)).body).not.toContain('账号资料')
  await here.deliver(url, { price: '2580', comment })
  expect(await statusOf(orderId)).toBe('REPORTED')
})

test('an order given to somebody who has not begun it may be taken by others and is still refunded at once', async () => {
  const [here, other] = [await atDesk('APPRAISER', '丙'), await atDesk('APPRAISER', '庚')]
  const admin = await atDesk('ADMIN')
  const made = [await paidOrder(), await paidOrder(), await paidOrder()] as const
  const order = (orderId: string) =>
    db().selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow()
  const { due_at } = await order(made[0].orderId)
  server.clock.advance((due_at ?? 0) - 40 * 60_000 - server.clock.now())
  await here.see('/desk')
  await server.lifecycle.jobRunner?.runAll()
  const info = async ({ orderId, token }: (typeof made)[0]) =>
    (await server.call('pay', 'getInfo', { orderId }, { token })).body.data
  for (const one of made) {
    expect(await order(one.orderId)).toMatchObject({ status: 'ASSIGNED', appraiser_id: here.staffId })
    const { assignedAt, statusText, actions } = await info(one)
    expect([assignedAt, statusText, actions.includes('CANCEL')]).toEqual([undefined, '已分配，等待开始', true])
  }
  const queue = (await here.see('/desk')).body.split('<li>')
  for (const { orderId } of made) expect(queue.find((row) => row.includes(orderId))).toContain('已分配，等待开始')
  const [untouched, taken, begun] = made
  // an admin's work does not accept it for the one who is away
  const url = `/desk/orders/${untouched.orderId}`
  expect((await admin.see(url)).body).toContain('已分配，等待开始')
  const { orderId } = untouched
  const by = { orderId, staffId: admin.staffId, now: server.clock.now() }
  for (const begin of [
    (tx: Kysely<DB>) => commitBlindEstimate(tx, { ...by, fen: 258_000 }),
    (tx: Kysely<DB>) => saveDraft(tx, { ...by, draft: { price: '2580' } }),
  ])
    await expect(db().transaction().execute(begin)).rejects.toThrow('由您来估请先接单')
  for (const act of ['first', 'draft', 'deliver'])
    expect((await admin.send(`${url}/${act}`, { first: '2580', price: '2580' })).body).toContain('由您来估请先接单')
  expect(await order(orderId)).toMatchObject({ appraiser_id: here.staffId, assigned_at: null })
  await other.see('/desk')
  expect((await other.send(`/desk/orders/${taken.orderId}/take`)).headers.location).toContain('done=took')
  expect((await order(taken.orderId)).appraiser_id).toBe(other.staffId)
  expect((await here.send(`/desk/orders/${taken.orderId}/take`)).statusCode).toBe(404)
  await here.send(`/desk/orders/${begun.orderId}/first`, { first: '2580' })
  expect((await other.send(`/desk/orders/${begun.orderId}/take`)).statusCode).toBe(404)
  const cancel = ({ orderId, token }: (typeof made)[0], seen: 'PAID' | 'ASSIGNED') =>
    server.call('evaluation', 'applyCancel', { orderId, reason: '等太久', seen }, { token })
  for (const one of [taken, begun]) {
    expect((await info(one)).assignedAt).toBeDefined()
    expect((await cancel(one, 'PAID')).body.code).toBe('ORDER_STATUS_CHANGED')
    expect((await cancel(one, 'ASSIGNED')).body.code).toBe('OK')
    expect((await order(one.orderId)).refund_due_at).not.toBeNull()
  }
  // what the owner has read is still so
  expect((await cancel(untouched, 'PAID')).body.code).toBe('OK')
  expect((await order(untouched.orderId)).refund_due_at).toBeNull()
  await server.lifecycle.jobRunner?.runAll()
  expect(await statusOf(untouched.orderId)).toBe('REFUNDED')
})

test('before its time limit an order goes to whoever holds the fewest unfinished ones, and to somebody at the limit rather than nobody', async () => {
  const [busy, free] = [await atDesk('APPRAISER', '癸'), await atDesk('APPRAISER', '申')]
  const held = []
  for (let n = 0; n < MAX_UNFINISHED; n += 1) held.push((await paidOrder()).orderId)
  for (const id of held) await busy.send(`/desk/orders/${id}/take`)
  // an expert order that only waits for another price is no work of its appraiser
  const waiting = []
  for (let n = 0; n < MAX_UNFINISHED; n += 1) waiting.push((await paidOrder({ level: 'PRO' })).orderId)
  for (const id of waiting) {
    await free.send(`/desk/orders/${id}/take`)
    await free.deliver(`/desk/orders/${id}`, { price: '2580', comment: '按近期成交，仓库齐全' })
  }
  const { orderId } = await paidOrder()
  const { orderId: other } = await paidOrder()
  const order = (id: string) =>
    db().selectFrom('orders').select(['appraiser_id', 'due_at']).where('id', '=', id).executeTakeFirstOrThrow()
  await db()
    .updateTable('orders')
    .set({ reassigned_at: 1 })
    .where('id', 'in', [...held, ...waiting, other])
    .execute()
  server.clock.advance(((await order(orderId)).due_at ?? 0) - 40 * 60_000 - server.clock.now())
  for (const one of [busy, free]) await one.see('/desk')
  await server.lifecycle.jobRunner?.runAll()
  expect((await order(orderId)).appraiser_id).toBe(free.staffId)

  await db().updateTable('staff').set({ active: false }).where('staff_id', '=', free.staffId).execute()
  await db().updateTable('orders').set({ reassigned_at: null }).where('id', '=', other).execute()
  await server.lifecycle.jobRunner?.runAll()
  expect((await order(other)).appraiser_id).toBe(busy.staffId)
  expect((await busy.send(`/desk/orders/${other}/take`)).statusCode).toBe(303)
})

test('late orders of a game without anybody at the desk do not keep others from being handed on', async () => {
  const [away, here] = [await atDesk('APPRAISER', '辛'), await atDesk('APPRAISER', '壬')]
  const { orderId } = await paidOrder()
  await away.send(`/desk/orders/${orderId}/take`)
  const order = () =>
    db().selectFrom('orders').select(['appraiser_id', 'due_at']).where('id', '=', orderId).executeTakeFirstOrThrow()
  await sql`insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', 'away-' || n, 'order_no',
      'A' || n, 'due_at', o.due_at - 1, 'game_id', 'nobodys'))).*
    from orders o, generate_series(1, 100) n where o.id = ${orderId}`.execute(db())
  await db()
    .updateTable('staff')
    .set({ game_ids: JSON.stringify([config.gameId]) as never })
    .where('staff_id', '=', here.staffId)
    .execute()
  server.clock.advance(((await order()).due_at ?? 0) - 40 * 60_000 - server.clock.now())
  await here.see('/desk')
  await server.lifecycle.jobRunner?.runAll()
  expect((await order()).appraiser_id).toBe(here.staffId)
  await sql`delete from orders where id like 'away-%'`.execute(db())
})
