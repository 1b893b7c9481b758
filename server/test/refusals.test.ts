import { calls } from '@/contract/calls'
import { createTestDatabase, SECRET, setupServer, startServer, type TestDatabase, type TestServer } from './harness'
import { adult } from './orders'
import { leastProcessorTime } from './processor'

const logged: string[] = []
const server = setupServer({ onLog: (line) => logged.push(line) })

const fieldsOf = (body: { data: unknown }) => (body.data as { fields: { path: string; msg: string }[] }).fields

test('invalid JSON with a valid signature: 400 in the envelope', async () => {
  const answer = await server.send('POST', calls.user.sendSmsCode.path, {}, { raw: '{"mobile":' })
  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({ success: false, code: 'VALIDATION_FAILED' })
})

test.each(['null', '[]', '"text"', '3'])('a body of %s is not an object: 400', async (raw) => {
  const answer = await server.send('POST', calls.user.sendSmsCode.path, {}, { raw })
  expect(answer.status).toBe(400)
  expect(fieldsOf(answer.body)[0]?.msg).toBe('请求内容应为 JSON 对象')
})

test('a body with __proto__ is refused', async () => {
  const raw = '{"mobile":"13800138000","scene":1,"__proto__":{"admin":true}}'
  expect((await server.send('POST', calls.user.sendSmsCode.path, {}, { raw })).status).toBe(400)
})

test('unknown, missing and wrong fields are all named', async () => {
  const answer = await server.send('POST', calls.user.login.path, { password: 1, extra: 1 })
  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({ success: false, code: 'VALIDATION_FAILED' })
  expect(fieldsOf(answer.body)).toEqual(
    expect.arrayContaining([
      { path: 'mobile', msg: '请填写手机号' },
      { path: 'extra', msg: 'extra是不支持的字段' },
      { path: 'password', msg: '密码类型不正确' },
    ]),
  )
})

test('an unknown query key is refused, numbers in a query are parsed', async () => {
  const unknown = await server.send('GET', calls.app.banner.path, { place: 'home', x: 1 })
  expect([unknown.status, fieldsOf(unknown.body)]).toEqual([400, [{ path: 'x', msg: 'x是不支持的字段' }]])
  const { token } = await server.login('13800130000')
  const list = await server.send('GET', calls.user.messages.path, { pageNo: 1 }, { token })
  expect(list.body.code).toBe('OK')
  const zero = await server.send('GET', calls.user.messages.path, { pageNo: 0 }, { token })
  expect(fieldsOf(zero.body)).toEqual([{ path: 'pageNo', msg: '页码不能小于 1' }])
})

test('a 2 MB body: 413 in the envelope, and the server lives', async () => {
  const raw = JSON.stringify({ mobile: 'x'.repeat(2 * 1024 * 1024) })
  const answer = await server.send('POST', calls.user.sendSmsCode.path, {}, { raw })
  expect(answer.status).toBe(413)
  expect(answer.body).toMatchObject({ success: false, code: 'PAYLOAD_TOO_LARGE', data: null })
  expect((await server.app.inject('/healthz')).statusCode).toBe(200)
})

test('text that the database cannot store is refused by validation', async () => {
  for (const key of ['\u0000', 'a\ud800'])
    for (const raw of [JSON.stringify({ key }), JSON.stringify({ key: 'k', bizId: key })]) {
      const answer = await server.send('POST', calls.app.countHit.path, {}, { raw })
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED'])
    }
  const query = await server.send('GET', calls.app.banner.path, { place: 'a\u0000' })
  expect(query.status).toBe(400)
  // an emoji is a valid pair of surrogates
  expect((await server.send('POST', calls.app.countHit.path, { key: '估价😀' })).status).not.toBe(500)
})

test('a required text that nobody can see is missing', async () => {
  const { token } = await adult(server, '13800130002')
  const blank = '\u200b\u3164 \u2060'.repeat(6)
  const asked = { orderId: 'o1', reason: '其他', remark: blank }
  const said = { clientId: 'c1', type: 'TEXT', content: blank } as const
  const issues = [
    (await server.call('evaluation', 'applyCancel', asked, { token })).body,
    (await server.call('evaluation', 'saveGameFeedback', { gameName: blank }, { token })).body,
    (await server.call('user', 'submitFeedback', { type: 4, content: blank }, { token })).body,
    (await server.call('chat', 'send', said, { token })).body,
  ]
  expect(issues.flatMap(fieldsOf).map(({ msg }) => msg)).toEqual([
    '请填写取消原因',
    '游戏名称至少 2 个字',
    '请至少填写 10 个字',
    '请输入要发送的内容',
  ])
})

test('listing the errors of the largest allowed body does not block the server', async () => {
  const { token } = await server.login('13800130077')
  const many = <T>(entry: T, n = 15_000) => Array.from({ length: n }, () => entry)
  const lists = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`k${i}`, [...many('a', 130), []]]))
  const ai = { gameId: 'naraka', schemaVersion: 1, source: 'TYPED' }
  const { contrastAnalysis, submitAi, submitManual } = calls.evaluation
  const bodies: [string, Record<string, unknown>, string][] = [
    [contrastAnalysis.path, { orderIds: many('x') }, '订单最多 4 项'],
    [contrastAnalysis.path, { orderIds: many('', 20_000) }, '订单最多 4 项'],
    [submitAi.path, { ...ai, answers: { rareSkins: many('a') } }, '填写内容最多 200 项'],
    [submitAi.path, { ...ai, answers: { rareSkins: many({}) } }, '填写内容最多 200 项'],
    [submitAi.path, { ...ai, answers: lists }, '填写内容类型不正确'],
    [
      submitAi.path,
      { ...ai, answers: Object.fromEntries(many(0, 6000).map((n, i) => [`k${i}`, n])) },
      '填写内容最多 100 项',
    ],
    [
      submitManual.path,
      { gameId: 'hok', schemaVersion: 1, answers: {}, level: 'STD', images: many('a') },
      '账号截图最多 9 项',
    ],
  ]
  for (const [path, body, msg] of bodies) {
    const answers: Awaited<ReturnType<typeof server.send>>[] = []
    const least = await leastProcessorTime(250, async () => {
      answers.push(await server.send('POST', path, body, { token }))
    })
    for (const answer of answers) {
      expect(answer.status).toBe(400)
      expect(fieldsOf(answer.body).map((field) => field.msg)).toContain(msg)
      expect(fieldsOf(answer.body).length).toBeLessThanOrEqual(20)
    }
    expect(least).toBeLessThan(250)
  }
  const over = { ...ai, answers: { rareSkins: many('a', 25_000) } }
  expect((await server.send('POST', submitAi.path, over, { token })).status).toBe(413)
})

test('another content type is refused', async () => {
  const path = calls.user.sendSmsCode.path
  const answer = await server.send('POST', path, {}, { raw: 'a=b', headers: { 'content-type': 'text/plain' } })
  expect([answer.status, answer.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
})

test('unknown paths are 404, known paths with another method 405 with Allow', async () => {
  const unknown = await server.send('GET', '/app-api/nothing/here', {})
  expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND'])
  const wrong = await server.send('POST', calls.app.banner.path, {})
  expect([wrong.status, wrong.body.code, wrong.headers.allow]).toEqual([405, 'METHOD_NOT_ALLOWED', 'GET'])
  const broken = await server.app.inject('/app-api/%ZZ')
  expect([broken.statusCode, broken.json().code]).toEqual([404, 'NOT_FOUND'])
  expect(broken.headers['x-request-id']).toBeTruthy()
})

test('a user call without a token or with a stale one: 401; an open call treats a stale token as no login', async () => {
  const path = calls.user.get.path
  expect((await server.send('GET', path, {})).body.code).toBe('NOT_LOGGED_IN')
  for (const token of ['', 'x', 'a'.repeat(43), `'; drop table users; --`]) {
    const answer = await server.send('GET', path, {}, { token })
    expect([answer.status, answer.body.code]).toEqual([401, 'NOT_LOGGED_IN'])
  }
  const open = await server.send('GET', calls.evaluation.gameList.path, {}, { token: 'a'.repeat(43) })
  expect([open.status, open.body.code]).toEqual([200, 'OK'])
})

test('a wrong signature is reported before missing logins and invalid fields', async () => {
  const answer = await server.app.inject({ method: 'POST', url: calls.evaluation.submitAi.path, payload: { a: 1 } })
  expect([answer.statusCode, answer.json().code]).toEqual([460, 'ILLEGAL_REQUEST'])
})

test('an unexpected error: 500 with the request id of the header; the reason is only in the log', async () => {
  const { db } = server.database
  await db.schema.alterTable('counters').renameTo('hits_away').execute()
  const answer = await server.call('app', 'countHit', { key: 'VISIT' })
  await db.schema.alterTable('hits_away').renameTo('counters').execute()
  expect(answer.status).toBe(500)
  const requestId = answer.headers['x-request-id']
  expect(answer.body).toEqual({
    success: false,
    msg: '服务器出错了，请稍后再试',
    data: { requestId },
    code: 'INTERNAL_ERROR',
  })
  expect(logged.find((line) => line.includes(String(requestId)) && line.includes('counters'))).toBeTruthy()
})

test('every answer has its own request id', async () => {
  const ids = await Promise.all(
    [1, 2, 3].map(async () => (await server.app.inject('/healthz')).headers['x-request-id']),
  )
  expect(new Set(ids).size).toBe(3)
})

test('the log contains calls, but no tokens, numbers, codes, signatures or queries', async () => {
  const mobile = '13912345678'
  const { token } = await server.login(mobile)
  await server.send('GET', calls.evaluation.gameList.path, { keyword: 'secretword' }, { token })
  const text = logged.join('\n')
  expect(text).toContain(calls.evaluation.gameList.path)
  for (const secret of [mobile, token, server.sms.newestCode(mobile) ?? 'none', 'secretword', SECRET, '"sign"'])
    expect(text).not.toContain(secret)
})

describe('with a limit of 5 requests a minute', () => {
  let limited: TestServer
  let other: TestDatabase
  beforeAll(async () => {
    other = await createTestDatabase()
    limited = await startServer({ testDatabase: other, env: { RATE_LIMIT: '5' } })
  })
  afterAll(async () => {
    await limited.close()
    other.remove()
  })

  test('the sixth is 406 REQUEST_TOO_BUSY_PLEASE_WAIT', async () => {
    const ask = () => limited.send('GET', calls.evaluation.gameList.path, {})
    const answers = []
    for (let i = 0; i < 6; i += 1) answers.push(await ask())
    expect(answers.map((a) => a.status)).toEqual([200, 200, 200, 200, 200, 406])
    expect(answers[5]?.body).toMatchObject({ success: false, code: 'REQUEST_TOO_BUSY_PLEASE_WAIT', data: null })
  })
})
