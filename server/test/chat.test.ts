import type { ChatMessage, Req } from '@/contract/types'
import { maskPersonalData } from '../domains/chat/mask'
import { sandboxLogins } from '../domains/staff/accounts'
import { setupServer } from './harness'
import { multipartForm } from './multipart'
import { adult, configOf, manualRequest } from './orders'
import { png } from './pictures'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let numbers = 0
let desk: { cookie: string; csrf: string }
const db = () => server.database.db

/** Moves the clock to the next `hour` o'clock in China. */
function until(hour: number) {
  const now = server.clock.now()
  const at = Math.floor((now + 8 * HOUR) / DAY) * DAY - 8 * HOUR + hour * HOUR
  server.clock.advance((at <= now ? at + DAY : at) - now)
}

const server = setupServer({ games: ['naraka'] })
beforeAll(async () => {
  until(10)
})

const post = (url: string, fields: Record<string, string>, cookie = '') =>
  server.app.inject({
    method: 'POST',
    url,
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })
const see = (url: string) => server.app.inject({ method: 'GET', url, headers: { cookie: desk.cookie } })
beforeEach(async () => {
  const { appraiser, password } = sandboxLogins
  const answer = await post('/desk/login', { name: appraiser, password })
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
  const page = await server.app.inject({ method: 'GET', url: '/desk/chat', headers: { cookie } })
  desk = { cookie, csrf: /name="csrf" value="(\w+)"/.exec(page.body)?.[1] ?? '' }
})

const newUser = () => server.login(`1380000${String(++numbers).padStart(4, '0')}`)
type Sent = Partial<Req<'chat', 'send'>>
const send = (token: string, content: string, more: Sent = {}) =>
  server.call('chat', 'send', { clientId: `c${++numbers}`, type: 'TEXT', content, ...more }, { token })
const read = async (token: string, req: Req<'chat', 'messages'> = {}) =>
  (await server.call('chat', 'messages', req, { token })).body.data
const reply = (userId: string, text: string, id = `desk-${++numbers}-form`) =>
  post(`/desk/chat/${userId}/reply`, { csrf: desk.csrf, id, text }, desk.cookie)
const words = (list: ChatMessage[]) => list.map(({ from, text }) => `${from} ${text}`)

test('texts of users and staff are stored without invisible characters, emoji as they are', async () => {
  const { token, userId } = await newUser()
  const family = '👨\u200d👩\u200d👧 ❤\ufe0f 👍🏽'
  const hidden = ['\u200b', '\u202e', '\u2060', '\ufe0f', '\u{e0100}']
  await send(token, `在${hidden.join('')}吗${family}`)
  await reply(userId, `在${hidden.join('')}的${family}`)
  expect(words((await read(token)).list)).toEqual([`USER 在吗${family}`, `STAFF 在的${family}`])
  await server.call('user', 'updateSettings', { nickname: `张${hidden.join('')}三👨\u200d👧` }, { token })
  const { nickname } = await db()
    .selectFrom('users')
    .select('nickname')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  expect(nickname).toBe('张三👨\u200d👧')
})

test('a repeated message is stored once, also when five copies arrive at once', async () => {
  const { token } = await newUser()
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => send(token, '在吗', { clientId: 'same' })))
  expect(new Set(answers.map(({ body }) => JSON.stringify(body.data))).size).toBe(1)
  expect(answers[0]?.body.data).toMatchObject({ seq: 1, clientId: 'same', from: 'USER', text: '在吗' })
  await send(token, '在吗', { clientId: 'same' })
  expect(words((await read(token)).list)).toEqual(['USER 在吗'])
})

test('a long poll reports own answers and read marks, and no data of other users', async () => {
  const [asker, other] = [await newUser(), await newUser()]
  await send(asker.token, '这个报价怎么来的')
  const [waiting, idle] = [
    read(asker.token, { after: 1, wait: true }),
    read(other.token, { after: 0, wait: true, readSeq: 0 }),
  ]
  expect((await see(`/desk/chat/${asker.userId}`)).body).toContain('这个报价怎么来的')
  expect(await waiting).toMatchObject({ list: [], readSeq: 1 })
  const next = read(asker.token, { after: 1, readSeq: 1, wait: true })
  expect((await reply(asker.userId, '<b>参考近 30 天成交</b>')).statusCode).toBe(303)
  expect(await next).toMatchObject({
    list: [{ seq: 2, from: 'STAFF', text: '<b>参考近 30 天成交</b>', nick: expect.any(String) }],
  })
  expect((await see(`/desk/chat/${asker.userId}`)).body).not.toContain('<b>参考')
  // three requests may wait at once: a fourth ends the first
  const more = [1, 2, 3].map(() => read(other.token, { after: 0, wait: true }))
  expect(await idle).toMatchObject({ list: [] })
  await send(other.token, '您好')
  for (const answer of await Promise.all(more)) expect(words(answer.list)).toEqual(['USER 您好'])
})

describe('a long poll ends with its session', () => {
  const ends = {
    'by signing out': (token: string) => server.call('user', 'updateSettings', { signOut: 'THIS' }, { token }),
    'by a new password': async (_token: string, mobile: string) => {
      server.clock.advance(60_000)
      await server.call('user', 'sendSmsCode', { mobile, scene: 4 })
      const code = server.sms.newestCode(mobile) ?? ''
      return server.call('user', 'resetPassword', { mobile, code, password: 'abcd1234' })
    },
    'by leaving': async (token: string, mobile: string) => {
      server.clock.advance(60_000)
      await server.call('user', 'sendSmsCode', { mobile, scene: 5 }, { token })
      return server.call('user', 'loginOff', { code: server.sms.newestCode(mobile) ?? '' }, { token })
    },
  }
  test.each(Object.entries(ends))('%s', async (_how, end) => {
    const mobile = `1380000${String(++numbers).padStart(4, '0')}`
    const { token, userId } = await server.login(mobile)
    await send(token, '在吗')
    const begun = Date.now()
    const held = server.call('chat', 'messages', { after: 1, wait: true }, { token })
    expect((await end(token, mobile)).body.success).toBe(true)
    // the answer waits for the next login
    await reply(userId, '您好，在的')
    expect(await held).toMatchObject({ status: 401, body: { code: 'NOT_LOGGED_IN', data: null } })
    // well below the 25 s of the long poll
    expect(Date.now() - begun).toBeLessThan(20_000)
  })
})

test('a reader that reconnects gets every message once and in order while both sides write', async () => {
  const { token, userId } = await newUser()
  await send(token, '第 0 条')
  const have: number[] = []
  let writing = true
  const reader = (async () => {
    for (let round = 0; (writing || round % 2 === 1) && round < 300; round += 1) {
      const { list } = await read(token, { after: have.at(-1) ?? 0 })
      // every other response is lost
      if (round % 2 === 1) have.push(...list.map(({ seq }) => seq))
    }
  })()
  await Promise.all(
    [...Array(12).keys()].flatMap((n) => [send(token, `问 ${n}`), reply(userId, `答 ${n}`, `answer-${n}-x`)]),
  )
  await Promise.all([3, 4, 5].map((n) => reply(userId, `答 ${n}`, `answer-${n}-x`)))
  writing = false
  await reader
  have.push(...(await read(token, { after: have.at(-1) ?? 0 })).list.map(({ seq }) => seq))
  expect(have).toEqual([...Array(25).keys()].map((n) => n + 1))
  // backwards, page by page
  const newest = await read(token)
  expect(newest.list.map(({ seq }) => seq)).toEqual(have)
  const old = await read(token, { before: 4 })
  expect([old.list.map(({ seq }) => seq), old.earlier, (await read(token, { before: 25 })).earlier]).toEqual([
    [1, 2, 3],
    false,
    false,
  ])
})

test('at night the user is informed once when staff will be back', async () => {
  until(2)
  const { token } = await newUser()
  await send(token, '有人吗')
  await send(token, '在不在')
  const { list } = await read(token)
  expect(words(list)).toEqual(['USER 有人吗', expect.stringMatching(/^SYSTEM .*今天 09:00/), 'USER 在不在'])
  until(12)
  until(3)
  await send(token, '今天呢')
  expect((await read(token)).list.filter(({ from }) => from === 'SYSTEM')).toHaveLength(2)
  until(10)
  await send(token, '上班了')
  expect((await read(token)).list.filter(({ from }) => from === 'SYSTEM')).toHaveLength(2)
})

test('numbers and passwords are masked, and the user is warned', async () => {
  const { token, userId } = await newUser()
  const { body } = await send(token, '我电话138 1234 5678，密码是 Abc12345!')
  expect(body.data.text).toBe('我电话138****5678，密码是 ****')
  expect(words((await read(token)).list)[1]).toContain('官方不会索要密码、验证码或保证金')
  await reply(userId, '加我微信 13912345678')
  expect(
    JSON.stringify(await db().selectFrom('chat_messages').selectAll().where('user_id', '=', userId).execute()),
  ).not.toMatch(/1381234|Abc1|13912345678/)
  expect(
    maskPersonalData('身份证11010519491231002X，卡6222021234567890123，验证码：482913，password=hunter22'),
  ).toEqual({
    text: '身份证1101**********002X，卡6222****0123，验证码：****，password=****',
    hidden: true,
  })
  for (const text of ['密码是多少', '订单 E20261121093000123456', 'UID 100200300', '价格 13800 元', '2026-11-21'])
    expect(maskPersonalData(text)).toEqual({ text, hidden: false })
})

test('invalid, excessive and foreign messages are refused with a reason and change nothing', async () => {
  const [user, other] = [await adult(server, '13700009901'), await adult(server, '13700009902')]
  const config = await configOf(server, 'naraka')
  const orderOf = async ({ token }: { token: string }) =>
    (await server.call('evaluation', 'submitManual', manualRequest(config), { token })).body.data.orderId
  const [mine, theirs] = [await orderOf(user), await orderOf(other)]
  const fieldsOf = async (content: string, more?: Sent) => (await send(user.token, content, more)).body.data
  expect(await fieldsOf('  ')).toEqual({ fields: [{ path: 'content', msg: '请输入要发送的内容' }] })
  expect(await fieldsOf('字'.repeat(501))).toMatchObject({
    fields: [{ path: 'content', msg: expect.stringContaining('500') }],
  })
  expect((await send(user.token, theirs, { type: 'ORDER_CARD' })).status).toBe(404)
  expect(await fieldsOf(mine, { type: 'REPORT_CARD' })).toEqual({
    fields: [{ path: 'content', msg: '这个订单还没有报告' }],
  })
  expect(
    (await send(user.token, `u/${other.userId}/20261121/00000000-0000-4000-8000-000000000000`, { type: 'IMAGE' }))
      .status,
  ).toBe(400)
  expect(
    (
      await server.send(
        'POST',
        '/app-api/chat/send',
        { clientId: 'x', type: 'SYSTEM', content: '退款已到账' },
        { token: user.token },
      )
    ).status,
  ).toBe(400)
  expect((await read(user.token)).list).toEqual([])
  expect((await send(user.token, mine, { type: 'ORDER_CARD' })).body.data).toMatchObject({
    type: 'ORDER_CARD',
    card: { orderId: mine, mode: 'MANUAL', statusText: '待支付' },
  })
  const flood = await Promise.all([...Array(30).keys()].map((n) => send(user.token, `刷屏 ${n}`)))
  const refused = flood.filter(({ status }) => status === 406)
  expect(refused[0]?.body.msg).toBe('消息发送太频繁，请稍后再发')
  expect((await read(other.token)).list).toEqual([])
  expect((await read(user.token)).list.length).toBeLessThanOrEqual(20)
  expect((await reply('nobody', '您好')).statusCode).toBe(404)
  expect((await reply(user.userId, ' ')).body).toContain('请填写回复')
  expect((await reply(user.userId, '请把验证码发给我')).body).toContain('不能向用户索要密码')
})

test('the desk lists the longest wait first; a repeated answer is stored once and reaches an absent user’s inbox', async () => {
  until(11)
  const [first, second] = [await newUser(), await newUser()]
  await send(first.token, '先来的')
  server.clock.advance(60_000)
  await send(second.token, '<script>alert(1)</script>')
  const { dir, token: form } = (await server.call('app', 'stsPost', { scene: 'CHAT' }, { token: second.token })).body
    .data
  const key = `${dir}00000000-0000-4000-8000-00000000000a`
  await upload(form, key)
  expect((await send(second.token, key, { type: 'IMAGE' })).body.data.url).toContain(key)
  const page = (await see('/desk/chat')).body
  expect(page.indexOf(first.userId)).toBeLessThan(page.indexOf(second.userId))
  expect(page).toContain('2 条未读')
  const open = (await see(`/desk/chat/${second.userId}`)).body
  expect(open).toContain('&#60;script&#62;')
  expect(open).toContain('用户发来的图片')
  await Promise.all([1, 2].map(() => reply(second.userId, '看到了', 'the-same-form')))
  await reply(second.userId, '稍等')
  expect(words((await read(second.token)).list).slice(2)).toEqual(['STAFF 看到了', 'STAFF 稍等'])
  const box = (await server.call('user', 'messages', {}, { token: second.token })).body.data
  expect(box.list.filter(({ title }) => title.includes('顾问'))).toMatchObject([
    { summary: '看到了', link: '/pages/chat/index' },
  ])
  const after = (await see('/desk/chat')).body
  expect(after.slice(0, after.indexOf('其他会话'))).not.toContain(second.userId)
  const log = await db().selectFrom('desk_log').select('action').where('subject', '=', second.userId).execute()
  expect(log).toHaveLength(2)
})

test('the desk answers with a picture; another file is refused and the typed text kept', async () => {
  const { token, userId } = await newUser()
  await send(token, '哪里看区服？')
  const form = (file: Buffer, text: string) =>
    multipart(`/desk/chat/${userId}/reply`, { csrf: desk.csrf, id: `picture-${++numbers}`, text }, file, desk.cookie)
  const bad = await form(Buffer.from('MZ\x90 no picture'), '看这里')
  expect([bad.statusCode, bad.body.includes('看这里')]).toEqual([400, true])
  expect((await form(Buffer.concat([png, Buffer.alloc(10 * 1024 * 1024)]), '看这里')).statusCode).toBe(413)
  expect((await read(token)).list).toHaveLength(1)
  const sent = await form(png, '看这里')
  expect(sent.statusCode).toBe(303)
  const [, words, picture] = (await read(token)).list
  expect([words?.text, words?.type, picture?.type, picture?.from]).toEqual(['看这里', 'TEXT', 'IMAGE', 'STAFF'])
  const seen = await server.app.inject({ url: picture?.url ?? '' })
  expect(seen.headers['content-type']).toBe('image/png')
  // with a single match, and not without a login
  expect((await form(png, '')).statusCode).toBe(303)
  expect((await read(token)).list.at(-1)).toMatchObject({ type: 'IMAGE', text: '' })
  const stranger = await multipart(
    `/desk/chat/${userId}/reply`,
    { csrf: desk.csrf, id: 'picture-no-one', text: '' },
    png,
  )
  expect(stranger.headers.location).toBe('/desk/login')
  expect((await read(token)).list).toHaveLength(4)
})

test('the usual response time is computed from the answers once there are enough', async () => {
  await db().deleteFrom('chat_messages').execute()
  until(12)
  const asking = await newUser()
  const wait = async () => (await server.call('evaluation', 'consultStaff', {}, asking)).body.data.avgReplySec
  for (const seconds of [10, 20, 30, 40]) {
    const { token, userId } = await newUser()
    await send(token, '在吗')
    server.clock.advance(seconds * 1000)
    await reply(userId, '在的')
    // a second answer to the same question is not a quick one
    await reply(userId, '请说')
  }
  expect(await wait()).toBe(0)
  const { token, userId } = await newUser()
  await send(token, '在吗')
  server.clock.advance(100_000)
  await reply(userId, '在的')
  expect(await wait()).toBe(40)
})

const multipart = (url: string, fields: Record<string, string>, file: Buffer, cookie = '') =>
  server.app.inject({ method: 'POST', url, ...multipartForm(fields, file, cookie) })

/** Sends a message as the app does. */
async function upload(form: string, key: string) {
  const fields = { ...(JSON.parse(form) as Record<string, string>), key, 'Content-Type': 'image/png' }
  expect((await multipart('/uploads', fields, png)).statusCode).toBe(204)
}
