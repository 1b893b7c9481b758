import { CompiledQuery, sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { type HeldSale, holdSales, insertSales, type SaleRow } from '../db/sales'
import { decideSource } from '../domains/market/held-sales'
import { newestBacktest } from '../domains/models/backtests'
import { championOf, newestSales } from '../domains/models/repository'
import { requestTraining, rollBackByHand, trainingRequests } from '../domains/models/roll-back'
import { isTrainedOnWithdrawn, recordWithdrawal } from '../domains/models/withdrawn-sales'
import type { Backtest } from '../engine/backtest'
import type { Comparison } from '../engine/compare-models'
import { DAY } from '../engine/numbers'
import { generateSales } from '../fixtures/synthetic/generate'
import { game, SALES_UNTIL } from '../test/arbitrary'
import { setupDatabase } from '../test/harness'
import type { Trained, TrainingSet } from './train-and-test'
import { createTraining } from './training'

/** What becomes of a training's result. Trainings themselves: train-and-test.test.ts and promotion.deep.test.ts. */
const database = setupDatabase()
const db = () => database.db
const config: FormConfig = { ...game('val'), gameId: 'compared' }
let now = SALES_UNTIL

/** the model in use learns from sales before it */
const SINCE = SALES_UNTIL - 60 * DAY
const market = [...generateSales(config, { n: 900, until: SALES_UNTIL })]
  .filter(({ kind }) => kind === 'SOLD')
  .map((sale): SaleRow => ({ ...sale, source: 'market' }))
const [known, fresh] = [market.filter(({ at }) => at < SINCE), market.filter(({ at }) => at >= SINCE)]
const ofGame = (gameId: string, sales: readonly SaleRow[]) => sales.map((sale) => ({ ...sale, gameId, source: gameId }))

/** Errors of both models on the same sales. */
const comparisonOf = (champion: number, challenger: number): Comparison => ({
  ...{ n: 60, days: 10, from: 1, until: 2, standardError: 0.01 },
  ...{ champion, challenger },
})

interface Outcome {
  /** median error of the back-test, and the number of its sales */
  error?: number
  tested?: number
  /** of both models on the same sales, if the training was given any */
  comparison?: Comparison
  influence?: Trained['influence']
}
/** Trainings that give these outcomes in turn, the last one from then on, and what they were given. */
function trainingOf(...outcomes: Outcome[]) {
  const sets: TrainingSet[] = []
  const training = createTraining(
    db(),
    async (set) => {
      sets.push(set)
      const {
        error = 0.1,
        tested = 200,
        comparison,
        influence,
      } = outcomes[Math.min(sets.length, outcomes.length) - 1] ?? {}
      if (influence) return { body: '', influence }
      const accuracy = { n: tested, medianError: error, modelVersion: `${set.now}` } as Backtest
      return {
        body: set.want === 'accuracy' ? '' : 'learned',
        ...(set.want !== 'model' && { accuracy }),
        ...(set.champion && comparison && { comparison }),
      }
    },
    () => ++now,
  )
  return { ...training, sets }
}

/** Trainings of a game with too few sales to compare models by their back-tests. */
const untestedTraining = () => trainingOf({ tested: 30 })

const decisions = (gameId = config.gameId) =>
  db().selectFrom('model_decisions').selectAll().where('game_id', '=', gameId).orderBy('id').execute()
const inUse = async (gameId = config.gameId) => (await championOf(db(), gameId))?.id
const order = (gameId: string) =>
  db()
    .transaction()
    .execute((tx) => requestTraining(tx, { gameId, reason: '已核对', now: ++now }))

beforeAll(async () => {
  await insertSales(db(), known)
  const training = trainingOf()
  expect(await training.ensure(config)).toBe(true)
  await training.runDueWork(config)
})
afterEach(() => db().deleteFrom('sales').where('at', '>=', SINCE).execute())

test('a model that predicts the newest sales worse is refused, and the one in use stays', async () => {
  const [before, first] = [await inUse(), (await decisions()).length]
  const early = known.slice(0, 80).map((sale, i) => ({ ...sale, at: SINCE + i, source: 'others' }))
  await insertSales(db(), [...early, ...fresh])
  const training = trainingOf({ comparison: comparisonOf(0.1, 0.2) })
  const outcome = await training.runDueWork(config)
  expect(outcome).toEqual({ done: 'refused', why: expect.stringContaining('高于在用模型') })
  expect(await inUse()).toBe(before)
  const figures = { champion_error: 0.1, challenger_error: 0.2, standard_error: 0.01, n: 60 }
  const [made] = (await decisions()).slice(first)
  expect(made).toMatchObject({ decision: 'REFUSED', rule: 'SAME_SALES', champion_id: before, ...figures })
  // the newer half of the new ones
  expect(training.sets.map(({ champion }) => champion?.testSet.length)).toEqual([Math.ceil((80 + fresh.length) / 2)])
  // the same sales are not tried again
  expect(await training.runDueWork(config)).toMatchObject({ done: 'nothing' })
})

test('sales that no model predicts promote none', async () => {
  const before = await inUse()
  await insertSales(db(), fresh)
  const outcome = await trainingOf({ comparison: comparisonOf(0.9, 0.9) }).runDueWork(config)
  expect(outcome).toEqual({ done: 'refused', why: expect.stringContaining('请先核对') })
  expect(await inUse()).toBe(before)
})

test('where both models cannot be compared on the same sales the back-tests decide', async () => {
  const first = (await decisions()).length
  await insertSales(db(), fresh)
  const outcome = await trainingOf({ error: 0.3 }).runDueWork(config)
  expect(outcome).toEqual({ done: 'refused', why: expect.stringContaining('明显高于在用模型') })
  expect((await decisions()).slice(first)).toMatchObject([{ decision: 'REFUSED', rule: 'BACKTEST' }])
})

test('a model is put into use with its accuracy or not at all', async () => {
  const run = (text: string) => sql.raw(text).execute(db())
  await run(`create function refuse() returns trigger language plpgsql as 'begin raise exception $$unstorable$$; end'`)
  await run('create trigger refuse before insert or update on backtests execute function refuse()')
  const [before, first] = [await inUse(), (await decisions()).length]
  await insertSales(db(), fresh.slice(0, 49))
  expect(await trainingOf().runDueWork(config)).toMatchObject({
    done: 'nothing',
    why: expect.stringContaining('unstorable'),
  })
  await run('drop function refuse cascade')
  expect(await inUse()).toBe(before)
  expect(await decisions()).toHaveLength(first)
})

test('with too few common sales the back-tests are compared', async () => {
  const [before, first] = [await inUse(), (await decisions()).length]
  await insertSales(db(), fresh.slice(0, 49))
  const spy = jest.spyOn(Object.getPrototypeOf(db().getExecutor()), 'executeQuery')
  const training = trainingOf()
  expect(await training.runDueWork(config)).toMatchObject({ done: 'stored' })
  const asked = spy.mock.calls.map(([query]) => query as CompiledQuery)
  spy.mockRestore()
  expect(training.sets.map(({ champion }) => champion)).toEqual([undefined])
  const [made] = (await decisions()).slice(first)
  expect(made).toMatchObject({ decision: 'PROMOTED', rule: 'BACKTEST', champion_id: before, standard_error: null })
  expect(await inUse()).toBe(made?.challenger_id)
  // however many reports there are, those of a model to delete are found by an index
  const removed = asked.find(({ sql: text }) => text.startsWith('delete from "models"'))
  expect(await planOf(removed)).toMatch(/using reports_by_model on reports .*\n +Index Cond: \(model_id = models\.id\)/)
})

/** How large tables would be read: small ones are read whole, whatever their indexes. */
const planOf = (query: CompiledQuery | undefined) =>
  db()
    .transaction()
    .execute(async (tx) => {
      for (const way of ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'])
        await sql.raw(`set local enable_${way} = off`).execute(tx)
      const explain = CompiledQuery.raw(`explain ${query?.sql}`, [...(query?.parameters ?? [])])
      const { rows } = await tx.executeQuery<{ 'QUERY PLAN': string }>(explain)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })

test('a model that predicts the newest sales better replaces the one in use, whatever its back-test of other days', async () => {
  const [before, first] = [await inUse(), (await decisions()).length]
  await insertSales(db(), fresh)
  const training = trainingOf({ comparison: comparisonOf(0.4, 0.1), error: 0.3 })
  expect(await training.runDueWork(config)).toMatchObject({ done: 'stored' })
  const [made] = (await decisions()).slice(first)
  expect(made).toMatchObject({ decision: 'PROMOTED', rule: 'SAME_SALES', champion_id: before, n: 60 })
  expect(await inUse()).toBe(made?.challenger_id)
  expect((await newestBacktest(db(), config.gameId))?.result.medianError).toBe(0.3)
})

describe('a partner', () => {
  /** A game with a model and new sales, and 60 sales of a partner of that name. */
  async function partnered(gameId: string): Promise<FormConfig> {
    const shop: FormConfig = { ...config, gameId }
    await insertSales(db(), ofGame(gameId, known))
    const training = trainingOf()
    expect(await training.ensure(shop)).toBe(true)
    await training.runDueWork(shop)
    await insertSales(db(), ofGame(gameId, fresh))
    const partner = { partner_id: `pk_${gameId}`, name: gameId, secret_sealed: '', created_at: 0 }
    await db().insertInto('partners').values(partner).execute()
    await db()
      .insertInto('partner_sources')
      .values({ source: `of ${gameId}`, partner_id: partner.partner_id })
      .execute()
    const sent = known.slice(0, 60).map((sale): SaleRow => ({ ...sale, gameId, source: `of ${gameId}` }))
    await insertSales(
      db(),
      sent.map((sale) => ({ ...sale, at: SINCE + DAY, channel: 'PARTNER' })),
    )
    return shop
  }
  const held = async (source: string) =>
    (await db().selectFrom('held_sales').select('reason').where('source', '=', source).execute()).length

  test('is compared with others by the sales that nobody has checked: not those that a person has accepted', async () => {
    const shop = await partnered('honest')
    const source = 'of honest'
    const waiting = known.slice(60, 100).map((sale): HeldSale => {
      const externalId = `waiting ${sale.externalId}`
      return { ...sale, gameId: shop.gameId, source, externalId, channel: 'PARTNER', reason: 'INFLUENCE' }
    })
    await db()
      .transaction()
      .execute((tx) => holdSales(tx, waiting, now))
    await db()
      .transaction()
      .execute((tx) => decideSource(tx, source, { decision: 'ACCEPTED', note: '已核对', staffId: 'x', now }))
    const { partners } = await newestSales(db(), shop)
    expect(partners.map(({ name, ids, unchecked }) => [name, ids.length, unchecked.length])).toEqual([
      ['honest', 100, 60],
    ])
    const training = trainingOf({ comparison: comparisonOf(0.1, 0.1) })
    expect(await training.runDueWork(shop)).toMatchObject({ done: 'stored' })
    expect(training.sets.map(({ doubted }) => doubted?.partners)).toEqual([partners])
  })

  test.each(['ordered by a person', 'by new sales'])(
    'whose sales move prices as no other source does waits at the desk, and the others are learned from: a training %s',
    async (why) => {
      const shop = await partnered(why)
      if (why === 'ordered by a person') await order(shop.gameId)
      const influence = { partnerId: `pk_${why}`, what: '整体高', by: 0.3 }
      const training = trainingOf({ influence }, { comparison: comparisonOf(0.1, 0.1) })
      expect(await training.runDueWork(shop)).toMatchObject({ done: 'stored' })
      expect(await held(`of ${why}`)).toBe(60)
      expect(training.sets.map(({ sales }) => sales.length)).toEqual([
        known.length + fresh.length + 60,
        known.length + fresh.length,
      ])
      const refused = (await decisions(shop.gameId)).filter(({ decision }) => decision === 'REFUSED')
      expect(refused.map(({ reason }) => reason)).toEqual([expect.stringContaining(`合作方“${why}”`)])
    },
  )

  test('has its sales held by an ordered training that is still due if its process ends then', async () => {
    const shop = await partnered('ended')
    const requested = async () => (await trainingRequests(db(), shop.gameId)).requested
    await order(shop.gameId)
    const during: boolean[] = []
    const influenced = createTraining(
      db(),
      async () => {
        during.push(await requested())
        const influence = { partnerId: 'pk_ended', what: '整体高', by: 0.3 }
        return during.length === 1 ? { body: '', influence } : { body: 'learned' }
      },
      () => ++now,
    )
    await influenced.runDueWork(shop)
    expect(during).toEqual([true, true])
    expect(await requested()).toBe(false)
  })
})

const few: FormConfig = { ...config, gameId: 'few' }

test('a game with few sales keeps its model until a quarter more of them or a person’s order replace it', async () => {
  const add = (from: number, until: number) => insertSales(db(), ofGame(few.gameId, known.slice(from, until)))
  const training = untestedTraining()
  await add(0, 120)
  expect(await training.ensure(few)).toBe(true)
  const first = await inUse(few.gameId)
  await add(120, 140)
  const waits = { done: 'refused', why: expect.stringContaining('只多 16.7%') }
  expect(await training.runDueWork(few)).toEqual(waits)
  expect(await inUse(few.gameId)).toBe(first)
  await order(few.gameId)
  expect(await training.runDueWork(few)).toMatchObject({ done: 'stored', sampleN: 140 })
  const second = await inUse(few.gameId)
  expect(second).not.toBe(first)
  await add(140, 160)
  expect(await training.runDueWork(few)).toMatchObject({ done: 'refused' })
  await add(160, 180)
  expect(await training.runDueWork(few)).toMatchObject({ done: 'stored', sampleN: 180 })
  expect(await inUse(few.gameId)).not.toBe(second)
})

test('self-reported sales alone replace no model untested, however many they are', async () => {
  const made: FormConfig = { ...config, gameId: 'made' }
  const one = untestedTraining()
  const generated = known.slice(0, 60).map((sale) => ({ ...sale, gameId: made.gameId, source: 'synthetic' }))
  await insertSales(db(), generated)
  expect(await one.ensure(made)).toBe(true)
  await db().deleteFrom('sales').where('game_id', '=', made.gameId).execute()
  const told = { gameId: made.gameId, source: 'follow-up', channel: 'FOLLOW_UP' as const }
  await insertSales(
    db(),
    known.slice(60, 120).map((sale) => ({ ...sale, ...told })),
  )
  expect(await one.retrain(made)).toMatchObject({ done: 'refused', why: expect.stringContaining('只多 0.0%') })
})

/** Removes the first sale of a game, which all its models know, as its owner's withdrawal does. */
async function withdraw(gameId: string) {
  const first = db().selectFrom('sales').select('id').where('game_id', '=', gameId).orderBy('id').limit(1)
  const { id } = await first.executeTakeFirstOrThrow()
  await db()
    .transaction()
    .execute(async (tx) => {
      await tx.deleteFrom('sales').where('id', '=', id).execute()
      await recordWithdrawal(tx, [{ id, game_id: gameId }], ++now)
    })
}

test('a withdrawn price has the model that learned it trained again, a day after the last training at the earliest', async () => {
  const before = await inUse()
  // not learned by the model in use
  await insertSales(db(), fresh.slice(0, 1))
  const [last] = await db().deleteFrom('sales').where('at', '>=', SINCE).returning(['id', 'game_id']).execute()
  if (!last) throw new Error('not stored')
  await recordWithdrawal(db(), [last], ++now)
  now += 2 * DAY
  expect(await trainingOf().runDueWork(config)).toMatchObject({ done: 'nothing' })
  await withdraw(config.gameId)
  const first = (await decisions()).length
  expect(await trainingOf().runDueWork(config)).toMatchObject({ done: 'stored' })
  const [made] = (await decisions()).slice(first)
  expect(made).toMatchObject({ decision: 'PROMOTED', rule: 'BACKTEST', champion_id: before })
  // prices told and withdrawn in turns: one training a day
  for (let i = 0; i < 3; i++) {
    await withdraw(config.gameId)
    expect(await trainingOf().runDueWork(config)).toMatchObject({ done: 'nothing' })
  }
  now += DAY
  expect(await trainingOf().runDueWork(config)).toMatchObject({ done: 'stored' })
  now += DAY
  expect(await trainingOf().runDueWork(config)).toMatchObject({ done: 'nothing' })
})

test('a clearly worse model is refused although a price was withdrawn, and tried again after growing intervals', async () => {
  const before = await inUse(few.gameId)
  await withdraw(few.gameId)
  const comparison = { n: 60, days: 10, from: 1, until: 2, champion: 0.1, challenger: 0.5, standardError: 0.01 }
  let trainings = 0
  const worse = createTraining(
    db(),
    async () => {
      trainings++
      return { body: '', comparison }
    },
    () => ++now,
  )
  const days: number[] = []
  for (let day = 1; day <= 100; day++) {
    now += DAY
    const tried = trainings
    const outcome = await worse.runDueWork(few)
    if (trainings > tried) days.push(day)
    expect(outcome.done).toBe(trainings > tried ? 'refused' : 'nothing')
    // telling and withdrawing again does not begin anew
    if (day % 10 === 0) await withdraw(few.gameId)
  }
  expect(days).toEqual([1, 2, 4, 8, 16, 32, 62, 92])
  expect(await inUse(few.gameId)).toBe(before)
})

test('a withdrawn price leaves a game with too few sales to compare, and its trainings end', async () => {
  now += 30 * DAY
  expect(await untestedTraining().runDueWork(few)).toMatchObject({ done: 'stored' })
  expect(await isTrainedOnWithdrawn(db(), few.gameId)).toBe(false)
  now += 30 * DAY
  expect(await untestedTraining().runDueWork(few)).toMatchObject({ done: 'nothing' })
})

test('a price whose withdrawal was being stored when a training began counts as learned', async () => {
  const gameId = 'few'
  const clear = () => db().deleteFrom('withdrawn_sales').where('game_id', '=', gameId).execute()
  const trained = db().selectFrom('models').select(['trained_at', 'newest_sale as id']).where('game_id', '=', gameId)
  const { trained_at, id } = await trained.where('active', '=', true).executeTakeFirstOrThrow()
  const learned: boolean[] = []
  for (const seconds of [61, 59]) {
    await clear()
    await recordWithdrawal(db(), [{ id, game_id: gameId }], trained_at - 1000 * seconds)
    learned.push(await isTrainedOnWithdrawn(db(), gameId))
  }
  await clear()
  expect(learned).toEqual([false, true])
})

test('a withdrawn price does not undo a roll-back', async () => {
  const gameId = 'few'
  const seen = (await championOf(db(), gameId))?.id ?? 0
  await db()
    .transaction()
    .execute((tx) => rollBackByHand(tx, { gameId, seen, reason: '试验', now: ++now }))
  const back = (await championOf(db(), gameId))?.id
  expect(back).not.toBe(seen)
  await withdraw(gameId)
  expect(await isTrainedOnWithdrawn(db(), gameId)).toBe(true)
  now += 2 * DAY
  expect(await trainingOf().runDueWork({ ...config, gameId })).toMatchObject({ done: 'nothing' })
  expect((await championOf(db(), gameId))?.id).toBe(back)
})

test('the model that a roll-back puts into use again is back-tested if its own test is gone', async () => {
  const one = trainingOf()
  const { gameId } = config
  await db().deleteFrom('backtests').where('game_id', '=', gameId).execute()
  const seen = (await inUse()) ?? 0
  await one.runDueWork(config)
  expect(await newestBacktest(db(), gameId)).toBeDefined()
  await db()
    .transaction()
    .execute((tx) => rollBackByHand(tx, { gameId, seen, reason: '试验', now: ++now }))
  await db().deleteFrom('backtests').where('game_id', '=', gameId).execute()
  await one.runDueWork(config)
  expect(await newestBacktest(db(), gameId)).toBeDefined()
  // and once only, where nothing can be tested
  await db().deleteFrom('backtests').where('game_id', '=', gameId).execute()
  await one.runDueWork(config)
  expect(await newestBacktest(db(), gameId)).toBeUndefined()
})
