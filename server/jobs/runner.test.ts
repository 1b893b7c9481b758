import type { Deps } from '../context'
import type { Job } from '../domains/shared/job'
import { createLog } from '../log'
import type { LeaseJobs } from './job-leases'
import { startJobRunner } from './runner'

const deps = { clock: { now: () => 0, sync: async () => 0 } } as unknown as Deps
/** Every job is due, and no other process exists. */
const all: LeaseJobs = async (jobs) => ({
  names: new Set(jobs.map(({ name }) => name)),
  release: async () => undefined,
})

test('a job that waits for another service keeps no other waiting; its own runs never overlap', async () => {
  let moneyRounds = 0
  let answer: () => void = () => undefined
  let asked = 0
  const money: Job = {
    name: 'money',
    run: async () => {
      moneyRounds += 1
      return 0
    },
  }
  const hanging: Job = {
    name: 'hanging',
    lowPriority: true,
    run: async () => {
      asked += 1
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      return 0
    },
  }
  const runner = startJobRunner(deps, [hanging, money], { pollInterval: 10, log: createLog('silent'), lease: all })
  while (moneyRounds < 5) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(asked).toBe(1)
  const stopped = runner.stop()
  answer()
  await stopped
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

test('a run requested during another starts after it, and requests made meanwhile share it', async () => {
  let running = 0
  let runs = 0
  let release: () => void = () => undefined
  const job: Job = {
    name: 'job',
    run: async () => {
      running += 1
      expect(running).toBe(1)
      await new Promise<void>((resolve) => {
        release = resolve
      })
      running -= 1
      runs += 1
      return 0
    },
  }
  const runner = startJobRunner(deps, [job], { pollInterval: 0, log: createLog('silent') })
  const untilRunning = async () => {
    while (running === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  const first = runner.runAll()
  await untilRunning()
  const later = [runner.runAll(), runner.runAll(), runner.runAll()]
  release()
  await first
  await untilRunning()
  release()
  await Promise.all(later)
  expect(runs).toBe(2)
  await runner.stop()
})
