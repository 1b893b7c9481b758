/** @group long */
import { CompiledQuery, sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { type HeldSale, holdSales, insertSales, type SaleRow } from '../db/sales'
import { decideSource } from '../domains/market/held-sales'
import { newestBacktest } from '../domains/models/backtests'
import { readModel, writeModel } from '../domains/models/model-text'
import { championOf, newestSales } from '../domains/models/repository'
import { requestTraining, rollBackByHand, trainingRequests } from '../domains/models/roll-back'
import { isTrainedOnWithdrawn, recordWithdrawal } from '../domains/models/withdrawn-sales'
import { DAY, quantile } from '../engine/numbers'
import { priceOfRecord } from '../engine/valuate'
import { generateSales } from '../fixtures/synthetic/generate'
import { game, SALES_UNTIL } from '../test/arbitrary'
import { setupDatabase } from '../test/harness'
import { trainOnce } from '../test/models'
import { createTraining } from './training'

const database = setupDatabase()
const config: FormConfig = { ...game('val'), gameId: 'compared' }
let now = SALES_UNTIL
const training = () => createTraining(database.db, trainOnce, () => ++now)

/** the model in use learns from sales before it */
const SINCE = SALES_UNTIL - 60 * DAY
const market = [...generateSales(config, { n: 900, until: SALES_UNTIL })]
  .filter(({ kind }) => kind === 'SOLD')
  .map((sale): SaleRow => ({ ...sale, source: 'market' }))
const [known, fresh] = [market.filter(({ at }) => at < SINCE), market.filter(({ at }) => at >= SINCE)]
/** Sales of another source within some days after `SINCE`. */
const others = (n: number, days: number, priceOf: (sale: SaleRow, i: number) => number) =>
  known.slice(0, n).map((sale, i): SaleRow => {
    const at = SINCE + ((i + 0.5) / n) * days * DAY
    return { ...sale, at, source: 'others', externalId: `o${i}`, priceFen: Math.round(priceOf(sale, i)) }
  })

const decisions = (gameId = config.gameId) =>
  database.db.selectFrom('model_decisions').selectAll().where('game_id', '=', gameId).orderBy('id').execute()
const inUse = async () => (await championOf(database.db, config.gameId))?.id
const forget = () => database.db.deleteFrom('sales').where('at', '>=', SINCE).execute()

beforeAll(async () => {
  await insertSales(database.db, known)
  expect(await training().ensure(config)).toBe(true)
  await training().runDueWork(config)
})
afterEach(forget)

test('a model that learned false prices is refused on the honest days after them, and the one in use stays', async () => {
  const [before, first] = [await inUse(), (await decisions()).length]
  await insertSales(database.db, [...others(80, 5, ({ priceFen }) => 3 * priceFen), ...fresh])
  const outcome = await training().runDueWork(config)
  expect(outcome).toEqual({ done: 'refused', why: expect.stringContaining('高于在用模型') })
  expect(await inUse()).toBe(before)
  const [made] = (await decisions()).slice(first)
  expect(made).toMatchObject({ decision: 'REFUSED', rule: 'SAME_SALES', champion_id: before })
  // the newer half of the new ones, all of them from the honest market
  expect(made?.n).toBe(Math.ceil((80 + fresh.length) / 2))
  expect(made?.from_at).toBeGreaterThan(SINCE + 5 * DAY)
  expect(Number(made?.challenger_error)).toBeGreaterThan(Number(made?.champion_error) + Number(made?.standard_error))
  // the same sales are not tried again
  expect(await training().runDueWork(config)).toMatchObject({ done: 'nothing' })
})

test('prices that follow no market promote no model, although none predicts them better', async () => {
  const before = await inUse()
  await insertSales(
    database.db,
    others(200, 60, (_, i) => 1_000 + ((i * 7_919) % 500) ** 2),
  )
  const outcome = await training().runDueWork(config)
  expect(outcome).toEqual({ done: 'refused', why: expect.stringContaining('请先核对') })
  expect(await inUse()).toBe(before)
})

test('sales that the model in use cannot price compare nothing: the back-tests decide', async () => {
  const { id, body } = (await championOf(database.db, config.gameId)) ?? { id: 0, body: '' }
  const store = (text: string) => database.db.updateTable('models').set({ body: text }).where('id', '=', id).execute()
  await store(writeModel({ ...(await readModel(body)), sales: [] }))
  const first = (await decisions()).length
  await insertSales(
    database.db,
    others(300, 60, (_, i) => 1_000 + ((i * 7_919) % 500) ** 2),
  )
  const outcome = await training().runDueWork(config)
  await store(body)
  expect(outcome).toEqual({ done: 'refused', why: expect.stringContaining('明显高于在用模型') })
  expect((await decisions()).slice(first)).toMatchObject([{ decision: 'REFUSED', rule: 'BACKTEST' }])
})

test('a model is put into use with its accuracy or not at all', async () => {
  const run = (text: string) => sql.raw(text).execute(database.db)
  await run(`create function refuse() returns trigger language plpgsql as 'begin raise exception $$unstorable$$; end'`)
  await run('create trigger refuse before insert or update on backtests execute function refuse()')
  const [before, first] = [await inUse(), (await decisions()).length]
  await insertSales(database.db, fresh.slice(0, 49))
  expect(await training().runDueWork(config)).toMatchObject({
    done: 'nothing',
    why: expect.stringContaining('unstorable'),
  })
  await run('drop function refuse cascade')
  expect(await inUse()).toBe(before)
  expect(await decisions()).toHaveLength(first)
})

test('with too few common sales the back-tests are compared', async () => {
  const [before, first] = [await inUse(), (await decisions()).length]
  await insertSales(database.db, fresh.slice(0, 49))
  const spy = jest.spyOn(Object.getPrototypeOf(database.db.getExecutor()), 'executeQuery')
  expect(await training().runDueWork(config)).toMatchObject({ done: 'stored' })
  const asked = spy.mock.calls.map(([query]) => query as CompiledQuery)
  spy.mockRestore()
  const [made] = (await decisions()).slice(first)
  expect(made).toMatchObject({ decision: 'PROMOTED', rule: 'BACKTEST', champion_id: before, standard_error: null })
  expect(await inUse()).toBe(made?.challenger_id)
  // however many reports there are, those of a model to delete are found by an index
  const removed = asked.find(({ sql: text }) => text.startsWith('delete from "models"'))
  expect(await planOf(removed)).toMatch(/using reports_by_model on reports .*\n +Index Cond: \(model_id = models\.id\)/)
})

/** How large tables would be read: small ones are read whole, whatever their indexes. */
const planOf = (query: CompiledQuery | undefined) =>
  database.db.transaction().execute(async (tx) => {
    for (const way of ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'])
      await sql.raw(`set local enable_${way} = off`).execute(tx)
    const explain = CompiledQuery.raw(`explain ${query?.sql}`, [...(query?.parameters ?? [])])
    const { rows } = await tx.executeQuery<{ 'QUERY PLAN': string }>(explain)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })

test('a model that follows a fallen market replaces the one in use, whatever its back-test of other days', async () => {
  const [before, first] = [await inUse(), (await decisions()).length]
  const usual = (await newestBacktest(database.db, config.gameId))?.result.medianError ?? 0
  await insertSales(
    database.db,
    others(120, 60, ({ priceFen }) => 0.6 * priceFen),
  )
  expect(await training().runDueWork(config)).toMatchObject({ done: 'stored' })
  const [made] = (await decisions()).slice(first)
  expect(made).toMatchObject({ decision: 'PROMOTED', rule: 'SAME_SALES', champion_id: before, n: 60 })
  expect(Number(made?.challenger_error)).toBeLessThan(Number(made?.champion_error) - 0.2)
  expect(await inUse()).toBe(made?.challenger_id)
  // by its back-test, which straddles the fall, it would have been refused
  const own = (await newestBacktest(database.db, config.gameId))?.result.medianError ?? 0
  expect(own).toBeGreaterThan(1.25 * usual + 0.02)
})

describe('a partner whose sales move prices as no other source does', () => {
  const db = () => database.db
  const shop: FormConfig = { ...config, gameId: 'partnered' }
  const ofShop = (sales: readonly SaleRow[]) =>
    sales.map((sale) => ({ ...sale, gameId: shop.gameId, source: 'partnered market' }))
  beforeAll(async () => {
    await insertSales(db(), ofShop(known))
    expect(await training().ensure(shop)).toBe(true)
    await training().runDueWork(shop)
  })
  /** later sales of the same market, oldest first */
  const later = [...generateSales(config, { n: 4_500, until: SALES_UNTIL })]
    .slice(900)
    .filter(({ kind, at }) => kind === 'SOLD' && at >= SINCE)
    .sort((a, b) => a.at - b.at)
    .slice(0, 350)
  const add = (factorOf: (sale: SaleRow) => number, name: string) =>
    db()
      .transaction()
      .execute(async (tx) => {
        const unsent = { secret_sealed: '', created_at: 0, stopped_at: null, pull_url: null, pull_cursor: null }
        const partner = { partner_id: `pk_${name}`, name, ...unsent, pulled_at: null, pull_failure: null }
        await tx.insertInto('partners').values(partner).execute()
        await tx.insertInto('partner_sources').values({ source: name, partner_id: partner.partner_id }).execute()
        const sent = later.map((sale): SaleRow => {
          const priceFen = Math.round(sale.priceFen * factorOf(sale))
          return { ...sale, gameId: shop.gameId, priceFen, source: name, channel: 'PARTNER' }
        })
        await insertSales(tx, sent)
      })
  const held = async (source: string) =>
    (await db().selectFrom('held_sales').select(['reason', 'detail']).where('source', '=', source).execute()).length
  /** Median price of those accounts by the model in use. */
  const priceOf = async (isMeant: (sale: SaleRow) => boolean) => {
    const { body = '' } = (await championOf(db(), shop.gameId)) ?? {}
    const model = await readModel(body)
    const prices = known
      .filter(isMeant)
      .slice(-60)
      .map(
        ({ attributes }) => priceOfRecord(model, shop, attributes, { now: SALES_UNTIL, source: 'TYPED' })?.predictFen,
      )
    return quantile(
      prices.map((fen) => fen ?? 0),
      0.5,
    )
  }
  const prices = known.map(({ priceFen }) => priceFen)
  const ITEM = 'gerenjinzhandanwei'
  const dear = (sale: SaleRow) => sale.priceFen > quantile(prices, 0.6)
  const onServer = ({ attributes }: SaleRow) => attributes.server === 'cn'
  const hasKnife = ({ attributes }: SaleRow) => (attributes.knives as string[] | undefined)?.includes(ITEM) === true

  // first: later champions have learned from the same prices under other ids
  test('is used when its prices are those of the market, though a little lower, and when a person has accepted them', async () => {
    await insertSales(db(), ofShop(fresh))
    await add(() => 0.95, 'honest')
    expect(await training().runDueWork(shop)).toMatchObject({ done: 'stored' })
    expect(await held('honest')).toBe(0)
    const waiting = known.slice(0, 40).map((sale): HeldSale => {
      const externalId = `waiting ${sale.externalId}`
      return { ...sale, gameId: shop.gameId, source: 'honest', externalId, channel: 'PARTNER', reason: 'INFLUENCE' }
    })
    await db()
      .transaction()
      .execute((tx) => holdSales(tx, waiting, now))
    const accepted = { decision: 'ACCEPTED', note: '已核对', staffId: 'x', now } as const
    await db()
      .transaction()
      .execute((tx) => decideSource(tx, 'honest', accepted))
    const { partners } = await newestSales(db(), shop)
    expect(partners.map(({ name, ids, unchecked }) => [name, ids.length, unchecked.length])).toEqual(
      expect.arrayContaining([['honest', 390, 350]]),
    )
  })

  test.each<[string, (sale: SaleRow) => boolean, (sale: SaleRow) => number]>([
    ['dear accounts half as dear again', dear, (sale) => (dear(sale) ? 1.5 : 0.95)],
    ['one server', onServer, (sale) => (onServer(sale) ? 1.5 : 1)],
    ['one item', hasKnife, (sale) => (hasKnife(sale) ? 1.4 : 1)],
    ['two per cent a day', () => true, ({ at }) => 1.02 ** ((at - SINCE) / DAY)],
  ])('waits at the desk, also where a person orders the training: %s', async (what, isMeant, factorOf) => {
    const [before, first] = [await priceOf(isMeant), (await decisions(shop.gameId)).length]
    await insertSales(db(), ofShop(fresh))
    await add(factorOf, what)
    const order = { gameId: shop.gameId, reason: '已核对', now: ++now }
    await db()
      .transaction()
      .execute((tx) => requestTraining(tx, order))
    await training().runDueWork(shop)
    expect(await held(what)).toBe(350)
    const refused = (await decisions(shop.gameId)).slice(first).filter(({ decision }) => decision === 'REFUSED')
    expect(refused.map(({ reason }) => reason)).toContainEqual(expect.stringContaining(`合作方“${what}”`))
    expect(Math.abs((await priceOf(isMeant)) / before - 1)).toBeLessThan(0.05)
  })
})

test('an ordered training whose process ends after a partner’s sales were held is still due', async () => {
  const shop: FormConfig = { ...config, gameId: 'interrupted' }
  const own = (sales: readonly SaleRow[]) => sales.map((sale) => ({ ...sale, gameId: shop.gameId, source: 'own' }))
  const requested = async () => (await trainingRequests(database.db, shop.gameId)).requested
  await insertSales(database.db, own(known))
  expect(await training().ensure(shop)).toBe(true)
  await insertSales(database.db, own(fresh))
  const partner = { partner_id: 'pk_ended', name: 'ended', secret_sealed: '', created_at: 0 }
  await database.db.insertInto('partners').values(partner).execute()
  await database.db.insertInto('partner_sources').values({ source: 'ended', partner_id: 'pk_ended' }).execute()
  const sent = known.slice(0, 60).map((sale): SaleRow => ({ ...sale, gameId: shop.gameId, source: 'ended' }))
  await insertSales(
    database.db,
    sent.map((sale) => ({ ...sale, at: SINCE + DAY, channel: 'PARTNER' })),
  )
  await database.db
    .transaction()
    .execute((tx) => requestTraining(tx, { gameId: shop.gameId, reason: '已核对', now: ++now }))
  const during: boolean[] = []
  const influenced = createTraining(
    database.db,
    async (set) => {
      during.push(await requested())
      const learned = await trainOnce(set)
      return during.length === 1
        ? { ...learned, influence: { partnerId: 'pk_ended', what: '整体高', by: 0.3 } }
        : learned
    },
    () => ++now,
  )
  await influenced.runDueWork(shop)
  expect(during).toEqual([true, true])
  expect(await requested()).toBe(false)
  expect((await decisions(shop.gameId)).map(({ decision, reason }) => [decision, reason.slice(0, 3)])).toEqual(
    expect.arrayContaining([['REFUSED', '合作方']]),
  )
})

test('a game with few sales keeps its model until a quarter more of them or a person’s order replace it', async () => {
  const few: FormConfig = { ...config, gameId: 'few' }
  const add = (from: number, until: number) =>
    insertSales(
      database.db,
      known.slice(from, until).map((sale) => ({ ...sale, gameId: few.gameId, source: 'few' })),
    )
  const championId = async () => (await championOf(database.db, few.gameId))?.id
  await add(0, 120)
  expect(await training().ensure(few)).toBe(true)
  const first = await championId()
  await add(120, 140)
  const waits = { done: 'refused', why: expect.stringContaining('只多 16.7%') }
  expect(await training().runDueWork(few)).toEqual(waits)
  expect(await championId()).toBe(first)
  const order = { gameId: few.gameId, reason: '已核对', now: ++now }
  await database.db.transaction().execute((tx) => requestTraining(tx, order))
  expect(await training().runDueWork(few)).toMatchObject({ done: 'stored', sampleN: 140 })
  const second = await championId()
  expect(second).not.toBe(first)
  await add(140, 160)
  expect(await training().runDueWork(few)).toMatchObject({ done: 'refused' })
  await add(160, 180)
  expect(await training().runDueWork(few)).toMatchObject({ done: 'stored', sampleN: 180 })
  expect(await championId()).not.toBe(second)
})

test('self-reported sales alone replace no model untested, however many they are', async () => {
  const made: FormConfig = { ...config, gameId: 'made' }
  const one = createTraining(
    database.db,
    async () => ({ body: 'learned' }),
    () => ++now,
  )
  const generated = known.slice(0, 60).map((sale) => ({ ...sale, gameId: made.gameId, source: 'synthetic' }))
  await insertSales(database.db, generated)
  expect(await one.ensure(made)).toBe(true)
  await database.db.deleteFrom('sales').where('game_id', '=', made.gameId).execute()
  const told = { gameId: made.gameId, source: 'follow-up', channel: 'FOLLOW_UP' as const }
  await insertSales(
    database.db,
    known.slice(60, 120).map((sale) => ({ ...sale, ...told })),
  )
  expect(await one.retrain(made)).toMatchObject({ done: 'refused', why: expect.stringContaining('只多 0.0%') })
})

/** Removes the first sale of a game, which all its models know, as its owner's withdrawal does. */
async function withdraw(gameId: string) {
  const { db } = database
  const first = db.selectFrom('sales').select('id').where('game_id', '=', gameId).orderBy('id').limit(1)
  const { id } = await first.executeTakeFirstOrThrow()
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('sales').where('id', '=', id).execute()
    await recordWithdrawal(tx, [{ id, game_id: gameId }], ++now)
  })
}

test('a withdrawn price has the model that learned it trained again, a day after the last training at the earliest', async () => {
  const before = await inUse()
  // not learned by the model in use
  await insertSales(database.db, fresh.slice(0, 1))
  const [last] = await database.db.deleteFrom('sales').where('at', '>=', SINCE).returning(['id', 'game_id']).execute()
  if (!last) throw new Error('not stored')
  await recordWithdrawal(database.db, [last], ++now)
  now += 2 * DAY
  expect(await training().runDueWork(config)).toMatchObject({ done: 'nothing' })
  await withdraw(config.gameId)
  const first = (await decisions()).length
  expect(await training().runDueWork(config)).toMatchObject({ done: 'stored' })
  const [made] = (await decisions()).slice(first)
  expect(made).toMatchObject({ decision: 'PROMOTED', rule: 'BACKTEST', champion_id: before })
  // prices told and withdrawn in turns: one training a day
  for (let i = 0; i < 3; i++) {
    await withdraw(config.gameId)
    expect(await training().runDueWork(config)).toMatchObject({ done: 'nothing' })
  }
  now += DAY
  expect(await training().runDueWork(config)).toMatchObject({ done: 'stored' })
  now += DAY
  expect(await training().runDueWork(config)).toMatchObject({ done: 'nothing' })
})

test('a clearly worse model is refused although a price was withdrawn, and tried again after growing intervals', async () => {
  const few: FormConfig = { ...config, gameId: 'few' }
  const champion = await championOf(database.db, few.gameId)
  await withdraw(few.gameId)
  const comparison = { n: 60, days: 10, from: 1, until: 2, champion: 0.1, challenger: 0.5, standardError: 0.01 }
  let trainings = 0
  const worse = createTraining(
    database.db,
    async () => {
      trainings++
      return { body: '', comparison }
    },
    () => ++now,
  )
  const days: number[] = []
  for (let day = 1; day <= 100; day++) {
    now += DAY
    const before = trainings
    const outcome = await worse.runDueWork(few)
    if (trainings > before) days.push(day)
    expect(outcome.done).toBe(trainings > before ? 'refused' : 'nothing')
    // telling and withdrawing again does not begin anew
    if (day % 10 === 0) await withdraw(few.gameId)
  }
  expect(days).toEqual([1, 2, 4, 8, 16, 32, 62, 92])
  expect((await championOf(database.db, few.gameId))?.id).toBe(champion?.id)
})

test('a withdrawn price leaves a game with too few sales to compare, and its trainings end', async () => {
  const few: FormConfig = { ...config, gameId: 'few' }
  now += 30 * DAY
  expect(await training().runDueWork(few)).toMatchObject({ done: 'stored' })
  expect(await isTrainedOnWithdrawn(database.db, few.gameId)).toBe(false)
  now += 30 * DAY
  expect(await training().runDueWork(few)).toMatchObject({ done: 'nothing' })
})

test('a price whose withdrawal was being stored when a training began counts as learned', async () => {
  const gameId = 'few'
  const { db } = database
  const clear = () => db.deleteFrom('withdrawn_sales').where('game_id', '=', gameId).execute()
  const trained = db.selectFrom('models').select(['trained_at', 'newest_sale as id']).where('game_id', '=', gameId)
  const { trained_at, id } = await trained.where('active', '=', true).executeTakeFirstOrThrow()
  const learned: boolean[] = []
  for (const seconds of [61, 59]) {
    await clear()
    await recordWithdrawal(db, [{ id, game_id: gameId }], trained_at - 1000 * seconds)
    learned.push(await isTrainedOnWithdrawn(db, gameId))
  }
  await clear()
  expect(learned).toEqual([false, true])
})

test('a withdrawn price does not undo a roll-back', async () => {
  const gameId = 'few'
  const seen = (await championOf(database.db, gameId))?.id ?? 0
  await database.db.transaction().execute((tx) => rollBackByHand(tx, { gameId, seen, reason: '试验', now: ++now }))
  const back = (await championOf(database.db, gameId))?.id
  expect(back).not.toBe(seen)
  await withdraw(gameId)
  expect(await isTrainedOnWithdrawn(database.db, gameId)).toBe(true)
  now += 2 * DAY
  expect(await training().runDueWork({ ...config, gameId })).toMatchObject({ done: 'nothing' })
  expect((await championOf(database.db, gameId))?.id).toBe(back)
})

test('the model that a roll-back puts into use again is back-tested if its own test is gone', async () => {
  const { db } = database
  const one = training()
  const { gameId } = config
  await db.deleteFrom('backtests').where('game_id', '=', gameId).execute()
  const seen = (await inUse()) ?? 0
  await one.runDueWork(config)
  expect(await newestBacktest(db, gameId)).toBeDefined()
  await db.transaction().execute((tx) => rollBackByHand(tx, { gameId, seen, reason: '试验', now: ++now }))
  await db.deleteFrom('backtests').where('game_id', '=', gameId).execute()
  await one.runDueWork(config)
  expect(await newestBacktest(db, gameId)).toBeDefined()
  // and once only, where nothing can be tested
  await db.deleteFrom('backtests').where('game_id', '=', gameId).execute()
  await one.runDueWork(config)
  expect(await newestBacktest(db, gameId)).toBeUndefined()
})
