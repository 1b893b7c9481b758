import { sql } from 'kysely'
import type { Deps } from '../core/context'
import { createLog } from '../core/log'
import { type Database, openDatabase } from '../db/database'
import { databaseNow } from '../db/now'
import type { Job } from '../domains/shared/job'
import { createTestDatabase, type TestDatabase } from '../test/harness'
import { byQueue, schedule } from './queue-runner'
import { groupsOf, startJobRunner } from './runner'

const log = createLog('silent')
const times = { poll: 10, dead: 500 }
/** ms */
const OFTEN = 100
const HOUR = 3_600_000
const HOURLY = `high ${HOUR}`
const hourly = [{ name: HOURLY, jobs: [] }]

let testDatabase: TestDatabase
let database: Database
const depsOf = (db = database.db) => ({ clock: { now: () => 0, sync: async () => 0 }, db }) as unknown as Deps
const start = (jobs: readonly Job[], deps = depsOf()) => startJobRunner(deps, jobs, log, byQueue(deps.db, log, times))
const until = async (done: () => boolean | Promise<boolean>) => {
  while (!(await done())) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** A job that counts its runs. */
function counted(name: string, every: number, work: () => Promise<void> = async () => undefined) {
  const runs = { n: 0 }
  const job: Job = {
    name,
    every,
    async run() {
      runs.n += 1
      await work()
      return 0
    },
  }
  return { job, runs }
}

interface Row {
  key: string
  /** ms from now */
  wait: number
  locked: boolean
}
/** What the queue holds. */
const rows = async () =>
  (
    await sql<Row>`select key, locked_at is not null as locked, (extract(epoch from run_at - now()) * 1000)::float8 as wait
      from graphile_worker.jobs order by key`.execute(database.db)
  ).rows

describe('on PostgreSQL', () => {
  beforeAll(async () => {
    testDatabase = await createTestDatabase()
    database = await openDatabase(testDatabase.where)
  })
  afterEach(async () => {
    await sql`truncate graphile_worker._private_jobs, job_runs`.execute(database.db)
  })
  afterAll(async () => {
    await database.close()
    testDatabase.remove()
  })

  test('two processes share the jobs; one that stops ends its row first, and the other goes on', async () => {
    const running: string[] = []
    const shared = (process: string) =>
      counted('shared', OFTEN, async () => {
        running.push(process)
        expect(running).toHaveLength(1)
        await new Promise((resolve) => setTimeout(resolve, 20))
        running.pop()
      })
    const [a, b] = [shared('a'), shared('b')]
    const first = start([a.job])
    await until(() => a.runs.n > 1)
    const second = start([b.job])
    await until(() => running[0] === 'a')
    await first.stop()
    expect(running).not.toContain('a')
    const ended = { a: a.runs.n, b: b.runs.n }
    await until(() => b.runs.n > ended.b + 1)
    expect(a.runs.n).toBe(ended.a)
    await second.stop()
    expect(await rows()).toEqual([{ key: `high ${OFTEN}`, locked: false, wait: expect.any(Number) }])
  })

  test('a job is due again after its interval, a failed one after a minute; a stopped process leaves both as they are', async () => {
    const good = counted('good', 2 * HOUR)
    const bad = counted('bad', HOUR, () => Promise.reject(new Error('broken')))
    const processes = [start([good.job, bad.job]), start([good.job, bad.job])]
    await until(async () => (await rows()).filter(({ locked, wait }) => !locked && wait > 0).length === 2)
    await Promise.all(processes.map((p) => p.stop()))
    expect([good.runs.n, bad.runs.n]).toEqual([1, 1])
    const [failed, done] = (await rows()).map(({ wait }) => wait / 60_000)
    expect(failed).toBeGreaterThan(0.9)
    expect(failed).toBeLessThan(1)
    expect(done).toBeGreaterThan(119.9)
    expect(done).toBeLessThan(120)
    expect(await database.db.selectFrom('job_runs').select('name').execute()).toEqual([{ name: 'good' }])
  })

  test('a job that did something looks again at once', async () => {
    let left = 3
    const job: Job = { name: 'backlog', every: HOUR, run: async () => (left > 0 ? left-- : 0) }
    const runner = start([job])
    await until(async () => (await rows()).some(({ wait }) => wait > 0))
    expect(left).toBe(0)
    await runner.stop()
  })

  test('a job of low priority that hangs keeps no other waiting', async () => {
    let answer: () => void = () => undefined
    const hanging = counted('hanging', OFTEN, () => new Promise((resolve) => (answer = resolve)))
    const money = counted('money', OFTEN)
    const runner = start([{ ...hanging.job, lowPriority: true }, money.job])
    await until(() => hanging.runs.n === 1 && money.runs.n > 2)
    answer()
    await runner.stop()
  })

  test('jobs that take longer than their interval keep no other waiting', async () => {
    const slow = () => new Promise<void>((resolve) => setTimeout(resolve, OFTEN))
    const jobs = [counted('slow', OFTEN, slow), counted('slow too', OFTEN + 1, slow), counted('last', OFTEN + 2)]
    const runner = start(jobs.map(({ job }) => job))
    await until(() => jobs.every(({ runs }) => runs.n > 1))
    await runner.stop()
  })

  test('a job that runs is not scheduled again by a process that starts', async () => {
    let answer: () => void = () => undefined
    const { job, runs } = counted('running', HOUR, () => new Promise((resolve) => (answer = resolve)))
    const runner = start([job])
    await until(() => runs.n === 1)
    await schedule(database.db, groupsOf([job]), 0, 'unsafe_dedupe')
    expect(await rows()).toEqual([{ key: HOURLY, locked: true, wait: expect.any(Number) }])
    answer()
    await runner.stop()
  })

  test('a process that starts while another has just scheduled a job does not schedule it again', async () => {
    const missing = () => schedule(database.db, hourly, 0, 'unsafe_dedupe')
    let second: Promise<unknown> | undefined
    await database.db.transaction().execute(async (tx) => {
      await schedule(tx, hourly, 0, 'unsafe_dedupe')
      await schedule(tx, hourly, HOUR, 'replace')
      second = missing()
      const waiting = sql`select from pg_locks where not granted`
      await until(async () => (await waiting.execute(database.db)).rows.length > 0)
    })
    await second
    expect(await rows()).toEqual([{ key: HOURLY, locked: false, wait: expect.any(Number) }])
    expect((await rows())[0]?.wait).toBeGreaterThan(HOUR / 2)
  })

  test("a killed process's job is taken over when it has given no sign for a while, and not before", async () => {
    const { job, runs } = counted('orphaned', HOUR)
    await schedule(database.db, hourly, 0, 'replace')
    const ends = (await databaseNow(database.db)) + times.dead
    await sql`update graphile_worker._private_jobs set locked_by = 'killed', locked_at = now(), attempts = 1`.execute(
      database.db,
    )
    const runner = start([job])
    await until(() => runs.n === 1)
    expect(await databaseNow(database.db)).toBeGreaterThanOrEqual(ends)
    await runner.stop()
  })

  test('a run that was killed after it had scheduled the next one leaves nothing behind', async () => {
    const { job, runs } = counted('ended', HOUR)
    await schedule(database.db, hourly, 0, 'replace')
    await sql`update graphile_worker._private_jobs set locked_by = 'killed', locked_at = now(), attempts = 1`.execute(
      database.db,
    )
    await schedule(database.db, hourly, HOUR, 'replace')
    expect(await rows()).toHaveLength(2)
    const runner = start([job])
    await until(async () => (await rows()).length === 1)
    expect(await rows()).toEqual([{ key: HOURLY, locked: false, wait: expect.any(Number) }])
    await runner.stop()
    expect(runs.n).toBe(0)
  })

  test('a job that was locked by a statement whose answer was lost is given back at once', async () => {
    const { job, runs } = counted('lost', HOUR)
    let lost = 0
    const db = database.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (result.rows.some((row) => row.locked_by) && lost === 0) {
          lost += 1
          throw new Error('Connection terminated unexpectedly')
        }
        return result
      },
    })
    const runner = start([job], depsOf(db))
    await until(() => runs.n === 1)
    expect(lost).toBe(1)
    await runner.stop()
  })
})
