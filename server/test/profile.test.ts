import { notify } from '../domains/accounts/notifications/send'
import { setupServer } from './harness'

/** A user's own settings, and that they take effect. */
let who: { token: string; userId: string }
const server = setupServer()
beforeAll(async () => {
  who = await server.login('13500000001')
})
const update = (req: Parameters<typeof server.call<'user', 'updateSettings'>>[2]) =>
  server.call('user', 'updateSettings', req, who)
const me = async () => (await server.call('user', 'get', {}, who)).body.data

test('nickname and picture can be changed; an invalid nickname is refused at its field', async () => {
  const settings = (await update({ nickname: ' 峡谷老玩家 ', avatar: 'robot' })).body.data
  expect(settings).not.toHaveProperty('nickname')
  expect(await me()).toMatchObject({ nickname: '峡谷老玩家', avatar: 'robot' })
  for (const nickname of ['一', '加我abc.com', '官方客服', '十七个字的名字实在是太长了没有人看得完']) {
    const { status, body } = await update({ nickname })
    expect([status, body.data]).toMatchObject([400, { fields: [{ path: 'nickname' }] }])
  }
  expect((await update({ avatar: 'https://evil.example/x.png' as never })).status).toBe(400)
  expect((await me()).nickname).toBe('峡谷老玩家')
})

test('text size and reduced motion are stored for other devices', async () => {
  await update({ fontScale: 1.3, reduceMotion: true })
  expect((await me()).settings).toMatchObject({ fontScale: 1.3, reduceMotion: true })
})

test('without 报告和订单通知 messages arrive as read and without a reminder, except those that need an action', async () => {
  const { db } = server.database
  const notifyOwner = (type: 'REPORT_READY' | 'NEED_INFO') =>
    notify(db, { userId: who.userId, type, title: type, summary: '', bizType: 'ORDER', now: server.clock.now() })
  await update({ pushReport: false })
  const before = (await me()).unread
  await notifyOwner('REPORT_READY')
  expect((await me()).unread).toBe(before)
  const row = await db.selectFrom('messages').selectAll().where('title', '=', 'REPORT_READY').executeTakeFirstOrThrow()
  expect(row).toMatchObject({ read: true, remind_at: null })
  await notifyOwner('NEED_INFO')
  expect((await me()).unread).toBe(before + 1)
  await update({ pushReport: true })
  await notifyOwner('REPORT_READY')
  expect((await me()).unread).toBe(before + 2)
})
