import { type Kysely, sql } from 'kysely'
import type { DB } from '../db/tables'
import { commitBlindEstimate, saveDraft } from '../domains/orders/appraising/blind-estimates'
import { MAX_UNFINISHED } from '../domains/orders/appraising/workload'
import { deliveryFields } from './appraisal'
import { setupDesk } from './desk-fixture'
import { manualRequest } from './orders'

const { atDesk, config, db, paidOrder, server, statusOf } = setupDesk()

test('an order that nobody has priced goes to a colleague at the desk before its time limit, once, and its owner is notified', async () => {
  const [away, here] = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER', '乙')]
  const { orderId, userId } = await paidOrder()
  await away.send(`/desk/orders/${orderId}/take`)
  const order = () =>
    db().selectFrom('orders').select(['appraiser_id', 'due_at']).where('id', '=', orderId).executeTakeFirstOrThrow()
  const { due_at } = await order()
  server.clock.advance((due_at ?? 0) - 40 * 60_000 - server.clock.now())
  await server.lifecycle.jobRunner?.runAll()
  expect((await order()).appraiser_id).toBe(away.staffId)
  // now an appraiser is present
  await here.see('/desk')
  await server.lifecycle.jobRunner?.runAll()
  expect((await order()).appraiser_id).toBe(here.staffId)
  await away.see('/desk')
  await server.lifecycle.jobRunner?.runAll()
  expect((await order()).appraiser_id).toBe(here.staffId)
  const told = await db().selectFrom('messages').select('summary').where('user_id', '=', userId).execute()
  expect(told.filter(({ summary }) => summary.includes('改由 乙 估价'))).toHaveLength(1)
})

// last, because it moves the clock by hours, perhaps over a night
test('before its time limit an order that nobody took, a second price and a revaluation go to somebody at the desk', async () => {
  const [first, here] = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER', '丁')]
  const order = (orderId: string) =>
    db()
      .selectFrom('orders')
      .select(['status', 'appraiser_id', 'due_at'])
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow()
  /** Forty minutes before the limit, with `here` at the desk. */
  const due = async (orderId: string) => {
    server.clock.advance(((await order(orderId)).due_at ?? 0) - 40 * 60_000 - server.clock.now())
    await here.see('/desk')
    await server.lifecycle.jobRunner?.runAll()
    return order(orderId)
  }
  const untaken = await paidOrder()
  expect(await due(untaken.orderId)).toMatchObject({ status: 'ASSIGNED', appraiser_id: here.staffId })
  await here.deliver(`/desk/orders/${untaken.orderId}`, { price: '2580', comment: '按近期成交，仓库齐全' })

  const expert = await paidOrder({ level: 'PRO' })
  await first.send(`/desk/orders/${expert.orderId}/take`)
  await first.deliver(`/desk/orders/${expert.orderId}`, { price: '2580', comment: '按近期成交，仓库齐全' })
  expect(await due(expert.orderId)).toMatchObject({ status: 'ASSIGNED', appraiser_id: here.staffId })
  await here.deliver(`/desk/orders/${expert.orderId}`, { price: '2600', comment: '按近期成交，仓库齐全' })
  expect((await order(expert.orderId)).status).toBe('REPORTED')

  // one that was handed on for its first price is handed on again for the second
  const slow = await paidOrder({ level: 'PRO' })
  await first.send(`/desk/orders/${slow.orderId}/take`)
  expect((await due(slow.orderId)).appraiser_id).toBe(here.staffId)
  await here.deliver(`/desk/orders/${slow.orderId}`, { price: '2580', comment: '按近期成交，仓库齐全' })
  await first.see('/desk')
  await server.lifecycle.jobRunner?.runAll()
  expect(await order(slow.orderId)).toMatchObject({ status: 'ASSIGNED', appraiser_id: first.staffId })

  const { orderId, token } = await paidOrder()
  await first.send(`/desk/orders/${orderId}/take`)
  await first.deliver(`/desk/orders/${orderId}`, { price: '2580', comment: '按近期成交，仓库齐全' })
  const again = { ...manualRequest(config), answers: {}, orderId, remark: '价格偏低' }
  expect((await server.call('evaluation', 'submitManual', again, { token })).body.code).toBe('OK')
  expect(await due(orderId)).toMatchObject({ status: 'REVALUING', appraiser_id: here.staffId })
  await here.deliver(`/desk/orders/${orderId}`, { price: '2590', comment: '按近期成交，仓库齐全' })
  expect((await order(orderId)).status).toBe('REPORTED')
})

test('an expert order that a third price is awaited for is handed on, though it was handed on for the second', async () => {
  const staff = [await atDesk('APPRAISER', '子'), await atDesk('APPRAISER', '丑'), await atDesk('APPRAISER', '寅')]
  const [first, given, second] = staff as [(typeof staff)[0], (typeof staff)[0], (typeof staff)[0]]
  const third = await atDesk('APPRAISER', '卯')
  const { orderId } = await paidOrder({ level: 'PRO' })
  const url = `/desk/orders/${orderId}`
  const order = () => db().selectFrom('orders').select(['status', 'appraiser_id', 'due_at']).where('id', '=', orderId)
  const appraiserNow = async () => (await order().executeTakeFirstOrThrow()).appraiser_id
  await first.send(`${url}/take`)
  await first.deliver(url, { price: '2580', comment: '按近期成交，仓库齐全' })
  const { due_at } = await order().executeTakeFirstOrThrow()
  server.clock.advance((due_at ?? 0) - 40 * 60_000 - server.clock.now())
  await given.see('/desk')
  await server.lifecycle.jobRunner?.runAll()
  expect(await appraiserNow()).toBe(given.staffId)
  // whoever it was given to is away, somebody else gives a distant price
  await second.deliver(url, { price: '5000', comment: '按近期成交，仓库齐全' })
  expect((await order().executeTakeFirstOrThrow()).status).toBe('ASSIGNED')
  await third.see('/desk')
  await server.lifecycle.jobRunner?.runAll()
  expect(await appraiserNow()).toBe(third.staffId)
})

test('an order that its appraiser is at work on is handed on later, and what they then send stays on the page', async () => {
  const [busy, here] = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER', '乙')]
  const { orderId } = await paidOrder()
  const url = `/desk/orders/${orderId}`
  await busy.send(`${url}/take`)
  const order = () =>
    db().selectFrom('orders').select(['appraiser_id', 'due_at']).where('id', '=', orderId).executeTakeFirstOrThrow()
  const { due_at } = await order()
  /** Whose the order is so many minutes before its limit, with a colleague at the desk. */
  const appraiserAt = async (minutes: number) => {
    server.clock.advance((due_at ?? 0) - minutes * 60_000 - server.clock.now())
    await here.see('/desk')
    await server.lifecycle.jobRunner?.runAll()
    return (await order()).appraiser_id
  }
  server.clock.advance((due_at ?? 0) - 47 * 60_000 - server.clock.now())
  await busy.send(`${url}/first`, { first: '2580' })
  const comment = '按近期成交估价，逐项核对'
  const typed: Record<string, string> = {
    ...{ ...deliveryFields((await busy.see(url)).body, 2580), price: '2580', comment },
  }
  expect(await appraiserAt(44)).toBe(busy.staffId)
  await busy.send(`${url}/draft`, typed)
  expect(await appraiserAt(25)).toBe(busy.staffId)
  expect(await appraiserAt(19)).toBe(here.staffId)
  const late = await busy.send(`${url}/deliver`, typed)
  expect(late.statusCode).toBe(404)
  expect(late.body).toContain('订单已转给其他估价师')
  for (const words of [comment, '2580']) expect(late.body).toContain(words)
  expect(await statusOf(orderId)).toBe('ASSIGNED')
  // nothing else of the order is shown
  expect((await busy.see(url)).body).not.toContain('class="facts"')
  await here.deliver(url, { price: '2580', comment })
  expect(await statusOf(orderId)).toBe('REPORTED')
})

test('an order given to somebody who has not begun it may be taken by others and is still refunded at once', async () => {
  const [here, other] = [await atDesk('APPRAISER', '丙'), await atDesk('APPRAISER', '庚')]
  const admin = await atDesk('ADMIN')
  const made = [await paidOrder(), await paidOrder(), await paidOrder()] as const
  const order = (orderId: string) =>
    db().selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow()
  const { due_at } = await order(made[0].orderId)
  server.clock.advance((due_at ?? 0) - 40 * 60_000 - server.clock.now())
  await here.see('/desk')
  await server.lifecycle.jobRunner?.runAll()
  const info = async ({ orderId, token }: (typeof made)[0]) =>
    (await server.call('pay', 'getInfo', { orderId }, { token })).body.data
  for (const assigned of made) {
    expect(await order(assigned.orderId)).toMatchObject({ status: 'ASSIGNED', appraiser_id: here.staffId })
    const { assignedAt, statusText, actions } = await info(assigned)
    expect([assignedAt, statusText, actions.includes('CANCEL')]).toEqual([undefined, '已分配，等待开始', true])
  }
  const queue = (await here.see('/desk')).body.split('<li>')
  for (const { orderId } of made) expect(queue.find((row) => row.includes(orderId))).toContain('已分配，等待开始')
  const [untouched, taken, begun] = made
  // an admin's work does not accept it for the one who is away
  const url = `/desk/orders/${untouched.orderId}`
  expect((await admin.see(url)).body).toContain('已分配，等待开始')
  const { orderId } = untouched
  const by = { orderId, staffId: admin.staffId, now: server.clock.now() }
  for (const begin of [
    (tx: Kysely<DB>) => commitBlindEstimate(tx, { ...by, fen: 258_000 }),
    (tx: Kysely<DB>) => saveDraft(tx, { ...by, draft: { price: '2580' } }),
  ])
    await expect(db().transaction().execute(begin)).rejects.toThrow('由您来估请先接单')
  for (const act of ['first', 'draft', 'deliver'])
    expect((await admin.send(`${url}/${act}`, { first: '2580', price: '2580' })).body).toContain('由您来估请先接单')
  expect(await order(orderId)).toMatchObject({ appraiser_id: here.staffId, assigned_at: null })
  await other.see('/desk')
  expect((await other.send(`/desk/orders/${taken.orderId}/take`)).headers.location).toContain('done=took')
  expect((await order(taken.orderId)).appraiser_id).toBe(other.staffId)
  expect((await here.send(`/desk/orders/${taken.orderId}/take`)).statusCode).toBe(404)
  await here.send(`/desk/orders/${begun.orderId}/first`, { first: '2580' })
  expect((await other.send(`/desk/orders/${begun.orderId}/take`)).statusCode).toBe(404)
  const cancel = ({ orderId, token }: (typeof made)[0], seen: 'PAID' | 'ASSIGNED') =>
    server.call('evaluation', 'applyCancel', { orderId, reason: '等太久', seen }, { token })
  for (const handed of [taken, begun]) {
    expect((await info(handed)).assignedAt).toBeDefined()
    expect((await cancel(handed, 'PAID')).body.code).toBe('ORDER_STATUS_CHANGED')
    expect((await cancel(handed, 'ASSIGNED')).body.code).toBe('OK')
    expect((await order(handed.orderId)).refund_due_at).not.toBeNull()
  }
  // what the owner has read is still so
  expect((await cancel(untouched, 'PAID')).body.code).toBe('OK')
  expect((await order(untouched.orderId)).refund_due_at).toBeNull()
  await server.lifecycle.jobRunner?.runAll()
  expect(await statusOf(untouched.orderId)).toBe('REFUNDED')
})

test('before its time limit an order goes to whoever holds the fewest unfinished ones, and to somebody at the limit rather than nobody', async () => {
  const [busy, free] = [await atDesk('APPRAISER', '癸'), await atDesk('APPRAISER', '申')]
  const held = []
  for (let n = 0; n < MAX_UNFINISHED; n += 1) held.push((await paidOrder()).orderId)
  for (const id of held) await busy.send(`/desk/orders/${id}/take`)
  // an expert order that only waits for another price is no work of its appraiser
  const waiting = []
  for (let n = 0; n < MAX_UNFINISHED; n += 1) waiting.push((await paidOrder({ level: 'PRO' })).orderId)
  for (const id of waiting) {
    await free.send(`/desk/orders/${id}/take`)
    await free.deliver(`/desk/orders/${id}`, { price: '2580', comment: '按近期成交，仓库齐全' })
  }
  const { orderId } = await paidOrder()
  const { orderId: other } = await paidOrder()
  const order = (id: string) =>
    db().selectFrom('orders').select(['appraiser_id', 'due_at']).where('id', '=', id).executeTakeFirstOrThrow()
  await db()
    .updateTable('orders')
    .set({ reassigned_at: 1 })
    .where('id', 'in', [...held, ...waiting, other])
    .execute()
  server.clock.advance(((await order(orderId)).due_at ?? 0) - 40 * 60_000 - server.clock.now())
  for (const desk of [busy, free]) await desk.see('/desk')
  await server.lifecycle.jobRunner?.runAll()
  expect((await order(orderId)).appraiser_id).toBe(free.staffId)

  await db().updateTable('staff').set({ active: false }).where('staff_id', '=', free.staffId).execute()
  await db().updateTable('orders').set({ reassigned_at: null }).where('id', '=', other).execute()
  await server.lifecycle.jobRunner?.runAll()
  expect((await order(other)).appraiser_id).toBe(busy.staffId)
  expect((await busy.send(`/desk/orders/${other}/take`)).statusCode).toBe(303)
})

test('late orders of a game without anybody at the desk do not keep others from being handed on', async () => {
  const [away, here] = [await atDesk('APPRAISER', '辛'), await atDesk('APPRAISER', '壬')]
  const { orderId } = await paidOrder()
  await away.send(`/desk/orders/${orderId}/take`)
  const order = () =>
    db().selectFrom('orders').select(['appraiser_id', 'due_at']).where('id', '=', orderId).executeTakeFirstOrThrow()
  await sql`insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', 'away-' || n, 'order_no',
      'A' || n, 'due_at', o.due_at - 1, 'game_id', 'nobodys'))).*
    from orders o, generate_series(1, 100) n where o.id = ${orderId}`.execute(db())
  await db()
    .updateTable('staff')
    .set({ game_ids: JSON.stringify([config.gameId]) as never })
    .where('staff_id', '=', here.staffId)
    .execute()
  server.clock.advance(((await order()).due_at ?? 0) - 40 * 60_000 - server.clock.now())
  await here.see('/desk')
  await server.lifecycle.jobRunner?.runAll()
  expect((await order()).appraiser_id).toBe(here.staffId)
  await sql`delete from orders where id like 'away-%'`.execute(db())
})
