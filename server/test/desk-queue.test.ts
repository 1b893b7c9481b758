import { assignUntaken } from '../domains/orders/appraising/admin-actions'
import { MAX_UNFINISHED } from '../domains/orders/appraising/workload'
import { setupDesk } from './desk-fixture'
import { manualRequest } from './orders'
import { readWhole, statementsOf } from './plans'

const { atDesk, config, db, logOf, nextNumber, paidOrder, server } = setupDesk()

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
  const appraiser = await atDesk('APPRAISER', '甲')
  const made = []
  for (let n = 0; n < MAX_UNFINISHED + 3; n += 1) made.push(`/desk/orders/${(await paidOrder()).orderId}`)
  const take = (url: string) => appraiser.send(`${url}/take`)
  const [first = '', second = '', ...others] = made
  await take(first)
  await take(second)
  const answers = await Promise.all(others.map(take))
  const refused = answers.flatMap(({ statusCode }, n) => (statusCode === 303 ? [] : [n]))
  expect(refused).toHaveLength(made.length - MAX_UNFINISHED)
  const full = `您手上有 ${MAX_UNFINISHED} 单没有完成（最多同时 ${MAX_UNFINISHED} 单），请先交付再接单`
  for (const n of refused) expect(answers[n]?.body).toContain(full)
  const [left = '', given = ''] = refused.map((n) => others[n] ?? '')
  // one that the job gives them is theirs, whatever else they hold
  const [orderId = '', to] = [given.split('/').at(-1), { staffId: appraiser.staffId, nick: '甲' }]
  await db()
    .transaction()
    .execute((tx) => assignUntaken(tx, { orderId, to, now: server.clock.now() }))
  expect((await appraiser.send(`${given}/first`, { first: '2580' })).statusCode).toBe(303)
  // delivered orders no longer count, nor those that wait for their owner
  await appraiser.deliver(first, { price: '2580', comment: '按近期成交，仓库齐全' })
  expect((await take(left)).statusCode).toBe(409)
  await appraiser.send(`${second}/ask`, { wanted: '请补充仓库截图' })
  expect((await take(left)).statusCode).toBe(303)
})

test('an appraiser of some games sees the orders of these', async () => {
  const [appraiser, admin] = [await atDesk('APPRAISER'), await atDesk('ADMIN')]
  const { orderId } = await paidOrder()
  const set = (games: Record<string, string>) => admin.send(`/desk/staff/${appraiser.staffId}/games`, games)
  expect((await appraiser.see('/desk')).body).toContain(orderId)
  await db().updateTable('staff').set({ game_ids: '["hok"]' }).where('staff_id', '=', appraiser.staffId).execute()
  expect((await appraiser.see('/desk')).body).not.toContain(orderId)
  expect((await appraiser.send(`/desk/orders/${orderId}/take`)).statusCode).toBe(404)
  await set({ 'game-naraka': 'on', 'game-made-up': 'on' })
  expect((await appraiser.see('/desk')).body).toContain(orderId)
  const row = await db()
    .selectFrom('staff')
    .select('game_ids')
    .where('staff_id', '=', appraiser.staffId)
    .executeTakeFirst()
  expect(row?.game_ids).toEqual(['naraka'])
})

test('orders hidden from an appraiser are answered as unknown', async () => {
  const [appraiser, admin] = [await atDesk('APPRAISER'), await atDesk('ADMIN')]
  for (const path of ['/desk/operations', '/desk/log', '/desk/staff']) {
    expect((await appraiser.see(path)).statusCode).toBe(404)
    expect((await admin.see(path)).statusCode).toBe(200)
  }
  const request = { name: 'mallory', role: 'ADMIN', years: '0' }
  expect((await appraiser.send('/desk/staff', request)).statusCode).toBe(404)
  expect((await appraiser.send(`/desk/staff/${admin.staffId}/off`)).statusCode).toBe(404)
  expect((await admin.see('/desk')).statusCode).toBe(200)
})

test('the queue is by due time, whatever is to be done; the navigation marks the current page', async () => {
  const [{ see, send, deliver }, later] = [await atDesk('APPRAISER'), await paidOrder()]
  const current = async (url: string) =>
    [...(await see(url)).body.matchAll(/href="([^"]+)" aria-current="page"/g)].map(([, href]) => href)
  const urgent = await paidOrder()
  const url = `/desk/orders/${urgent.orderId}`
  expect([await current('/desk'), await current(url), await current('/desk/orders')]).toEqual([
    ...[['/desk'], ['/desk'], ['/desk/orders']],
  ])
  await send(`${url}/take`)
  await deliver(url, { price: '2580', comment: '按近期成交，仓库齐全' })
  const again = { ...manualRequest(config), orderId: urgent.orderId, remark: '价格偏低' }
  await server.call('evaluation', 'submitManual', again, { token: urgent.token })
  // a revaluation due in five minutes, an order nobody took due later
  const until = server.clock.now() + 5 * 60_000
  await db().updateTable('orders').set({ due_at: until }).where('id', '=', urgent.orderId).execute()
  const { body } = await see('/desk')
  const places = [urgent, later].map(({ orderId }) => body.indexOf(`/desk/orders/${orderId}"`))
  expect(Math.min(...places)).toBeGreaterThan(0)
  expect(places[0]).toBeLessThan(places[1] ?? 0)
  // what waits for its owner is not to be done
  await send(`/desk/orders/${later.orderId}/take`)
  await send(`/desk/orders/${later.orderId}/ask`, { wanted: '请补一张仓库截图' })
  expect((await see('/desk')).body.split('<h2>等用户补充资料')[1]).toContain(later.orderId)
})

test('an admin finds an AI order by its number, an appraiser does not', async () => {
  const [admin, appraiser] = [await atDesk('ADMIN'), await atDesk('APPRAISER')]
  const { token } = await server.login(`1370000${String(nextNumber()).padStart(4, '0')}`)
  const { gameId, schemaVersion, answers } = manualRequest(config)
  const request = { gameId, schemaVersion, answers, source: 'TYPED' as const }
  const { orderId } = (await server.call('evaluation', 'submitAi', request, { token })).body.data
  const order = db().selectFrom('orders').select('order_no').where('id', '=', orderId)
  const { order_no } = await order.executeTakeFirstOrThrow()
  const found = async ({ see }: typeof admin, words = order_no) => (await see(`/desk/orders?q=${words}`)).body
  const link = `href="/desk/orders/${orderId}"`
  const asked = await statementsOf(db(), async () => expect(await found(admin, order_no.toLowerCase())).toContain(link))
  const searches = asked.filter(({ sql: text }) => /order_no"? (=|ilike)/.test(text))
  expect([searches.length, await readWhole(db(), searches)]).toEqual([1, []])
  // without its first letter, and of an order that the appraiser may not see
  expect(await found(admin, order_no.slice(1))).toContain(link)
  expect(await found(appraiser)).toContain('没有符合的订单')
})
