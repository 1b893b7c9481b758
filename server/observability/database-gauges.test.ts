import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { createClock } from '../clock'
import { type Database, openDatabase } from '../db/database'
import { createJobLeases } from '../jobs/job-leases'
import { createLog } from '../log'
import { createTestDatabase, type TestDatabase } from '../test/harness'
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
  registerDatabaseGauges(registry, { db: database.db, clock: createClock(), log, jobs: ['hourly'] })
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

test('the last success of a job is that of any process, and a failure does not update it', async () => {
  const { db } = database
  const jobs = ['hourly', 'removed'].map((name) => ({ name, every: 3_600_000, run: async () => 0 }))
  const successOf = async () => {
    const [line = ''] =
      (await scrape()).match(/^valuation_job_last_success_timestamp_seconds\{job="hourly"\} .+$/m) ?? []
    return Number(line.split(' ')[1])
  }
  const run = async (outcome: 'DONE' | 'FAILED') => {
    await db.updateTable('job_runs').set({ next_at: 0 }).execute()
    // another process each time, as after a restart
    const { release } = await createJobLeases(db)(jobs)
    await db.updateTable('job_runs').set({ succeeded_at: 1000 }).execute()
    await release(new Map([['hourly', outcome]]))
    return successOf()
  }
  expect(await run('FAILED')).toBe(1)
  expect(Math.abs((await run('DONE')) - Date.now() / 1000)).toBeLessThan(60)
  expect(await scrape()).not.toContain('removed')
})
