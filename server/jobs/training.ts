import { fork } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import type { Kysely } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import type { Tables } from '../db/tables'
import { train } from '../engine/train'
import type { Sale } from '../engine/types'
import { hasModel, newestSales, storeModel } from '../rooms/evaluation/models'

export interface TrainingSet {
  config: FormConfig
  sales: Sale[]
  /** ms */
  now: number
}
/** Gives the engine's Model as JSON text. */
export type Train = (set: TrainingSet) => Promise<string>

/** In this process, which does nothing else meanwhile: for tools and tests. */
export const trainHere: Train = async ({ config, sales, now }) => JSON.stringify(train(config, sales, { now }))

/** nice value: requests come first */
const LOW_PRIORITY = 10

/** In a process of its own, which ends with this one. */
export const trainApart: Train = (set) =>
  new Promise((resolve, reject) => {
    const child = fork(path.join(__dirname, 'train-child.ts'), { serialization: 'advanced' })
    const kill = () => child.kill('SIGKILL')
    process.once('exit', kill)
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      process.off('exit', kill)
      reject(new Error(`training of ${set.config.gameId} ended with ${signal ?? code}`))
    })
    child.once('message', (model) => {
      resolve(String(model))
      kill()
    })
    if (child.pid !== undefined) os.setPriority(child.pid, LOW_PRIORITY)
    child.send(set)
  })

export interface Training {
  /**
   * Waits until the game has a model, training one when there is none.
   * @returns false when it has no sales to learn from
   */
  ensure(config: FormConfig): Promise<boolean>
}

/** Trainings at once: one of the background, and one that somebody waits for. */
const LANES = 2

/** Runs tasks in the order they come, at most `n` at once. */
function lanes(n: number) {
  let free = n
  const waiting: (() => void)[] = []
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else await new Promise<void>((turn) => waiting.push(turn))
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}

/** @param clock ms, the moment a model stands for */
export function createTraining(db: Kysely<Tables>, run: Train, clock: () => number): Training {
  const inLane = lanes(LANES)
  const running = new Map<string, Promise<boolean>>()

  async function work(config: FormConfig): Promise<boolean> {
    if (await hasModel(db, config.gameId)) return true
    const { sales, synthetic } = await newestSales(db, config.gameId)
    if (sales.length === 0) return false
    const now = clock()
    await storeModel(db, { config, body: await run({ config, sales, now }), sampleN: sales.length, synthetic, now })
    return true
  }

  return {
    ensure(config) {
      const known = running.get(config.gameId)
      if (known) return known
      const done = inLane(() => work(config)).finally(() => running.delete(config.gameId))
      running.set(config.gameId, done)
      return done
    },
  }
}
