import { sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { priceAlerts } from '../domains/valuations/price-alerts'
import { setupServer, someAnswers } from './harness'

const DAY = 86_400_000
let config: FormConfig
let otherConfig: FormConfig
const server = setupServer({ games: ['naraka', 'hok'] })
beforeAll(async () => {
  config = (await deps().repositories.games.find('naraka')).config
  otherConfig = (await deps().repositories.games.find('hok')).config
})

const db = () => server.database.db
const deps = () => {
  if (!server.lifecycle.deps) throw new Error('not started')
  return server.lifecycle.deps
}
let numbers = 0

/** A user with a report whose price is `share` of the model's. */
async function owner(share: number, settings: object = {}, skip = 0, form = config) {
  server.clock.advance(61_000)
  numbers += 1
  const { token, userId } = await server.login(`1380000${String(numbers).padStart(4, '0')}`)
  await server.call('user', 'updateSettings', settings, { token })
  const { gameId, schemaVersion } = form
  const req = { gameId, schemaVersion, answers: someAnswers(form, skip), source: 'TYPED' as const }
  const { orderId } = (await server.call('evaluation', 'submitAi', req, { token })).body.data
  await sql`update reports set predict_fen = predict_fen * ${share}::float where order_id = ${orderId}`.execute(db())
  const told = async () =>
    (await server.call('user', 'messages', { type: 'PRICE_CHANGED' }, { token })).body.data.list.map(
      ({ title, summary, bizType, link, read }) => ({ title, summary, bizType, link, read }),
    )
  return { token, userId, orderId, told }
}

/** A finished training: the same model with a new id. */
async function newModel(gameId = config.gameId) {
  const { rows } = await sql<{ names: string }>`select string_agg(column_name, ', ') as names from
    information_schema.columns where table_name = 'models' and column_name not in ('id', 'active')`.execute(db())
  const names = sql.raw(rows[0]?.names ?? '')
  const old = await db()
    .updateTable('models')
    .set({ active: false })
    .where('active', '=', true)
    .where('game_id', '=', gameId)
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into models (${names}, active) select ${names}, true from models where id = ${old.id}`.execute(db())
}
/** Adds reports of `n` more accounts, made in the same millisecond as this one. */
async function addAccounts(orderId: string, n: number) {
  const { rows } = await sql<{ names: string }>`select string_agg(column_name, ', ') as names from
    information_schema.columns where table_name = 'reports' and column_name not in ('report_no', 'version', 'account_id')`.execute(
    db(),
  )
  const names = sql.raw(rows[0]?.names ?? '')
  await sql`insert into reports (report_no, version, account_id, ${names})
    select report_no || '-' || i, version + i, account_id || '-' || i, ${names}
    from reports, generate_series(1, ${n}::int) as i where order_id = ${orderId}`.execute(db())
}
/** Runs the job until nothing is left. @returns reports compared */
const runJobs = async () => {
  let all = 0
  for (let run = 0; run < 5; run += 1) {
    const n = await priceAlerts.run(deps(), server.clock.now())
    if (n === 0) return all
    all += n
  }
  throw new Error('the job does not end')
}

test('notifies once of a price change above the owner’s threshold, with a link to the report', async () => {
  const [much, little, deaf, keen] = [
    await owner(0.8),
    await owner(0.97),
    await owner(0.5, { priceMove: 0 }),
    await owner(0.97, { priceMove: 2 }),
  ]
  expect(await runJobs()).toBe(0)
  await newModel()
  // nothing is computed for users without notifications
  expect(await runJobs()).toBe(3)
  const { report_no: no } = await db()
    .selectFrom('reports')
    .select('report_no')
    .where('order_id', '=', much.orderId)
    .executeTakeFirstOrThrow()
  const link = `/pages/evaluation/report/index?reportNo=${no}`
  const summary = expect.stringMatching(/^您的永劫无间账号参考价现约 ¥[\d,]+，比上次高 2\d%$/)
  expect(await much.told()).toEqual([{ title: '行情变动', summary, bizType: 'PRICE', link, read: false }])
  expect(await little.told()).toEqual([])
  expect(await deaf.told()).toEqual([])
  expect(await keen.told()).toHaveLength(1)
  // the next model gives the same price, so the last notified price is kept
  await newModel()
  expect(await runJobs()).toBe(3)
  expect([await much.told(), await keen.told()].map((list) => list.length)).toEqual([1, 1])
})

test('names the reasons for the price change', async () => {
  const { orderId, token } = await owner(0.8, {}, 4)
  // pretends that the previous model gave half as much for the first line
  await sql`update reports set body = jsonb_set(jsonb_set(body, '{model,version}', '"old"'), '{breakdown,0,amountFen}',
    to_jsonb((body #>> '{breakdown,0,amountFen}')::int / 2)) where order_id = ${orderId}`.execute(db())
  await newModel()
  await runJobs()
  const [told] = (await server.call('user', 'messages', { type: 'PRICE_CHANGED' }, { token })).body.data.list
  expect(told?.body).toMatch(/（上次 ¥[\d,]+）。主要因为模型更新（\+¥[\d,.]+）。这是按当时填写的资料重新计算的/)
})

test('only covers the newest report of an account, for a limited time', async () => {
  const { token, told, orderId } = await owner(0.8, {}, 1)
  server.clock.advance(DAY)
  const { gameId, schemaVersion } = config
  const again = { gameId, schemaVersion, answers: someAnswers(config, 1), source: 'TYPED' as const }
  expect((await server.call('evaluation', 'submitAi', again, { token })).body.data.orderId).not.toBe(orderId)
  await newModel()
  await runJobs()
  expect(await told()).toEqual([])
  const late = await owner(0.8, {}, 2)
  server.clock.advance(91 * DAY)
  await newModel()
  expect(await runJobs()).toBe(0)
  expect(late.orderId).toBeTruthy()
})

test('answers that no longer fit the form are skipped and do not block notifications of others', async () => {
  const [broken, fine] = [await owner(0.8, {}, 3), await owner(0.8, {}, 3)]
  await sql`update reports set inputs = jsonb_set(inputs, '{answers}', '{"nothing":1}') where order_id = ${broken.orderId}`.execute(
    db(),
  )
  await newModel()
  expect(await runJobs()).toBe(2)
  expect(await broken.told()).toEqual([])
  expect(await fine.told()).toHaveLength(1)
})

test('a new model is compared with all reports of its game, and only reports after the cursor are read again', async () => {
  const [first, other] = [await owner(0.8), await owner(0.8, {}, 0, otherConfig)]
  // more than one window
  await addAccounts(first.orderId, 200)
  server.clock.advance(61_000)
  const compared = async () => {
    const rows = await db()
      .selectFrom('reports as r')
      .innerJoin('models as m', (on) => on.onRef('m.game_id', '=', 'r.game_id').on('m.active', '=', true))
      .select(({ fn }) => ['r.order_id', fn.countAll<number>().as('n')])
      .whereRef('r.moved_model', '=', 'm.id')
      .where('r.order_id', 'in', [first.orderId, other.orderId])
      .groupBy('r.order_id')
      .execute()
    return [first, other].map(({ orderId }) => Number(rows.find(({ order_id }) => order_id === orderId)?.n ?? 0))
  }
  await newModel()
  await runJobs()
  expect(await compared()).toEqual([201, 0])
  await newModel(otherConfig.gameId)
  expect(await runJobs()).toBe(1)
  expect(await compared()).toEqual([201, 1])

  // behind the cursor, and after it: both as if their prices were of an older model
  const late = await owner(0.8)
  await sql`update reports set moved_model = null, model_id = (select min(id) from models where game_id = 'naraka')
    where order_id in (${first.orderId}, ${late.orderId})`.execute(db())
  expect(await runJobs()).toBe(1)
  expect([await compared(), await late.told()]).toEqual([[0, 1], [expect.anything()]])
  await newModel()
  await runJobs()
  expect(await compared()).toEqual([201, 1])
})
