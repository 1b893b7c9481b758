import { sql } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import type { Req } from '@/contract/types'
import { insertSales } from '../db/sales'
import { deleteAccounts } from '../domains/accounts/account-deletion'
import { orderSaleOf, recordStaffSale, screenStaffSale } from '../domains/followups/order-sale'
import { thankFor } from '../domains/followups/sale-follow-up'
import { expectedPriceOf } from '../domains/market/expected-price'
import { decideHeld } from '../domains/market/held-sales'
import { reporterOf } from '../domains/market/reporter-hashes'
import { setupServer, someAnswers } from './harness'
import { adult, advance, configOf } from './orders'
import { uploadPicture } from './upload-picture'

const DAY = 86_400_000
let config: FormConfig
const db = () => server.database.db

const server = setupServer({ games: ['naraka'] })
let base = ''
beforeAll(async () => {
  base = await server.app.listen({ port: 0, host: '127.0.0.1' })
  config = await configOf(server, 'naraka')
})

const encryption = () => {
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not started')
  return deps.encryption
}

let users = 0
async function reported() {
  const mobile = `1360000${String(++users).padStart(4, '0')}`
  // the number of SMS codes per network and hour is limited
  await db().deleteFrom('sms_codes').execute()
  const { token, userId } = await adult(server, mobile)
  return valued({ mobile, token: token as string, userId })
}

/** One more valuation of a user. */
async function valued({ mobile, token, userId }: { mobile: string; token: string; userId: string }, skip = users) {
  const { gameId, schemaVersion } = config
  const request = { gameId, schemaVersion, answers: someAnswers(config, skip), source: 'TYPED' as const }
  const { orderId } = (await server.call('evaluation', 'submitAi', request, { token })).body.data
  const { predict_fen: fen } = await db()
    .selectFrom('reports')
    .select('predict_fen')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  const as = { token, mobile, userId }
  const login = async () => {
    as.token = (await server.login(mobile)).token
  }
  const get = async () => (await server.call('sale', 'followUp', { orderId }, as)).body.data
  const tell = (answer: Omit<Req<'sale', 'report'>, 'orderId' | 'consent'>) =>
    server.call('sale', 'report', { orderId, consent: true, ...answer }, as)
  const sold = (soldFen: number, more: object = {}) =>
    tell({ outcome: 'SOLD', soldFen, soldAt: server.clock.now(), ...more })
  const row = () => db().selectFrom('sale_followups').selectAll().where('order_id', '=', orderId).executeTakeFirst()
  /** Tells of a sale with a screenshot, which staff accept. */
  const prove = async (soldFen: number) => {
    await sold(soldFen, { images: [await uploadPicture(server, base, as.token)] })
    await accept((await row())?.sale_id)
    return get()
  }
  return { orderId, userId, fen, as, login, get, tell, sold, prove, row }
}

/** Staff accept a held sale, as at the desk. */
async function accept(externalId: string | null | undefined) {
  const held = db()
    .selectFrom('held_sales')
    .select('id')
    .where('external_id', '=', externalId ?? '')
  const { id } = await held.executeTakeFirstOrThrow()
  const now = server.clock.now()
  await db()
    .transaction()
    .execute(async (tx) => {
      for (const sale of await decideHeld(tx, sql`(held_sales.id = ${id})`, 'ACCEPTED', now))
        await thankFor(tx, sale.external_id, now)
    })
}
const saleRow = (table: 'sales' | 'held_sales', id: string | null | undefined) =>
  db()
    .selectFrom(table)
    .selectAll()
    .where('source', '=', 'follow-up')
    .where('external_id', '=', id ?? '')
    .execute()
const coupons = (userId: string) =>
  db().selectFrom('user_coupons').select('template_id').where('user_id', '=', userId).execute()

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
  const { fen, tell, sold, row, get } = await reported()
  const listedAt = server.clock.now() - 3 * DAY
  await tell({ outcome: 'LISTED', listFen: Math.round(1.1 * fen), listedAt, platform: '某平台' })
  const [offer] = await saleRow('sales', (await row())?.sale_id)
  expect(offer).toMatchObject({ kind: 'ASKING', listed_at: listedAt })
  expect(await get()).toMatchObject({ answer: { platform: '某平台' } })
  await sold(fen, { listedAt })
  expect(await saleRow('sales', (await row())?.sale_id)).toMatchObject([{ kind: 'SOLD' }])
})

test('an impossible sale is refused and changes nothing', async () => {
  const { fen, tell, sold, row, as, orderId } = await reported()
  const now = server.clock.now()
  const bad = [
    () => sold(5),
    () => sold(fen * 11),
    () => sold(Math.floor(fen / 11)),
    () => sold(fen, { soldAt: now + DAY }),
    () => sold(fen, { soldAt: now - 3 * DAY }),
    () => sold(fen, { listedAt: now + 1000 }),
    () => tell({ outcome: 'SOLD' }),
    () => tell({ outcome: 'LISTED', listedAt: now }),
    () => tell({ outcome: 'KEPT', soldFen: fen, soldAt: now }),
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

/** Records a sale as the desk does. */
async function record(orderId: string, soldFen: number) {
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not started')
  const now = server.clock.now()
  const sale = { soldFen, soldAt: now }
  const screened = await screenStaffSale(deps, orderId, sale)
  await deps.db.transaction().execute((tx) => recordStaffSale(tx, orderId, { sale, screened, now }))
}
const recorded = (orderId: string) =>
  db()
    .selectFrom('sales')
    .select('price_fen')
    .where('external_id', '=', orderSaleOf('APPRAISER', orderId).externalId)
    .execute()

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

/** Decides a held sale as the desk does. */
async function decide(externalId: string | null | undefined, decision: 'ACCEPTED' | 'REFUSED') {
  const held = db()
    .selectFrom('held_sales')
    .select('id')
    .where('external_id', '=', externalId ?? '')
  const { id } = await held.executeTakeFirstOrThrow()
  await db()
    .transaction()
    .execute((tx) => decideHeld(tx, sql`(held_sales.id = ${id})`, decision, server.clock.now()))
}

test('two held sales of a person that staff accept at the same time earn one coupon', async () => {
  const report = await reported()
  const other = await valued(report.as, users + 1)
  for (const { sold, fen } of [report, other]) await sold(fen * 6)
  await Promise.all([report, other].map(async ({ row }) => accept((await row())?.sale_id)))
  expect((await coupons(report.userId)).filter(({ template_id }) => template_id === 'sale-thanks')).toHaveLength(1)
})

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

test('owners are asked after 7, 14 and 30 days, until they have given a final answer', async () => {
  const [silent, told] = [await reported(), await reported()]
  await told.tell({ outcome: 'KEPT' })
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
  const { fen, tell, row, userId } = await reported()
  const soldAt = server.clock.now()
  const told = (soldFen: number) => tell({ outcome: 'SOLD', soldFen, soldAt })
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
  const { fen, prove, tell, row, userId } = await reported()
  expect(await prove(fen)).toMatchObject({ thanked: true })
  expect((await tell({ outcome: 'KEPT' })).body.data).toMatchObject({ thanked: true })
  expect(await coupons(userId)).toContainEqual({ template_id: 'sale-thanks' })
  expect(await row()).toMatchObject({ outcome: 'KEPT', sold_fen: null })
  const mine = db().selectFrom('sales').select('id').where('reporter', '=', reporterOf(encryption(), userId))
  expect(await mine.execute()).toEqual([])
})

test('a person is thanked once a month, also where a clock was ahead', async () => {
  const report = await reported()
  expect(await report.prove(report.fen)).toMatchObject({ thanked: true })
  const other = await valued({ ...report.as, userId: report.userId }, users + 100)
  expect(await other.prove(other.fen)).toMatchObject({ thanked: false })
  const ahead = { told_at: server.clock.now() + 40 * DAY }
  await db().updateTable('sale_followups').set(ahead).where('order_id', '=', report.orderId).execute()
  const third = await valued({ ...report.as, userId: report.userId }, users + 200)
  expect(await third.prove(third.fen)).toMatchObject({ thanked: true })
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

const listings = (table: 'sales' | 'held_sales') =>
  db().selectFrom(table).selectAll().where('source', '=', 'pasted-listing').orderBy('id').execute()

/** Values an account, with the price of its listing if its owner agrees. */
async function paste(as: { token?: string }, answers: Answers, askFen?: number, more: object = {}) {
  const { gameId, schemaVersion } = config
  const request = { gameId, schemaVersion, answers, source: 'TYPED' as const, ...more }
  const listing = askFen === undefined ? undefined : { askFen, consent: true as const }
  return server.call('evaluation', 'submitAi', { ...request, ...(listing && { listing }) }, as)
}

describe('the price of a pasted listing', () => {
  let answers: Answers
  let fen: number
  /** What the market asks for an account. */
  async function askedFor(attributes: Answers) {
    const { model } = (await server.lifecycle.deps?.models.active(config)) ?? {}
    if (!model) throw new Error('no model')
    return expectedPriceOf(model, { kind: 'ASKING', priceFen: 1, at: server.clock.now(), attributes }).marketFen
  }
  beforeAll(async () => {
    answers = someAnswers(config, 200)
    fen = await askedFor(answers)
  })
  /** A new user who may value. */
  const reader = async () => {
    const mobile = `1361000${String(++users).padStart(4, '0')}`
    const { token, userId } = await server.login(mobile)
    return { token: token as string, userId, mobile }
  }

  test('is in the report of its owner, also without the consent to more, and in no other', async () => {
    const owner = await reader()
    const asking = (orderId: string, as: { token?: string } = owner, shareToken?: string) =>
      server.call('evaluation', 'reportGet', shareToken ? { shareToken } : { orderId }, as)
    const { orderId } = (await paste(owner, answers, undefined, { listing: { askFen: 48_000 } })).body.data
    const { data } = (await asking(orderId)).body
    expect(data.asking).toEqual({ fen: 48_000, overPrice: 48_000 / data.price.predictFen - 1 })
    const { shareToken } = (await server.call('evaluation', 'reportImageShare', { orderId }, owner)).body.data
    expect((await asking(orderId, {}, shareToken)).body.data).toMatchObject({ mine: false })
    expect((await asking(orderId, {}, shareToken)).body.data).not.toHaveProperty('asking')
    expect(await listings('sales')).toEqual([])
    const wrong = await paste(await reader(), answers, undefined, { listing: { askFen: 1 } })
    expect(wrong.body.code).toBe('VALIDATION_FAILED')
    // of a manual order, too
    const person = await adult(server, `1361000${String(++users).padStart(4, '0')}`)
    const { gameId, schemaVersion } = config
    const manual = { gameId, schemaVersion, answers, level: 'STD' as const, listing: { askFen: 48_000 } }
    const made = (await server.call('evaluation', 'submitManual', manual, person)).body.data
    const ordered = db().selectFrom('orders').select('ask_fen').where('id', '=', made.orderId)
    expect(await ordered.executeTakeFirst()).toEqual({ ask_fen: 48_000 })
  })

  test('is used with consent only, once for an order', async () => {
    const owner = await reader()
    await paste(owner, answers, undefined, { listing: { askFen: fen } })
    expect(await listings('sales')).toEqual([])
    server.clock.advance(700_000)
    const { body } = await paste(owner, answers, fen)
    expect(body.success).toBe(true)
    const [sale, ...others] = await listings('sales')
    expect(others).toEqual([])
    expect(sale).toMatchObject({ kind: 'ASKING', channel: 'LISTING', price_fen: fen, game_id: 'naraka' })
    expect(sale?.reporter).toBe(reporterOf(encryption(), owner.userId))
    expect(server.clock.now() - (sale?.at ?? 0)).toBeLessThan(60_000)
    expect(JSON.stringify(sale)).not.toContain(owner.userId)
    expect(JSON.stringify(sale)).not.toContain(body.data.orderId)
    // a lost answer: the same submission again
    await paste(owner, answers, fen)
    expect(await listings('sales')).toEqual([sale])
    // a doubtful one waits for staff
    await paste(await reader(), answers, 6 * fen)
    expect(await listings('sales')).toEqual([sale])
    const [held] = await listings('held_sales')
    expect(held).toMatchObject({ reason: 'OUTLIER', kind: 'ASKING', channel: 'LISTING', price_fen: 6 * fen })
    await decide(held?.external_id, 'REFUSED')
    expect(await listings('held_sales')).toEqual([])
  })

  test('given as an account merged into the person’s loses its mark with that person', async () => {
    const { deps } = server.lifecycle
    if (!deps) throw new Error('not started')
    const owner = await reader()
    const former = `before-${owner.userId}`
    await db().insertInto('former_ids').values({ former_id: former, user_id: owner.userId }).execute()
    const given = { gameId: config.gameId, kind: 'ASKING', priceFen: fen, at: server.clock.now() } as const
    const as = { source: 'pasted-listing', channel: 'LISTING', reporter: reporterOf(encryption(), former) } as const
    const ids = Array.from({ length: 2 }, (_, n) => `${former}-${n}`)
    await insertSales(
      db(),
      ids.map((externalId) => ({ ...given, ...as, attributes: {}, externalId })),
    )
    await db().updateTable('users').set({ deletion_at: 1 }).where('id', '=', owner.userId).execute()
    await deleteAccounts.run(deps, server.clock.now())
    const left = (await listings('sales')).filter(({ attributes }) => Object.keys(attributes).length === 0)
    expect(left.map(({ reporter }) => reporter)).toEqual([null, null])
    await db().deleteFrom('sales').where('reporter', 'is', null).where('source', '=', 'pasted-listing').execute()
  })

  test.each([
    ['no money', { askFen: 50, consent: true }],
    ['more than any account costs', { askFen: 1_000_000_001, consent: true }],
    ['a fraction', { askFen: 100.5, consent: true }],
    ['no consent', { askFen: 100_000, consent: false }],
  ])('%s is refused with the name of the field, and no order is made', async (_, listing) => {
    const owner = await reader()
    const { status, body } = await paste(owner, answers, undefined, { listing })
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(JSON.stringify(body)).toContain('挂牌价')
    const orders = await db().selectFrom('orders').select('id').where('user_id', '=', owner.userId).execute()
    expect(orders).toEqual([])
  })

  test('that stands for "ask me" is not used', async () => {
    const before = await listings('sales')
    for (const price of [100, 99 * fen]) expect((await paste(await reader(), answers, price)).body.success).toBe(true)
    expect(await listings('sales')).toEqual(before)
  })

  test('is used no longer, waiting or not, once its owner withdraws the consent; those of others are', async () => {
    // codes of another day
    server.clock.advance(DAY)
    await db().deleteFrom('held_sales').where('source', '=', 'pasted-listing').execute()
    const [owner, other] = [await reader(), await reader()]
    const [own, waiting, foreign] = [220, 221, 222].map((n) => someAnswers(config, n)) as Answers[]
    if (!own || !waiting || !foreign) throw new Error('no answers')
    await paste(other, foreign, await askedFor(foreign))
    const others = await listings('sales')
    await paste(owner, own, await askedFor(own))
    await paste(owner, waiting, 6 * (await askedFor(waiting)))
    expect([(await listings('sales')).length, (await listings('held_sales')).length]).toEqual([others.length + 1, 1])
    const withdraw = () => server.call('user', 'updateSettings', { withdraw: 'LISTING' }, owner)
    const shared = async () => (await server.call('user', 'get', { devices: true }, owner)).body.data.sharedPrices
    expect(await shared()).toEqual(['LISTING'])
    const { body } = await withdraw()
    expect(await shared()).toEqual([])
    expect(body.data).not.toHaveProperty('withdraw')
    expect([await listings('sales'), await listings('held_sales')]).toEqual([others, []])
    expect((await withdraw()).body.success).toBe(true)
    expect([await listings('sales'), await listings('held_sales')]).toEqual([others, []])
    // a later price has its own consent
    server.clock.advance(DAY)
    await paste(await server.login(owner.mobile), own, await askedFor(own))
    expect(await listings('sales')).toHaveLength(others.length + 1)
    await db().deleteFrom('held_sales').where('source', '=', 'pasted-listing').execute()
  })

  test('no longer names its person once their account is deleted; it stays', async () => {
    const { deps } = server.lifecycle
    if (!deps) throw new Error('not started')
    const owner = await reader()
    const own = someAnswers(config, 201)
    await paste(owner, own, await askedFor(own))
    const isMarked = ({ reporter }: { reporter: string | null }) => reporter === reporterOf(encryption(), owner.userId)
    const before = await listings('sales')
    expect(before.filter(isMarked)).toHaveLength(1)
    await db().updateTable('users').set({ deletion_at: 1 }).where('id', '=', owner.userId).execute()
    await deleteAccounts.run(deps, server.clock.now())
    expect(await listings('sales')).toEqual(
      before.map((sale) =>
        isMarked(sale) ? { ...sale, external_id: expect.any(String), reporter: null, device: null } : sale,
      ),
    )
  })
})
