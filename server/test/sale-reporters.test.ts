import { deleteAccounts } from '../domains/accounts/account-deletion'
import { reporterOf } from '../domains/accounts/reporter-hashes'
import {
  config,
  coupons,
  db,
  decide,
  paste,
  record,
  recorded,
  reported,
  saleRow,
  server,
  setUpFollowUps,
} from './followups'
import { someAnswers } from './harness'

setUpFollowUps()

test('a sale that staff recorded is no longer linked to the order of a deleted account', async () => {
  const { orderId, userId, fen } = await reported()
  await record(orderId, fen)
  expect(await recorded(orderId)).toEqual([{ price_fen: fen }])
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not started')
  await db().updateTable('users').set({ deletion_at: 1 }).where('id', '=', userId).execute()
  const all = () => db().selectFrom('sales').select('id').where('source', '=', 'appraiser').orderBy('id').execute()
  const before = await all()
  await deleteAccounts.run(deps, server.clock.now())
  expect(await recorded(orderId)).toEqual([])
  expect(await all()).toEqual(before)
})

test('a deleted account is no longer linked to its reported sale, which stays', async () => {
  const { fen, sold, row, userId } = await reported()
  await sold(fen)
  const id = (await row())?.sale_id
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not started')
  const reporter = reporterOf(deps.encryption, userId)
  expect(await saleRow('sales', id)).toMatchObject([{ reporter }])
  await db().updateTable('users').set({ deletion_at: 1 }).where('id', '=', userId).execute()
  await deleteAccounts.run(deps, server.clock.now())
  expect(await row()).toBeUndefined()
  expect(await saleRow('sales', id)).toEqual([])
  const left = db()
    .selectFrom('sales')
    .select('reporter')
    .where('price_fen', '=', fen)
    .where('source', '=', 'follow-up')
  expect(await left.execute()).toContainEqual({ reporter: null })
})

test('a sale is used no longer once its owner withdraws the consent; the listing prices and the sales of others are', async () => {
  const [first, other] = [await reported(), await reported()]
  await first.sold(first.fen)
  await other.sold(other.fen)
  const [id, theirs] = [(await first.row())?.sale_id, (await other.row())?.sale_id]
  expect([await saleRow('sales', id), await saleRow('sales', theirs)]).toMatchObject([[{}], [{}]])
  await server.call('user', 'updateSettings', { withdraw: 'LISTING' }, first.as)
  expect(await saleRow('sales', id)).toHaveLength(1)
  for (let twice = 0; twice < 2; twice++) {
    await server.call('user', 'updateSettings', { withdraw: 'FOLLOW_UP' }, first.as)
    expect(await saleRow('sales', id)).toEqual([])
    expect(await first.row()).toMatchObject({ outcome: 'SOLD', sold_fen: first.fen })
  }
  // the game is trained again without it
  const ordered = db().selectFrom('training_orders').select('at').where('game_id', '=', config.gameId)
  expect((await ordered.executeTakeFirst())?.at).toBeGreaterThan(server.clock.now())
  expect(await saleRow('sales', theirs)).toHaveLength(1)
})

test('an owner whose account is being deleted, or is, reports no sale; a held one may still be accepted, without a name or a coupon', async () => {
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not started')
  const { fen, sold, row, userId, as } = await reported()
  await sold(6 * fen)
  const held = (await row())?.sale_id
  await db().updateTable('users').set({ deletion_at: 1 }).where('id', '=', userId).execute()
  const refused = await sold(Math.round(0.9 * fen))
  expect(refused.body.success).toBe(false)
  expect(await row()).toMatchObject({ sale_id: held, sold_fen: 6 * fen })
  const listing = { askFen: fen, consent: true as const }
  expect((await paste(as, someAnswers(config, 250), undefined, { listing })).body.success).toBe(false)
  await deleteAccounts.run(deps, server.clock.now())
  expect((await sold(fen)).body.success).toBe(false)
  const { external_id } = await db()
    .selectFrom('held_sales')
    .select('external_id')
    .where('price_fen', '=', 6 * fen)
    .executeTakeFirstOrThrow()
  await decide(external_id, 'ACCEPTED')
  expect(await saleRow('sales', external_id)).toMatchObject([{ price_fen: 6 * fen, reporter: null, device: null }])
  expect(await coupons(userId)).not.toContainEqual({ template_id: 'sale-thanks' })
})
