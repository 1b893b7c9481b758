import type { Deps } from '../core/context'
import { createLog } from '../core/log'
import type { Job } from '../domains/shared/job'
import { byTimer, startJobRunner } from './runner'

const deps = { clock: { now: () => 0, sync: async () => 0 } } as unknown as Deps

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
  const runner = startJobRunner(deps, [hanging, money], createLog('silent'), byTimer)
  while (moneyRounds < 5) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(asked).toBe(1)
  const stopped = runner.stop()
  answer()
  await stopped
})

test('jobs of one interval and priority run together in their order, and a failed one again after a minute at the latest', async () => {
  const runs: string[] = []
  const job = (name: string, every: number, more: Partial<Job> = {}): Job => ({
    ...{ name, every, ...more },
    async run() {
      runs.push(name)
      if (name === 'bad') throw new Error('broken')
      return 0
    },
  })
  const HOUR = 3_600_000
  const jobs = [
    job('first', HOUR),
    job('often', 1),
    job('bad', 2 * HOUR),
    job('second', HOUR),
    job('low', HOUR, { lowPriority: true }),
  ]
  const waits: [number, string[]][] = []
  const runner = startJobRunner(deps, jobs, createLog('silent'), async (groups, run) => {
    for (const group of groups) waits.push([await run(group), runs.splice(0)])
  })
  while (waits.length < 4) await new Promise((resolve) => setTimeout(resolve, 1))
  await runner.stop()
  expect(waits).toEqual([
    [HOUR, ['first', 'second']],
    [1, ['often']],
    [60_000, ['bad']],
    [HOUR, ['low']],
  ])
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
  const runner = startJobRunner(deps, [job], full)
  for (let i = 0; i < 3; i += 1) await expect(runner.runAll()).rejects.toThrow('ENOSPC')
  expect(runs).toBe(3)
  await runner.stop()
})
