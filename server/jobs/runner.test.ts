import { setTimeout as delay } from 'node:timers/promises'
import type { Deps } from '../core/context'
import { createLog } from '../core/log'
import { databaseNow } from '../db/now'
import type { Job } from '../domains/shared/job'
import { setupDatabase } from '../test/harness'
import { startJobRunner } from './runner'

const database = setupDatabase()
let deps: Deps
beforeAll(() => {
  deps = { clock: { now: () => 0, sync: async () => undefined }, db: database.db } as unknown as Deps
})
afterEach(() => database.db.deleteFrom('leases').execute())

const until = async (done: () => boolean) => {
  while (!done()) await delay(5)
}

/** A process that runs a job at each poll, and how often it has run it. */
function startProcess(lease: number, work: () => Promise<void> = async () => undefined) {
  const runs = { n: 0 }
  const run = async () => {
    runs.n += 1
    await work()
    return 0
  }
  const jobs = [{ name: 'often', every: 1, run }]
  return { runs, ...startJobRunner(deps, jobs, { pollInterval: 10, log: createLog('silent'), lease }) }
}

test('one process runs the jobs; when it stops, it ends its row first, and the other goes on', async () => {
  let running = 0
  const alone = async () => {
    running += 1
    expect(running).toBe(1)
    await delay(20)
    running -= 1
  }
  const first = startProcess(5000, alone)
  await until(() => first.runs.n > 1)
  const second = startProcess(5000, alone)
  const before = first.runs.n
  await until(() => first.runs.n > before + 2)
  expect(second.runs.n).toBe(0)
  await first.stop()
  expect(running).toBe(0)
  const ended = first.runs.n
  await until(() => second.runs.n > 1)
  expect(first.runs.n).toBe(ended)
  await second.stop()
  expect(await database.db.selectFrom('leases').selectAll().execute()).toEqual([])
})

test("a killed process's jobs are taken over when its lease ends, and not before", async () => {
  const ends = (await databaseNow(database.db)) + 400
  await database.db.insertInto('leases').values({ name: 'jobs 0', holder: 'killed', until: ends }).execute()
  const { runs, stop } = startProcess(500)
  await until(() => runs.n > 0)
  expect(await databaseNow(database.db)).toBeGreaterThanOrEqual(ends)
  await stop()
})

test('a job that waits for another service keeps no other waiting; its own runs never overlap', async () => {
  let moneyRounds = 0
  let answer: () => void = () => undefined
  let asked = 0
  const money: Job = {
    name: 'money',
    every: 1,
    run: async () => {
      moneyRounds += 1
      return 0
    },
  }
  const hanging: Job = {
    name: 'hanging',
    every: 1,
    lowPriority: true,
    run: async () => {
      asked += 1
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      return 0
    },
  }
  const runner = startJobRunner(deps, [hanging, money], { pollInterval: 10, log: createLog('silent') })
  while (moneyRounds < 5) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(asked).toBe(1)
  const stopped = runner.stop()
  answer()
  await stopped
})

test('a job runs at its interval, and a failed one again after a minute at the latest', async () => {
  const runs: string[] = []
  const hourly = (name: string): Job => ({
    name,
    every: 3_600_000,
    async run() {
      runs.push(name)
      if (name === 'bad') throw new Error('broken')
      return 0
    },
  })
  let ticks = 0
  const ticking: Job = {
    name: 'due at each poll',
    every: 1,
    async run() {
      ticks += 1
      return 0
    },
  }
  let now = 0
  jest.spyOn(performance, 'now').mockImplementation(() => now)
  const runner = startJobRunner(deps, [hourly('good'), hourly('bad'), ticking], {
    pollInterval: 1,
    log: createLog('silent'),
  })
  const polled = async () => {
    for (const seen = ticks; ticks < seen + 2; ) await new Promise((resolve) => setTimeout(resolve, 1))
    return runs.splice(0)
  }
  expect(await polled()).toEqual(['good', 'bad'])
  expect(await polled()).toEqual([])
  now = 60_000
  expect(await polled()).toEqual(['bad'])
  now = 3_600_000
  expect(await polled()).toEqual(['good', 'bad'])
  await runner.stop()
  jest.restoreAllMocks()
})

test('a run that failed, such as by its log, does not end those after it', async () => {
  let runs = 0
  const job: Job = {
    name: 'job',
    run: async () => {
      runs += 1
      throw new Error('broken')
    },
  }
  const log = createLog('silent')
  const full = Object.assign(Object.create(log), {
    error: () => {
      throw new Error('ENOSPC')
    },
  })
  const runner = startJobRunner(deps, [job], { pollInterval: 0, log: full })
  for (let i = 0; i < 3; i += 1) await expect(runner.runAll()).rejects.toThrow('ENOSPC')
  expect(runs).toBe(3)
  await runner.stop()
})

test('a run requested during another starts after it', async () => {
  let running = 0
  let runs = 0
  const job: Job = {
    name: 'job',
    async run() {
      running += 1
      expect(running).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      runs += 1
      return 0
    },
  }
  const runner = startJobRunner(deps, [job], { pollInterval: 0, log: createLog('silent') })
  await Promise.all([runner.runAll(), runner.runAll()])
  expect(runs).toBe(2)
  await runner.stop()
})
