import { reminders } from '../domains/accounts/notifications/reminders'
import { type NewMessage, notify } from '../domains/accounts/notifications/send'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from './harness'
import { startWechatApi } from './wechat-api'

/** One-time messages in WeChat about finished reports. */

const SEND = '/cgi-bin/message/subscribe/send'
const MINUTE = 60_000
let testDatabase: TestDatabase
let server: TestServer
let api: Awaited<ReturnType<typeof startWechatApi>>
let userId: string
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  api = await startWechatApi()
  const env = { ...api.env, WECHAT_REMINDER: 'T1:thing1=title,thing2=summary,time3=time' }
  server = await startServer({ testDatabase, env })
  const login = await server.call('user', 'weixinMiniAppLogin', {
    loginCode: 'ann',
    phoneCode: '13700000001',
    state: 's',
  })
  userId = login.body.data.userId
})
afterAll(async () => {
  await server?.close()
  await api?.close()
  testDatabase?.remove()
})
beforeEach(() => {
  api.seen.length = 0
})

const sent = () => api.seen.filter(({ path }) => path === SEND)
const runJobs = async () => server.lifecycle.jobRunner?.runAll()
const ready = (over: Partial<NewMessage> = {}) =>
  notify(server.database.db, {
    ...{ userId, type: 'REPORT_READY', title: '报告已出', summary: '“王者荣耀”的估价报告已生成', bizType: 'REPORT' },
    ...{ link: '/pages/evaluation/report/index?orderId=o1', now: server.clock.now() },
    ...over,
  })

test('a finished report is announced once, to its owner; other messages are not announced', async () => {
  await ready()
  await ready({ type: 'SYSTEM' })
  await Promise.all([runJobs(), runJobs()])
  expect(sent()).toHaveLength(1)
  expect(sent()[0]?.body).toMatchObject({ touser: 'o-mini-ann', data: { thing1: { value: '报告已出' } } })
  await runJobs()
  expect(sent()).toHaveLength(1)
})

test('two processes that find the same message send it once', async () => {
  await ready()
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not ready')
  await Promise.all([1, 2, 3].map(() => reminders.run(deps, server.clock.now())))
  expect(sent()).toHaveLength(1)
})

test('it is retried while WeChat is unavailable and the message is recent; users without permission get none', async () => {
  await ready()
  api.next.set(SEND, { status: 502 })
  await runJobs()
  await runJobs()
  expect(sent()).toHaveLength(1)
  server.clock.advance(6 * MINUTE)
  await runJobs()
  expect(sent()).toHaveLength(2)

  await ready()
  api.next.set(SEND, { body: { errcode: 43101, errmsg: 'user refuse to accept the msg' } })
  await runJobs()
  server.clock.advance(6 * MINUTE)
  await runJobs()
  expect(sent()).toHaveLength(3)

  await ready({ now: server.clock.now() - 61 * MINUTE })
  await runJobs()
  expect(sent()).toHaveLength(3)
  const left = await server.database.db.selectFrom('messages').select('id').where('remind_at', 'is not', null).execute()
  expect(left).toEqual([])
})

test('users who have read it or have no WeChat account here get no reminder', async () => {
  await ready()
  await server.database.db.updateTable('messages').set({ read: true }).where('user_id', '=', userId).execute()
  const { userId: other } = await server.login('13700000002')
  await ready({ userId: other })
  await runJobs()
  expect(sent()).toEqual([])
})
