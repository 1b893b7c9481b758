import { createTestDatabase, someAnswers, startServer, type TestDatabase, type TestServer } from './harness'
import { startWechatApi } from './wechat-api'

/**
 * Texts that others may see are moderated before they are stored: by our own word list, and by WeChat for its users.
 */
const SEC = '/wxa/msg_sec_check'
let testDatabase: TestDatabase
let server: TestServer
let wechat: Awaited<ReturnType<typeof startWechatApi>>
let ann: { token: string }
let orderId: string
const logged: string[] = []
beforeAll(async () => {
  wechat = await startWechatApi()
  testDatabase = await createTestDatabase()
  const onLog = (line: string) => logged.push(line)
  server = await startServer({ testDatabase, games: ['naraka'], env: wechat.env, onLog })
  const login = await server.call('user', 'weixinMiniAppLogin', {
    ...{ phoneCode: '13800000001', loginCode: 'ann', state: 'abcdefgh12345678' },
  })
  ann = login.body.data
  orderId = await submit(ann)
})
afterAll(async () => {
  await server.close()
  await wechat.close()
  testDatabase.remove()
})
beforeEach(() => {
  wechat.seen.length = 0
  wechat.answers[SEC] = () => ({ errcode: 0, result: { suggest: 'pass' } })
})

async function submit(who: { token: string }): Promise<string> {
  const config = (await server.lifecycle.deps?.repositories.games.find('naraka'))?.config
  if (!config) throw new Error('no game')
  const { gameId, schemaVersion } = config
  const req = { gameId, schemaVersion, answers: someAnswers(config), source: 'TYPED' as const }
  return (await server.call('evaluation', 'submitAi', req, who)).body.data.orderId
}
const name = (text: string, who = ann, order = orderId) =>
  server.call('user', 'updateSettings', { account: { orderId: order, name: text } }, who)
const comment = (content: string, who = ann, order = orderId) =>
  server.call('evaluation', 'saveEvaluation', { orderId: order, score: 5, accuracy: 'FAIR', content }, who)
const asked = () => wechat.seen.filter(({ path }) => path === SEC).map(({ body }) => body)

test('a text that WeChat passes is stored; one that it rejects or wants reviewed is refused at its field', async () => {
  expect((await name('峡谷大号')).body.code).toBe('OK')
  expect(asked()).toEqual([{ version: 2, openid: 'o-mini-ann', scene: 1, content: '峡谷大号' }])
  for (const suggest of ['risky', 'review']) {
    wechat.answers[SEC] = () => ({ errcode: 0, result: { suggest } })
    const { status, body } = await name('另一个名字')
    expect([status, body.data]).toMatchObject([400, { fields: [{ path: 'account.name' }] }])
  }
  const { body } = await server.call('evaluation', 'reportGet', { orderId }, ann)
  expect(body.data.account.name).toBe('峡谷大号')
})

test('for users unknown to WeChat our word list applies; while WeChat does not answer nothing is stored', async () => {
  wechat.answers[SEC] = () => ({ errcode: 61010 })
  expect((await name('久未打开')).body.code).toBe('OK')
  wechat.answers[SEC] = () => ({ errcode: -1 })
  expect((await name('没有回答')).body.code).toBe('SERVICE_UNAVAILABLE')
  const phone = await server.login('13800000009')
  const own = await submit(phone)
  wechat.seen.length = 0
  expect((await name('大号', phone, own)).body.code).toBe('OK')
  expect((await name('官-方 客服', phone, own)).status).toBe(400)
  for (const content of ['赌\u034f博', '赌\u3164博', '赌\ufe0f博', '赌\u0336博', '赌\u{e0100}博', '赌\u2800博'])
    expect((await comment(content, phone, own)).status).toBe(400)
  expect(asked()).toEqual([])
})

test.each([
  ['the address of this machine is not on its list', 40164],
  ['the secret was renewed', 40125],
])('%s: our own fault keeps nobody from writing, and the operator is alerted', async (_reason, errcode) => {
  wechat.answers[SEC] = () => ({ errcode: 40001 })
  wechat.next.set('/cgi-bin/stable_token', { body: { errcode, errmsg: 'not ours' } })
  logged.length = 0
  expect((await name('照样可以')).body.code).toBe('OK')
  expect((await name('官方客服')).status).toBe(400)
  expect(logged.filter((line) => line.includes('"alarm":true') && line.includes(String(errcode)))).toHaveLength(1)
})

test('the word list also applies if the mini-program lacks the permission for the check', async () => {
  wechat.answers[SEC] = () => ({ errcode: 48001 })
  logged.length = 0
  expect((await name('没有权限')).body.code).toBe('OK')
  expect(logged.filter((line) => line.includes('"alarm":true') && line.includes('48001'))).toHaveLength(1)
})

test('reviews are checked as comments, which may mention the service', async () => {
  const content = '客服很耐心，价格也准'
  wechat.answers[SEC] = () => ({ errcode: 0, result: { suggest: 'risky' } })
  expect((await comment(content)).body.data).toMatchObject({ fields: [{ path: 'content' }] })
  expect(asked()).toMatchObject([{ scene: 2, content }])
})
