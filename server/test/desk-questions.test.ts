import { HOUR, setupDesk } from './desk-fixture'
import { adult } from './orders'

const { atDesk, config, db, logOf, nextNumber, paidOrder, server } = setupDesk()
const EVIL = '"><script>alert(1)</script><img src=x onerror=alert(2)>'
const INERT = '&#60;script&#62;alert(1)'

test('questions on a report go to those who valued it, for seven days, and are answered on the order’s page', async () => {
  const [author, colleague, admin] = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER'), await atDesk('ADMIN')]
  const { orderId, token, userId } = await paidOrder()
  const other = await adult(server, `1370000${String(nextNumber()).padStart(4, '0')}`)
  const url = `/desk/orders/${orderId}`
  const ask = (content: string, by = token) =>
    server.call('chat', 'send', { clientId: `q${nextNumber()}`, type: 'TEXT', content, orderId }, { token: by })
  await author.send(`${url}/take`)
  expect((await ask('多久能出？')).body).toMatchObject({
    code: 'ORDER_STATUS_CHANGED',
    msg: '报告出具后 7 天内可以向估价师提问，其他时候请问客服',
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
    msg: '报告出具后 7 天内可以向估价师提问，其他时候请问客服',
  })
  expect((await logOf(orderId)).map(([action]) => action)).toEqual([
    'TAKE',
    'FIRST',
    'DELIVER',
    'QUESTION_REPLY',
    'QUESTION_DONE',
  ])
})

test('a question on a report is open on its order until it is answered there; staff read and answer the rest in the chat', async () => {
  const [author, colleague] = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER', '乙')]
  const [consultant, admin] = [await atDesk('CONSULTANT'), await atDesk('ADMIN')]
  const { orderId, token, userId } = await paidOrder()
  const url = `/desk/orders/${orderId}`
  await author.send(`${url}/take`)
  await author.deliver(url, { price: '2580', comment: '按近期成交，仓库齐全' })
  const say = (content: string, about = {}) =>
    server.call('chat', 'send', { clientId: `q${nextNumber()}`, type: 'TEXT', content, ...about }, { token })
  const chat = `/desk/chat/${userId}`
  const seen = async (who: typeof author, text: string) =>
    [(await who.see('/desk/chat')).body, (await who.see(chat)).body].map((body) => body.includes(text))

  const { orderTitle } = (await say('私下问估价师的', { orderId })).body.data
  for (const who of [author, colleague, consultant, admin]) {
    expect((await who.see('/desk/chat')).body).not.toContain(userId)
    expect((await who.see(chat)).statusCode).toBe(404)
    expect((await who.send(`${chat}/reply`, { text: '抢答', id: 'form-of-another' })).statusCode).toBe(404)
  }

  // the cards of the app show the sandbox's while there is no other
  await db().updateTable('staff').set({ active: false }).where('staff_id', '=', consultant.staffId).execute()

  // users ask consultants in the same conversation, which all staff answer
  await say('客服在吗')
  await say('再问估价师', { orderId })
  expect((await colleague.see('/desk/chat')).body).toContain('1 条未读')
  for (const who of [author, colleague, admin]) {
    expect(await seen(who, '客服在吗')).toEqual([true, true])
    expect(await seen(who, '再问估价师')).toEqual([false, false])
  }
  expect((await colleague.send(`${chat}/reply`, { text: '在的', id: 'answer-to-all' })).statusCode).toBe(303)
  expect((await author.see('/desk')).body).toContain('用户提问（1）')
  await author.send(`${url}/answer`, { text: '估价师私下答', id: 'answer-in-private' })
  expect((await author.see('/desk')).body).not.toContain('用户提问')
  expect(await seen(author, '估价师私下答')).toEqual([false, false])

  // its user is notified of both, and reads to which order a question belongs
  const told = await db().selectFrom('messages').select(['title', 'summary']).where('user_id', '=', userId).execute()
  expect(told).toEqual(
    expect.arrayContaining([
      { title: '顾问回复了您的咨询', summary: '在的' },
      { title: '估价师回答了您的提问', summary: `“${orderTitle}”：估价师私下答` },
    ]),
  )
  const { list } = (await server.call('chat', 'messages', {}, { token })).body.data
  expect(orderTitle).toContain(config.name)
  expect(list.map(({ text, orderTitle: of }) => [text, of])).toEqual([
    ['私下问估价师的', orderTitle],
    ['客服在吗', undefined],
    ['再问估价师', orderTitle],
    ['在的', undefined],
    ['估价师私下答', orderTitle],
  ])
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
  for (const url of [`/desk/orders/${orderId}`, '/desk/staff', '/desk/operations'])
    expect((await see(url)).statusCode).toBe(404)
  expect((await send(`/desk/orders/${orderId}/take`)).statusCode).toBe(404)
  expect((await see('/desk/feedback')).statusCode).toBe(200)
  expect(await card()).toMatchObject({ staffId, nick: '小安', wecomQr: '', kfUrl: '' })

  const contactUrl = `/desk/staff/${staffId}/contact`
  const kfUrl = 'https://work.weixin.qq.com/kfid/kfc123'
  for (const [wrong, message] of [
    [{ kfUrl: 'https://evil.example/', corpId: 'ww12345678' }, '客服链接应以'],
    [{ kfUrl }, '要么都填'],
    [{ wecomQr: '../../etc/passwd' }, '没有这张图片'],
  ] as const) {
    const answer = await admin.send(contactUrl, wrong)
    expect([answer.statusCode, answer.body.includes(message)]).toEqual([400, true])
  }
  expect((await send(contactUrl, { kfUrl, corpId: 'ww12345678' })).statusCode).toBe(404)
  const [picture = ''] = server.lifecycle.deps?.repositories.content.pictures() ?? []
  await admin.send(contactUrl, { wecomQr: picture, kfUrl, corpId: 'ww12345678' })
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
  const { token, userId } = await server.login(`1370000${String(nextNumber()).padStart(4, '0')}`)
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
