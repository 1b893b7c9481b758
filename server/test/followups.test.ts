import { reporterOf } from '../domains/accounts/reporter-hashes'
import {
  accept,
  base,
  coupons,
  DAY,
  db,
  encryption,
  record,
  recorded,
  reported,
  saleRow,
  server,
  setUpFollowUps,
  users,
  valued,
} from './followups'
import { advance } from './orders'
import { uploadPicture } from './upload-picture'

setUpFollowUps()

test('a plausible price joins the sales at once, without the person and without a coupon', async () => {
  const { fen, sold, row, get, userId, orderId } = await reported()
  expect(await get()).toMatchObject({ thanked: false, predictFen: fen })
  const told = await sold(Math.round(fen * 0.96), { listFen: fen, listedAt: server.clock.now() - 5 * DAY })
  expect(told.body.data).toMatchObject({ thanked: false, answer: { outcome: 'SOLD' } })
  const [sale] = await saleRow('sales', (await row())?.sale_id)
  expect(sale).toMatchObject({
    kind: 'SOLD',
    channel: 'FOLLOW_UP',
    price_fen: Math.round(fen * 0.96),
    game_id: 'naraka',
  })
  expect((sale?.at ?? 0) - (sale?.listed_at ?? 0)).toBeGreaterThanOrEqual(5 * DAY)
  expect(JSON.stringify(sale)).not.toContain(userId)
  expect(JSON.stringify(sale)).not.toContain(orderId)
  expect(await coupons(userId)).not.toContainEqual({ template_id: 'sale-thanks' })
})

test('a sale with a screenshot waits for staff, and is thanked for once they accept it', async () => {
  const { fen, sold, prove, row, get, as, userId } = await reported()
  const images = [await uploadPicture(server, base, as.token)]
  expect((await sold(fen, { images })).body.data).toMatchObject({ thanked: false })
  expect(await row()).toMatchObject({ coupon_id: null })
  expect(await saleRow('held_sales', (await row())?.sale_id)).toMatchObject([{ reason: 'PROOF', refused_at: null }])
  await accept((await row())?.sale_id)
  expect(await get()).toMatchObject({ thanked: true })
  expect(await saleRow('sales', (await row())?.sale_id)).toHaveLength(1)
  await prove(Math.round(0.9 * fen))
  expect((await coupons(userId)).filter(({ template_id }) => template_id === 'sale-thanks')).toHaveLength(1)
})

test('each answer replaces the sale of the one before', async () => {
  const { fen, sold, row, get } = await reported()
  await sold(fen)
  const at = (await get()).answer?.soldAt
  const first = (await row())?.sale_id
  await sold(fen, { soldAt: at })
  expect((await row())?.sale_id).toBe(first)
  const corrected = { answer: { soldFen: Math.round(0.9 * fen) } }
  expect((await sold(Math.round(0.9 * fen))).body.data).toMatchObject(corrected)
  expect(await saleRow('sales', first)).toMatchObject([{ price_fen: Math.round(0.9 * fen) }])
})

test('an offer is news until it is sold', async () => {
  const { fen, answer, sold, row, get } = await reported()
  const listedAt = server.clock.now() - 3 * DAY
  await answer({ outcome: 'LISTED', listFen: Math.round(1.1 * fen), listedAt, platform: '某平台' })
  const [offer] = await saleRow('sales', (await row())?.sale_id)
  expect(offer).toMatchObject({ kind: 'ASKING', listed_at: listedAt })
  expect(await get()).toMatchObject({ answer: { platform: '某平台' } })
  await sold(fen, { listedAt })
  expect(await saleRow('sales', (await row())?.sale_id)).toMatchObject([{ kind: 'SOLD' }])
})

test('an impossible sale is refused and changes nothing', async () => {
  const { fen, answer, sold, row, as, orderId } = await reported()
  const now = server.clock.now()
  const bad = [
    () => sold(5),
    () => sold(fen * 11),
    () => sold(Math.floor(fen / 11)),
    () => sold(fen, { soldAt: now + DAY }),
    () => sold(fen, { soldAt: now - 3 * DAY }),
    () => sold(fen, { listedAt: now + 1000 }),
    () => answer({ outcome: 'SOLD' }),
    () => answer({ outcome: 'LISTED', listedAt: now }),
    () => answer({ outcome: 'KEPT', soldFen: fen, soldAt: now }),
    () => sold(fen, { images: ['u/somebody/20261123/0'] }),
  ]
  for (const attempt of bad) expect((await attempt()).status).toBe(400)
  const disagreed = { orderId, outcome: 'KEPT', consent: false }
  expect((await server.send('POST', '/app-api/sale/tell', disagreed, as)).status).toBe(400)
  expect(await row()).toBeUndefined()
  const other = await reported()
  for (const id of [orderId, 'none'])
    expect((await server.call('sale', 'followUp', { orderId: id }, other.as)).status).toBe(404)
  const foreign = { orderId, outcome: 'KEPT' as const, consent: true as const }
  expect((await server.call('sale', 'report', foreign, other.as)).status).toBe(404)
})

test('a price far from the market waits for staff, without a coupon', async () => {
  const { fen, sold, row, userId } = await reported()
  expect((await sold(fen * 6)).body.data).toMatchObject({ thanked: false })
  const { sale_id } = (await row()) ?? {}
  expect(await saleRow('sales', sale_id)).toEqual([])
  expect(await saleRow('held_sales', sale_id)).toMatchObject([{ reason: 'OUTLIER', refused_at: null }])
  expect(await coupons(userId)).not.toContainEqual({ template_id: 'sale-thanks' })
})

test('a price given with a rating is stored with it only; an absurd one is refused', async () => {
  const { fen, row, as, orderId } = await reported()
  const rate = (soldFen: number) =>
    server.call('evaluation', 'saveEvaluation', { orderId, score: 5, accuracy: 'FAIR', soldFen }, as)
  expect((await rate(5)).status).toBe(400)
  expect((await rate(fen)).body.data).toMatchObject({ soldFen: fen })
  // the consent to use it as a sale is given with the follow-up
  expect((await row())?.outcome ?? null).toBeNull()
  const sales = await db()
    .selectFrom('sales')
    .select('id')
    .where('source', '=', 'follow-up')
    .where('price_fen', '=', fen)
  expect(await sales.execute()).toEqual([])
})

test('a sale counts once: what staff record replaces what the owner reports, before and after', async () => {
  const first = await reported()
  await first.sold(first.fen)
  const id = (await first.row())?.sale_id
  await record(first.orderId, Math.round(0.8 * first.fen))
  expect(await saleRow('sales', id)).toEqual([])
  expect(await recorded(first.orderId)).toEqual([{ price_fen: Math.round(0.8 * first.fen) }])
  expect(await first.row()).toMatchObject({ sold_fen: first.fen })

  const second = await reported()
  await record(second.orderId, second.fen)
  expect((await second.sold(Math.round(0.9 * second.fen))).body.success).toBe(true)
  expect(await saleRow('sales', (await second.row())?.sale_id)).toEqual([])
  expect(await recorded(second.orderId)).toEqual([{ price_fen: second.fen }])
})

test('owners are asked after 7, 14 and 30 days, until they have given a final answer', async () => {
  const [silent, told] = [await reported(), await reported()]
  await told.answer({ outcome: 'KEPT' })
  const asked = async (userId: string) =>
    (
      await db()
        .selectFrom('messages')
        .select(['title', 'link'])
        .where('user_id', '=', userId)
        .where('title', '=', '账号卖出了吗？')
        .execute()
    ).length
  const counts: number[] = []
  for (const days of [6.9, 0.2, 6, 1, 15, 1, 5]) {
    await advance(server, days * DAY)
    counts.push(await asked(silent.userId))
  }
  expect(counts).toEqual([0, 1, 1, 2, 2, 3, 3])
  expect(await asked(told.userId)).toBe(0)
  // neither is looked at again
  const next = db().selectFrom('orders').select('follow_up_at')
  const ended = await next.where('id', 'in', [silent.orderId, told.orderId]).execute()
  expect(ended.map(({ follow_up_at }) => follow_up_at)).toEqual([0, 0])
  // each is due as a one-time message of WeChat too (reminders.test.ts), unlike other messages
  const due = await db()
    .selectFrom('messages')
    .select('title')
    .where('user_id', '=', silent.userId)
    .where('remind_at', 'is not', null)
    .where('type', '=', 'SYSTEM')
    .execute()
  expect(due.map(({ title }) => title)).toEqual(Array(3).fill('账号卖出了吗？'))
  await silent.login()
  expect((await silent.sold(silent.fen)).body.success).toBe(true)
})

test('answers that arrive together store one sale', async () => {
  const { fen, answer, row, userId } = await reported()
  const soldAt = server.clock.now()
  const told = (soldFen: number) => answer({ outcome: 'SOLD', soldFen, soldAt })
  const first = await Promise.all([told(fen), told(fen), told(fen)])
  expect(first.map(({ body }) => body.success)).toEqual([true, true, true])
  const mine = () =>
    db().selectFrom('sales').select('price_fen').where('reporter', '=', reporterOf(encryption(), userId))
  expect(await mine().execute()).toEqual([{ price_fen: fen }])
  const corrected = [0.9, 0.95].map((times) => Math.round(times * fen))
  const answers = await Promise.all(corrected.map(told))
  expect(answers.map(({ body }) => body.success)).toEqual([true, true])
  const kept = (await row())?.sold_fen ?? 0
  expect(corrected).toContain(kept)
  expect(await mine().execute()).toEqual([{ price_fen: kept }])
})

test('an owner who says that the account was kept after all takes the sale back, and keeps the coupon', async () => {
  const { fen, prove, answer, row, userId } = await reported()
  expect(await prove(fen)).toMatchObject({ thanked: true })
  expect((await answer({ outcome: 'KEPT' })).body.data).toMatchObject({ thanked: true })
  expect(await coupons(userId)).toContainEqual({ template_id: 'sale-thanks' })
  expect(await row()).toMatchObject({ outcome: 'KEPT', sold_fen: null })
  const mine = db().selectFrom('sales').select('id').where('reporter', '=', reporterOf(encryption(), userId))
  expect(await mine.execute()).toEqual([])
})

test('a person is thanked for each sale, once', async () => {
  const report = await reported()
  expect(await report.prove(report.fen)).toMatchObject({ thanked: true })
  const other = await valued({ ...report.as, userId: report.userId }, users + 100)
  expect(await other.prove(other.fen)).toMatchObject({ thanked: true })
  await other.prove(other.fen - 100)
  expect((await coupons(report.userId)).filter(({ template_id }) => template_id === 'sale-thanks')).toHaveLength(2)
})
