/** @group postgres */
import { sql } from 'kysely'
import type { Deps } from '../context'
import { type Database, openDatabase } from '../db/database'
import { databaseNow } from '../db/now'
import type { Job } from '../domains/shared/job'
import { createLog } from '../log'
import { createTestDatabase, type TestDatabase } from '../test/harness'
import { createJobLeases } from './job-leases'
import { startJobRunner } from './runner'

let testDatabase: TestDatabase
let database: Database
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = await openDatabase(testDatabase.where)
})
afterEach(() => database.db.deleteFrom('job_runs').execute())
afterAll(async () => {
  await database.close()
  testDatabase.remove()
})

const job = (name: string, every?: number): Job => ({ name, run: async () => 0, ...(every && { every }) })
const minutely = job('minutely', 60_000)
const hourly = job('hourly', 3_600_000)

/** Lets so many ms pass for the jobs. */
const pass = (ms: number) =>
  database.db
    .updateTable('job_runs')
    .set({ next_at: sql<number>`next_at - ${ms}::bigint` })
    .execute()

const outcomes = (outcome: 'DONE' | 'FAILED', ...names: string[]) => new Map(names.map((name) => [name, outcome]))

test('of several processes one gets a job, and none before its interval has passed', async () => {
  const processes = Array.from({ length: 4 }, () => createJobLeases(database.db))
  const pollFor = async (jobs: readonly Job[]) => {
    const all = await Promise.all(processes.map((lease) => lease(jobs)))
    await Promise.all(all.map(({ release }) => release(outcomes('DONE', 'minutely', 'hourly'))))
    return all.flatMap(({ names }) => [...names])
  }
  // a process polls for its two lists of jobs separately
  const poll = async () => [...(await pollFor([minutely])), ...(await pollFor([hourly]))].sort()
  expect(await poll()).toEqual(['hourly', 'minutely'])
  expect(await poll()).toEqual([])
  await pass(60_000)
  expect(await poll()).toEqual(['minutely'])
  await pass(3_600_000)
  expect(await poll()).toEqual(['hourly', 'minutely'])
})

test('a failed job is due again after a minute, one that was not begun at once', async () => {
  const [first, second] = [createJobLeases(database.db), createJobLeases(database.db)]
  const leases = await first([minutely, hourly])
  await leases.release(outcomes('FAILED', 'hourly'))
  expect([...(await second([minutely, hourly])).names]).toEqual(['minutely'])
  await pass(60_000)
  expect([...(await first([hourly])).names]).toEqual(['hourly'])
})

test("a killed process's jobs are taken over after half a minute, and its late release changes nothing", async () => {
  const [killed, other] = [createJobLeases(database.db), createJobLeases(database.db)]
  const late = await killed([minutely])
  expect([...(await other([minutely])).names]).toEqual([])
  await pass(30_000)
  expect([...(await other([minutely])).names]).toEqual(['minutely'])
  await late.release(outcomes('DONE', 'minutely'))
  expect([...(await killed([minutely])).names]).toEqual([])
})

test('a due time far in the future, set while the clock was wrong, is ignored', async () => {
  const next_at = (await databaseNow(database.db)) + 86_400_000
  await database.db.insertInto('job_runs').values({ name: 'minutely', holder: null, next_at }).execute()
  expect([...(await createJobLeases(database.db)([minutely])).names]).toEqual(['minutely'])
})

test('two workers share the jobs; one that stops ends its row first, and the other goes on', async () => {
  const log = createLog('silent')
  const clock = { now: () => 0, sync: async () => 0 }
  const deps = { clock, db: database.db } as unknown as Deps
  const running: string[] = []
  const runs = { a: 0, b: 0 }
  const jobOf = (worker: 'a' | 'b'): Job => ({
    name: 'shared',
    every: 501,
    async run() {
      running.push(worker)
      expect(running).toHaveLength(1)
      await new Promise((resolve) => setTimeout(resolve, 20))
      running.pop()
      runs[worker] += 1
      return 0
    },
  })
  const a = startJobRunner(deps, [jobOf('a')], { pollInterval: 5, log })
  const until = async (done: () => boolean) => {
    while (!done()) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await until(() => runs.a > 2)
  const b = startJobRunner(deps, [jobOf('b')], { pollInterval: 5, log })
  await until(() => running[0] === 'a')
  await a.stop()
  expect(running).not.toContain('a')
  const ended = { ...runs }
  await until(() => runs.b > ended.b + 2)
  expect(runs.a).toBe(ended.a)
  await b.stop()
})
