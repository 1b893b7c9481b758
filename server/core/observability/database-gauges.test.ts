import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { type Database, openDatabase } from '../../db/database'
import { noteSuccess } from '../../jobs/runner'
import { createTestDatabase, type TestDatabase } from '../../test/harness'
import { createClock } from '../clock'
import { createLog } from '../log'
import { registerDatabaseGauges } from './database-gauges'

let testDatabase: TestDatabase
let database: Database
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = await openDatabase(testDatabase.where)
})
afterAll(async () => {
  await database.close()
  testDatabase.remove()
})

const log = createLog('silent')

async function scrape(): Promise<string> {
  const registry = new Registry()
  registerDatabaseGauges(registry, {
    db: database.db,
    clock: createClock(),
    log,
    jobs: [{ name: 'hourly', every: 3_600_000, run: async () => 0 }],
  })
  return registry.metrics()
}

test('a provider of which every payment failed has 0 paid ones, so that the alert can compare them', async () => {
  await database.db.transaction().execute(async (tx) => {
    // its order and user are not needed here
    await sql`set local session_replication_role = replica`.execute(tx)
    const names = { id: 'p', order_id: 'o', user_id: 'u', pay_type: 'ALI_WAP', provider: 'alipay' } as const
    await tx
      .insertInto('payments')
      .values({
        ...{ ...names, amount_fen: 1, coupon_id: null, openid: null, return_url: '', origin: '', txn: null },
        ...{ status: 'FAILED', created_at: Date.now(), expire_at: 0, paid_at: null, asked_at: null, next_ask_at: null },
      })
      .execute()
  })
  const text = await scrape()
  expect(text).toContain('valuation_payments{provider="alipay",status="FAILED"} 1\n')
  expect(text).toContain('valuation_payments{provider="alipay",status="PAID"} 0\n')
})

test('screenshots that stay with their order do not count after a day', async () => {
  const task = (id: string, age: number) => ({
    ...{ id, user_id: 'u', game_id: 'hok', keys: '[]', status: 'DONE' as const, processor_ms: 2000 },
    ...{ created_at: Date.now() - age, expire_at: 0 },
  })
  await database.db.transaction().execute(async (tx) => {
    // their user is not needed here
    await sql`set local session_replication_role = replica`.execute(tx)
    const tasks = [task('new', 0), task('old', 2 * 86_400_000)]
    await tx.insertInto('screenshot_tasks').values(tasks).execute()
  })
  expect(await scrape()).toContain('valuation_screenshots_cpu_seconds 2\n')
})

test('the last success of a job is that of any process, at first the time when it became known', async () => {
  const { db } = database
  const successOf = async () => {
    const [line = ''] =
      (await scrape()).match(/^valuation_job_last_success_timestamp_seconds\{job="hourly"\} .+$/m) ?? []
    return Number(line.split(' ')[1])
  }
  const age = async () => Math.abs((await successOf()) - Date.now() / 1000)
  await noteSuccess(db, ['hourly', 'removed'], true)
  expect(await age()).toBeLessThan(60)
  await db.updateTable('job_runs').set({ succeeded_at: 1000 }).execute()
  // another process starts
  await noteSuccess(db, ['hourly'], true)
  expect(await successOf()).toBe(1)
  await noteSuccess(db, ['hourly'])
  expect(await age()).toBeLessThan(60)
  expect(await scrape()).not.toContain('removed')
})

test('the daily watch of the model in use is exported, and none of a model that it replaced', async () => {
  const { db } = database
  const row = { game_id: 'watched', format: 1, body: 'x', schema_version: 1, sample_n: 1, synthetic: false }
  const [old, inUse] = await db
    .insertInto('models')
    .values([false, true].map((active) => ({ ...row, active, synthetic_share: 0, newest_sale: 0, trained_at: 1 })))
    .returning('id')
    .execute()
  const ofGame = db.updateTable('models').where('game_id', '=', 'watched')
  const accuracy = JSON.stringify({ modelVersion: 'v', n: 100, medianError: 0.125 })
  await ofGame.set({ accuracy }).where('active', '=', true).execute()
  await ofGame.set({ accuracy: '{"medianError":0.5}' }).where('active', '=', false).execute()
  const figures = { coverage: 0.75, unknown_share: 0.25, stability: 0.5, game_id: 'watched' }
  const watch = (model_id = 0, day = 0, n = 100, median_error = 0.25) => ({
    ...{ ...figures, model_id, day, n, median_error },
  })
  await db
    .insertInto('model_monitoring')
    .values([watch(inUse?.id, 1, 100, 0.9), watch(inUse?.id, 2), watch(old?.id, 3, 100, 0.8)])
    .execute()
  const exported = async () =>
    [...(await scrape()).matchAll(/^valuation_model_(\w+)\{game="watched"\} (.+)$/gm)].map(
      ([, name, n]) => `${name} ${n}`,
    )
  const always = ['trained_timestamp_seconds 0.001']
  const all = ['coverage_ratio 0.75', 'drift_ratio 2']
  expect((await exported()).sort()).toEqual([...always, ...all].sort())
  // tested on generated sales
  await ofGame.set({ synthetic: true }).execute()
  expect((await exported()).filter((line) => line.startsWith('drift_ratio'))).toEqual([])
  await db
    .insertInto('model_monitoring')
    .values(watch(inUse?.id, 4, 49))
    .execute()
  expect((await exported()).sort()).toEqual(always)
})
