import { notify } from '../domains/accounts/notifications/send'
import { setupServer } from './harness'

const DAY = 86_400_000
const server = setupServer()
beforeEach(() => server.clock.advance(DAY))

let next = 13_600_000_000
/** A user with an empty box: new users get a message about a coupon. */
async function someone() {
  const user = await server.login(String(next++))
  await server.database.db.deleteFrom('messages').where('user_id', '=', user.userId).execute()
  return user
}

describe('messages', () => {
  const send = (userId: string, title: string, type: 'PAID' | 'SYSTEM' = 'SYSTEM') => {
    server.clock.advance(1)
    const now = server.clock.now()
    return notify(server.database.db, { userId, type, title, summary: title, bizType: 'SYSTEM', now })
  }
  const list = async (token: string, req = {}) => (await server.call('user', 'messages', req, { token })).body.data
  const unread = async (token: string) => (await server.call('user', 'get', {}, { token })).body.data.unread

  test('are listed newest first, by type, page by page, with the unread count everywhere the same', async () => {
    const { token, userId } = await someone()
    for (const title of ['一', '二', '三']) await send(userId, title)
    await send(userId, '付款', 'PAID')
    const first = await list(token, { pageSize: 3 })
    expect(first.list.map((m) => m.title)).toEqual(['付款', '三', '二'])
    expect([first.total, first.unread, await unread(token)]).toEqual([4, 4, 4])
    expect((await list(token, { pageSize: 3, pageNo: 2 })).list.map((m) => m.title)).toEqual(['一'])
    expect(await list(token, { type: 'PAID' })).toMatchObject({ total: 1, unread: 4, list: [{ title: '付款' }] })
  })

  test('the unlock that a payment caused stands above it, though both have one time', async () => {
    const { token, userId } = await someone()
    const now = server.clock.now()
    const notes = [
      ['a', 'PAID', 1],
      ['b', 'UNLOCKED', 1],
      ['c', 'UNLOCKED', 2],
      ['d', 'PAID', 2],
    ] as const
    for (const [id, type, at] of notes)
      await notify(server.database.db, {
        ...{
          id: `${id}-${userId}`,
          userId,
          type,
          title: `${type} ${at}`,
          summary: id,
          bizType: 'ORDER',
          now: now + at,
        },
      })
    server.clock.advance(2)
    expect((await list(token)).list.map((m) => m.title)).toEqual(['UNLOCKED 2', 'PAID 2', 'UNLOCKED 1', 'PAID 1'])
  })

  test('marks one and then all as read, deletes one, and does not touch other users’ messages', async () => {
    const [me, other] = [await someone(), await someone()]
    for (const title of ['一', '二']) await send(me.userId, title)
    await send(other.userId, '别人')
    const theirs = (await list(other.token)).list[0]?.id
    const [second] = (await list(me.token)).list
    expect((await list(me.token, { read: second?.id })).unread).toBe(1)
    expect((await list(me.token, { read: theirs, remove: theirs })).unread).toBe(1)
    expect((await list(me.token, { read: 'ALL' })).unread).toBe(0)
    expect((await list(me.token, { remove: second?.id })).list.map((m) => m.title)).toEqual(['一'])
    expect((await list(other.token)).list).toMatchObject([{ title: '别人', read: false }])
  })

  test('messages are hidden after 90 days and deleted when their month is over', async () => {
    const { token, userId } = await someone()
    await send(userId, '旧')
    server.clock.advance(90 * DAY)
    const again = await server.login(String(next - 1))
    expect((await list(again.token)).total).toBe(0)
    server.clock.advance(31 * DAY)
    await server.lifecycle.jobRunner?.runAll()
    const rows = await server.database.db.selectFrom('messages').selectAll().where('user_id', '=', userId).execute()
    expect(rows).toEqual([])
    expect(token).not.toBe(again.token)
  })
})

describe('feedback', () => {
  const good = { type: 4, content: '希望可以按区服筛选可比成交记录', contact: '微信 abc' } as const
  const submit = (token: string, change = {}) =>
    server.send('POST', '/app-api/user/submit/advice/feedback', { ...good, ...change }, { token })

  test('is kept with its contact encrypted, listed for its author only, and counted by people', async () => {
    const [me, other] = [await someone(), await someone()]
    const before = (await server.call('app', 'feedbackUserCount', {})).body.data.n
    await submit(me.token)
    await submit(me.token, { content: '再说一条：报告里的字太小了' })
    const mine = (await server.call('user', 'feedbackList', {}, { token: me.token })).body.data
    expect(mine.list.map((f) => f.status)).toEqual(['SUBMITTED', 'SUBMITTED'])
    expect(mine.list[1]).toMatchObject({ contact: '微信 abc', content: good.content })
    expect((await server.call('user', 'feedbackList', {}, { token: other.token })).body.data.total).toBe(0)
    expect((await server.call('app', 'feedbackUserCount', {})).body.data.n).toBe(before + 1)
    expect(JSON.stringify(await server.database.db.selectFrom('feedback').selectAll().execute())).not.toContain('abc')
  })

  test.each([
    ['too short', { content: '太短了' }],
    ['of spaces', { content: ` 太短了${' '.repeat(20)}` }],
    ['too long', { content: '长'.repeat(501) }],
    ['of no known type', { type: 9 }],
    ['with five pictures', { images: Array(5).fill('u/x/20250101/0') }],
    ["with somebody's picture", { images: ['u/somebody/20250101/0123456789abcdef0123456789abcdef'] }],
  ])('%s is refused and nothing is kept', async (_what, change) => {
    const { token } = await someone()
    expect((await submit(token, change)).status).toBe(400)
    expect((await server.call('user', 'feedbackList', {}, { token })).body.data.total).toBe(0)
  })

  test('ten reports of feedback a day are accepted', async () => {
    const { token } = await someone()
    const codes = []
    for (let i = 0; i < 11; i++) codes.push((await submit(token)).status)
    expect(codes).toEqual([...Array(10).fill(200), 406])
  })
})
