import { createHash, createSign } from 'node:crypto'
import { connect } from 'node:net'
import { sandboxLogins } from '../domains/staff/accounts'
import { EVENTS_PATH } from '../providers/collector/http'
import { signMessage } from '../providers/collector/signature'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from './harness'
import { alipayKeys, allProvidersEnv, PUSH_TOKEN } from './pay/all-providers'
import { MCHID, message, signed, startWechatStub, type WechatStub } from './pay/wechat-stub'

/** Requests that our clients never send: each is answered as a client error, never as a server error. */
const SECRET = 'collector-secret-16'
let testDatabase: TestDatabase
let server: TestServer
let withCollector: { testDatabase: TestDatabase; server: TestServer }
let stand: WechatStub
const log: string[] = []
beforeAll(async () => {
  stand = await startWechatStub()
  const env = {
    ...allProvidersEnv(stand.url, stand.url),
  }
  testDatabase = await createTestDatabase()
  server = await startServer({ testDatabase, env, onLog: (line) => log.push(line) })
  const other = await createTestDatabase()
  withCollector = {
    testDatabase: other,
    server: await startServer({
      testDatabase: other,
      env: { COLLECTOR_URL: stand.url, COLLECTOR_SECRET: SECRET, PUBLIC_URL: 'https://gz.example.com' },
    }),
  }
})
afterAll(async () => {
  await server.close()
  await withCollector.server.close()
  await stand.close()
  testDatabase.remove()
  withCollector.testDatabase.remove()
})

const forms: [string, string, string][] = [
  ['no boundary', 'multipart/form-data', 'x'],
  ['an empty boundary', 'multipart/form-data; boundary=', 'x'],
  ['a boundary of 300 characters', `multipart/form-data; boundary=${'b'.repeat(300)}`, 'x'],
  ['nothing inside', 'multipart/form-data; boundary=b', ''],
  ['text instead of parts', 'multipart/form-data; boundary=b', 'hello'],
  [
    'a part without an end',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="key"\r\n\r\nv',
  ],
  ['a part whose head breaks off', 'multipart/form-data; boundary=b', '--b\r\nContent-Dispo'],
  ['a part with a broken head', 'multipart/form-data; boundary=b', '--b\r\n\0:\r\n\r\nv\r\n--b--\r\n'],
  [
    'a file that breaks off',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n\xff\xd8',
  ],
  [
    'a field called __proto__',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nv\r\n--b--\r\n',
  ],
  [
    'a JSON field that cannot be made a string',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="key"\r\nContent-Type: application/json\r\n\r\n{"toString":1}\r\n--b--\r\n',
  ],
  [
    'forty fields',
    'multipart/form-data; boundary=b',
    `${Array.from({ length: 40 }, (_, i) => `--b\r\nContent-Disposition: form-data; name="f${i}"\r\n\r\nv\r\n`).join('')}--b--\r\n`,
  ],
]

describe('a malformed form', () => {
  test.each(forms)('with %s is refused by /uploads in the envelope', async (_name, type, payload) => {
    const answer = await server.app.inject({
      method: 'POST',
      url: '/uploads',
      headers: { 'content-type': type },
      payload: Buffer.from(payload, 'latin1'),
    })
    expect([400, 403, 413]).toContain(answer.statusCode)
    expect(answer.json()).toMatchObject({ success: false, code: expect.any(String), msg: expect.any(String) })
  })

  test.each(forms)('with %s is refused by the desk’s reply form', async (_name, type, payload) => {
    const { userId } = await server.login('13800190001').catch(async () => {
      server.clock.advance(86_400_000)
      return server.login('13800190001')
    })
    const { appraiser: name, password } = sandboxLogins
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const login = await server.app.inject({
      method: 'POST',
      url: '/desk/login',
      headers: form,
      payload: new URLSearchParams({ name, password }).toString(),
    })
    const cookie = String(login.headers['set-cookie']).split(';')[0] ?? ''
    const answer = await server.app.inject({
      method: 'POST',
      url: `/desk/chat/${userId}/reply`,
      headers: { cookie, 'content-type': type },
      payload: Buffer.from(payload, 'latin1'),
    })
    expect([400, 413, 460]).toContain(answer.statusCode)
  })
})

test.each([
  ['application/x-www-form-urlencoded', `name=${'x'.repeat(70_000)}`, 413, '提交的内容过大，请精简后重试'],
  ['application/json', '{"name":"a"}', 415, '提交的内容格式不受支持'],
  ['text/plain', 'name', 415, '提交的内容格式不受支持'],
])('a form of the desk that is %s and no form: refused with its reason', async (type, payload, status, reason) => {
  const headers = { 'content-type': type }
  const answer = await server.app.inject({ method: 'POST', url: '/desk/login', headers, payload })
  expect(answer.statusCode).toBe(status)
  expect(answer.body).toContain(reason)
})

const postNotification = async (
  provider: string,
  payload: string,
  headers: Record<string, string> = {},
  query = '',
) => {
  const url = `/pay/notify/${provider}${query}`
  const answer = await server.app.inject({ method: 'POST', url, headers, payload })
  return { status: answer.statusCode, body: answer.body }
}

describe('a signed but invalid notification gets the error response that its provider documents', () => {
  const trade = {
    mchid: MCHID,
    out_trade_no: 'T1',
    trade_state: 'SUCCESS',
    transaction_id: '4200001',
    amount: { total: 390, currency: 'CNY' },
  }
  const without = (name: keyof typeof trade) =>
    Object.fromEntries(Object.entries(trade).filter(([key]) => key !== name))
  const body = (change: object) => {
    const text = JSON.stringify({ ...JSON.parse(message('TRANSACTION.SUCCESS', trade).body), ...change })
    return { headers: signed(text), body: text }
  }
  const nothing = { headers: signed('null'), body: 'null' }
  test.each([
    ['null', () => nothing],
    ['null inside', () => message('TRANSACTION.SUCCESS', null)],
    ['dollars', () => message('TRANSACTION.SUCCESS', { ...trade, amount: { total: 390, currency: 'USD' } })],
    ['no amount', () => message('TRANSACTION.SUCCESS', without('amount'))],
    ['half a fen', () => message('TRANSACTION.SUCCESS', { ...trade, amount: { total: 0.5 } })],
    ['no number', () => message('TRANSACTION.SUCCESS', without('transaction_id'))],
    ['NUL in the number', () => message('TRANSACTION.SUCCESS', { ...trade, out_trade_no: 'T\u0000' })],
    ['a refund without a number', () => message('REFUND.SUCCESS', { mchid: MCHID })],
    ['no event type', () => body({ event_type: undefined })],
    ['no content', () => body({ resource: undefined })],
  ])('WeChat: %s', async (_name, make) => {
    const { headers, body: text } = make()
    const { status, body: answer } = await postNotification('wechat', text, headers)
    expect([status, JSON.parse(answer)]).toEqual([400, { code: 'FAIL', message: expect.any(String) }])
  })

  const fields = {
    app_id: '2021000122671080',
    out_trade_no: 'T1',
    trade_no: '2026112122001',
    trade_status: 'TRADE_SUCCESS',
    total_amount: '3.90',
  }
  const alipayForm = (change: Record<string, string>) => {
    const all: Record<string, string> = { ...fields, ...change }
    const text = Object.keys(all)
      .sort()
      .map((key) => `${key}=${all[key]}`)
      .join('&')
    const sign = createSign('RSA-SHA256').update(text, 'utf8').sign(alipayKeys.privateKey, 'base64')
    return new URLSearchParams({ ...all, sign_type: 'RSA2', sign }).toString()
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  test.each(['3.9', '3,90', '-3.90', 'NaN', '３.９０', '1e2'])('Alipay: %s yuan', async (total_amount) => {
    expect(await postNotification('alipay', alipayForm({ total_amount }), form)).toEqual({ status: 400, body: 'fail' })
  })
  test('Alipay: NUL in the number', async () => {
    expect(await postNotification('alipay', alipayForm({ out_trade_no: 'T\u0000' }), form)).toEqual({
      status: 400,
      body: 'fail',
    })
  })

  const push = (text: string) => {
    const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), 'n1']
    const signature = createHash('sha1').update([PUSH_TOKEN, timestamp, nonce].sort().join('')).digest('hex')
    return postNotification(
      'virtual',
      text,
      { 'content-type': 'application/json' },
      `?${new URLSearchParams({ signature, timestamp, nonce })}`,
    )
  }
  test.each([
    'null',
    '[]',
    '1',
    '{"Event":"xpay_goods_deliver_notify"}',
    '{"Event":"xpay_goods_deliver_notify","OutTradeNo":{}}',
    '{"Event":"xpay_goods_deliver_notify","OutTradeNo":"T\\u0000"}',
  ])('virtual payment: %s', async (text) => {
    const { status, body: answer } = await push(text)
    expect([status, JSON.parse(answer)]).toEqual([400, { ErrCode: 1, ErrMsg: expect.any(String) }])
  })

  test.each([
    ['NUL in the task', { taskId: 'a\u0000', event: 'SCANNED' }],
    ['half a character in the task', { taskId: 'a\ud800', event: 'SCANNED' }],
    ['null', null],
    ['a progress that is none', { taskId: 'a', event: 'COLLECTING', progress: 'x' }],
  ])('collector: %s', async (_name, news) => {
    const text = JSON.stringify(news)
    const [timestamp, nonce] = [String(Date.now()), 'nonce-0001']
    const signature = signMessage(SECRET, { method: 'POST', path: EVENTS_PATH, body: text, timestamp, nonce })
    const answer = await withCollector.server.app.inject({
      method: 'POST',
      url: EVENTS_PATH,
      headers: {
        'content-type': 'application/json',
        'x-timestamp': timestamp,
        'x-nonce': nonce,
        'x-signature': signature,
      },
      payload: text,
    })
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'VALIDATION_FAILED'])
  })
})

describe('text that the database cannot store, at the sandbox’s addresses', () => {
  // an object that cannot be converted to a string: `String({ toString: 1 })` throws
  const bad = ['\u0000', 'a\ud800', { toString: 1 }]
  test.each(['/sandbox/cashier/%00', '/sandbox/collector?taskId=%00', '/sandbox/sms?mobile=%00'])(
    'GET %s',
    async (url) => {
      const answer = await server.app.inject({ url })
      expect([400, 404]).toContain(answer.statusCode)
    },
  )
  test.each(['/sandbox/pay', '/sandbox/collector', '/sandbox/desk/report', '/sandbox/clock'])(
    'POST %s',
    async (url) => {
      for (const text of bad) {
        const all = { orderId: text, paymentId: text, taskId: text, result: 'SUCCESS', comment: text, priceFen: 100 }
        for (const payload of [all, { ...all, [typeof text === 'string' ? text : '\u0000']: 1 }]) {
          const answer = await server.app.inject({ method: 'POST', url, payload })
          expect([url, answer.statusCode, answer.json().success]).toEqual([url, 400, false])
        }
      }
    },
  )
  test('POST of the cashier’s form', async () => {
    const answer = await server.app.inject({
      method: 'POST',
      url: '/sandbox/cashier/%00',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'result=SUCCESS',
    })
    expect(answer.statusCode).toBe(400)
  })
})

test('a malformed HTTP request, or one with too large headers, is answered with the envelope', async () => {
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const address = server.app.server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const ask = (text: string) =>
    new Promise<string>((resolve, reject) => {
      let answer = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      socket.on('data', (part) => {
        answer += part
      })
      socket.on('close', () => resolve(answer))
      socket.on('error', reject)
    })
  const large = await ask(`GET /healthz HTTP/1.1\r\nhost: x\r\nx-large: ${'x'.repeat(17_000)}\r\n\r\n`)
  expect(large).toMatch(/^HTTP\/1\.1 431 /)
  expect(large).toMatch(/x-request-id: [\w-]{12}/)
  expect(JSON.parse(large.split('\r\n\r\n')[1] ?? '')).toEqual({
    success: false,
    msg: '请求头过大，请清除浏览器数据后重试',
    data: null,
    code: 'PAYLOAD_TOO_LARGE',
  })
  const noise = await ask('hello\r\n\r\n')
  expect(noise).toMatch(/^HTTP\/1\.1 400 /)
  expect(JSON.parse(noise.split('\r\n\r\n')[1] ?? '')).toMatchObject({ success: false, code: 'VALIDATION_FAILED' })
})

test('no server error was logged', () => {
  expect(log.filter((line) => line.includes('"request failed"'))).toEqual([])
})
