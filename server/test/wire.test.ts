import { setupServer } from './harness'

/** The time of the test vectors in the contract's documentation. */
const THEN = 1_763_692_800_000
const server = setupServer({ realNow: () => THEN })

interface Vector {
  what: string
  method: 'GET' | 'POST'
  url: string
  body?: string
  timestamp: string
  random: string
  sign: string
  /** the call's answer after the signature is accepted */
  code: string
}
const config = '/app-api/api/evaluate/user/game/config'
const vectors: Vector[] = [
  {
    what: 'GET with two parameters',
    method: 'GET',
    url: `${config}?gameId=hok&mode=AI`,
    timestamp: '1763692800000',
    random: '042137',
    sign: '0b642ebdc3ec6c632ec35634c6f5e9f3',
    code: 'NOT_FOUND',
  },
  {
    what: 'GET without parameters',
    method: 'GET',
    url: '/app-api/home/app-home-game-list',
    timestamp: '1763692800000',
    random: '999999',
    sign: '5d45c9b4c62b7e533616de5f0308fa4e',
    code: 'OK',
  },
  {
    what: 'GET with Chinese, & and =, a flag and a list',
    method: 'GET',
    url: `/app-api/api/evaluate/user/game/list?Z=true&a=${encodeURIComponent('[1,"二"]')}&keyword=${encodeURIComponent('原神 a&b=c')}&pageNo=1`,
    timestamp: '1763692800123',
    random: '100000',
    sign: '620dcf7797b6a64f6e1dcd2f2eb7709d',
    code: 'VALIDATION_FAILED',
  },
  {
    what: 'POST with a body',
    method: 'POST',
    url: '/app-api/user/auth/sms-login',
    body: '{"mobile":"13800138000","code":"123456"}',
    timestamp: '1763692800000',
    random: '042137',
    sign: '6f1a59fb56f894422f71ca9782251868',
    code: 'SMS_CODE_EXPIRED',
  },
  {
    what: 'POST without a body',
    method: 'POST',
    url: '/app-api/api/evaluate/user/game/hot/game',
    body: '',
    timestamp: '1763692800000',
    random: '042137',
    sign: '038775d73b5e14254a214790dd3731c3',
    code: 'OK',
  },
  {
    what: 'POST with quotes, a newline and an emoji',
    method: 'POST',
    url: '/app-api/user/submit/advice/feedback',
    body: '{"content":"估价\\"不准\\"\\n😀","images":[]}',
    timestamp: '1763692800000',
    random: '300001',
    sign: 'a8da4122ca97fd646919e1c1e98bf245',
    code: 'NOT_LOGGED_IN',
  },
]

const inject = ({ method, url, body, timestamp, random, sign }: Vector, without = '') => {
  const headers: Record<string, string> = { 'content-type': 'application/json', timestamp, random, sign }
  delete headers[without]
  return server.app.inject({ method, url, headers, ...(body ? { payload: body } : {}) })
}

test.each(vectors)('$what is accepted', async (vector) => {
  expect((await inject(vector)).json().code).toBe(vector.code)
})

test.each(vectors)('$what with another sign is refused', async (vector) => {
  const sign = vector.sign.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  const answer = await inject({ ...vector, sign })
  expect(answer.statusCode).toBe(460)
  expect(answer.json()).toEqual({ success: false, msg: '非法请求，请联系客服', data: null, code: 'ILLEGAL_REQUEST' })
})

const first = vectors[0] as Vector

test.each(['timestamp', 'random', 'sign'])('a request without %s is refused', async (name) => {
  expect((await inject(first, name)).statusCode).toBe(460)
})

test('an additional byte in a body invalidates its signature', async () => {
  const post = vectors[3] as Vector
  expect((await inject({ ...post, body: `${post.body} ` })).statusCode).toBe(460)
})

test('a repeated query key is refused even with a valid signature', async () => {
  expect((await inject({ ...first, url: `${config}?gameId=hok&gameId=hok&mode=AI` })).statusCode).toBe(460)
})

test('a difference of up to ten minutes is accepted; beyond it the answer contains the server’s time', async () => {
  const callAt = (ms: number) =>
    server.send('GET', '/app-api/home/app-home-game-list', {}, { timestamp: String(THEN + ms) })
  expect((await callAt(600_000)).status).toBe(200)
  expect((await callAt(-600_000)).status).toBe(200)
  expect((await callAt(600_001)).status).toBe(460)
  expect((await callAt(-600_001)).status).toBe(460)
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const address = server.app.server.address() as { port: number }
  const answer = await fetch(`http://127.0.0.1:${address.port}/app-api/home/app-home-game-list`)
  expect(answer.status).toBe(460)
  expect(Date.parse(answer.headers.get('date') ?? '')).not.toBeNaN()
})
