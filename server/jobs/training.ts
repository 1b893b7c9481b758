import { fork } from 'node:child_process'
import os from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { resolveProgram } from '../core/child-program'
import { reasonOf } from '../core/start-error'
import { underLease } from '../db/lease'
import type { DB } from '../db/tables'
import { whyRefused, withheldFrom } from '../domains/models/acceptance'
import { championOf, hasModel, lastTraining, salesSince, storeTraining } from '../domains/models/repository'
import { isOrdered } from '../domains/models/staff-decisions'
import { newestSales } from '../domains/models/training-sales'
import { FORMAT } from '../engine/types'
import { type Trained, type TrainingSet, trainAndTest } from './train-and-test'
import { sendTrainingSet } from './training-ipc'

export type Train = (set: TrainingSet) => Promise<Trained>

/** Trains in this process and blocks it: for tools and tests. */
export const trainInProcess: Train = trainAndTest

/** nice value: requests have priority */
const LOW_PRIORITY = 19
/** MB of heap: a training that needs more ends alone instead of taking the machine's memory from the servers */
const MAX_HEAP = 900

/** @returns trains in a child process that ends with this one; at low priority while this one serves requests */
export const trainInChildProcess =
  (isServing = () => true): Train =>
  (set) =>
    new Promise((resolve, reject) => {
      const { filename, options } = resolveProgram('jobs/train-child.ts')
      const execArgv = [...(options.execArgv ?? process.execArgv), `--max-old-space-size=${MAX_HEAP}`]
      const child = fork(filename, { ...options, execArgv, serialization: 'advanced' })
      const kill = () => child.kill('SIGKILL')
      process.once('exit', kill)
      child.once('error', reject)
      child.once('exit', (code, signal) => {
        process.off('exit', kill)
        reject(new Error(`training of ${set.config.gameId} ended with ${signal ?? code}`))
      })
      child.once('message', (learned) => {
        resolve(learned as Trained)
        kill()
      })
      if (child.pid !== undefined && isServing()) os.setPriority(child.pid, LOW_PRIORITY)
      sendTrainingSet(child, set).catch(reject)
    })

/** Outcome of a training; `why` is a message for the operator, in Chinese or from an error. */
export type TrainingOutcome =
  | { done: 'stored'; synthetic: boolean; sampleN: number }
  | { done: 'refused' | 'nothing'; why: string }

export interface Training {
  /**
   * Waits until the game has a model, training one if there is none. One process trains, the others load its result.
   * @param trains false: this process leaves it to others
   * @returns false when there are no sales, or no model can be learned from them
   */
  ensure(config: FormConfig, trains?: boolean): Promise<boolean>
  /** Trains a new model, after any training in progress, and activates it if it earns its place. */
  retrain(config: FormConfig): Promise<TrainingOutcome>
  /** Trains a game without a model, and again after new sales, a new form or an order. Never throws. */
  runDueWork(config: FormConfig): Promise<TrainingOutcome>
}

/** ms between checks whether another process has finished its training */
const POLL_INTERVAL_MS = 1000

/** Name of the lease of one training; engines of different formats do not block each other. */
export const leaseOf = (gameId: string) => `train:${FORMAT}:${gameId}`

/** new sales that justify a training: at least this many, and this share of those used last */
const MIN_NEW_SALES = { count: 20, share: 0.02 } as const

const NOTHING: TrainingOutcome = { done: 'nothing', why: '' }

/** @param clock ms: the time a model is trained for */
export function createTraining(db: Kysely<DB>, run: Train, clock: () => number): Training {
  let last: Promise<unknown> = Promise.resolve()
  const running = new Map<string, Promise<boolean>>()

  async function retrain(config: FormConfig): Promise<TrainingOutcome> {
    const champion = await championOf(db, config.gameId)
    // before the sales are read: a request after this time is for another training
    const now = clock()
    const found = await newestSales(db, config)
    const { sales, untested, synthetic, syntheticShare, newestSale } = found
    if (sales.length === 0) return NOTHING
    const tried = { config, sampleN: sales.length, synthetic, syntheticShare, newestSale, now }
    const comparison = champion && { body: champion.body, withheld: withheldFrom(found, champion.newest_sale) }
    // a hostile config or sales must not be retried forever; users see 样本不足
    const learned = await run({ config, sales, untested, now, ...(comparison && { champion: comparison }) }).catch(
      (e): Trained & { refused: string } => ({ body: '', refused: reasonOf(e) }),
    )
    const refused = 'refused' in learned ? learned.refused : learned.judgement && whyRefused(learned.judgement)
    const isStored = await storeTraining(db, { ...tried, ...learned, refused }, champion?.id)
    if (refused !== undefined || !isStored) return { done: 'refused', why: refused ?? '训练期间在用模型已更换' }
    return { done: 'stored', synthetic, sampleN: sales.length }
  }

  /** One training after the other. @returns undefined while another process trains the game */
  const underGameLease = <T>({ gameId }: FormConfig, work: () => Promise<T>) => {
    const own = last.catch(() => undefined).then(() => underLease(db, leaseOf(gameId), work))
    last = own
    return own
  }

  /** Whether something has changed since the last training. */
  async function isDue({ gameId, schemaVersion }: FormConfig): Promise<boolean> {
    const last = await lastTraining(db, gameId)
    if (!last) return (await salesSince(db, gameId, 0)) > 0
    // the model in use is of another format
    if (last.refused === null && !(await hasModel(db, gameId))) return true
    if (last.schema_version !== schemaVersion || (await isOrdered(db, gameId, last.trained_at, clock()))) return true
    const newSales = await salesSince(db, gameId, last.newest_sale)
    return newSales >= Math.max(MIN_NEW_SALES.count, MIN_NEW_SALES.share * last.sample_n)
  }

  const needsFirstModel = async (config: FormConfig) => !(await hasModel(db, config.gameId)) && (await isDue(config))

  /** Trains if it is due by then: another process may have done it. */
  const retrainIfDue = (config: FormConfig) =>
    underGameLease(config, async () => ((await isDue(config)) ? retrain(config) : NOTHING))

  async function waitForModel(config: FormConfig, trains: boolean): Promise<boolean> {
    while ((await needsFirstModel(config)) && !(trains && (await retrainIfDue(config)))) await delay(POLL_INTERVAL_MS)
    return hasModel(db, config.gameId)
  }

  /** Requests for one game share one wait. */
  function ensure(config: FormConfig, trains = true): Promise<boolean> {
    const pending = running.get(config.gameId)
    if (pending) return pending
    const done = waitForModel(config, trains).finally(() => running.delete(config.gameId))
    running.set(config.gameId, done)
    return done
  }

  async function runDueWork(config: FormConfig): Promise<TrainingOutcome> {
    try {
      return ((await isDue(config)) && (await retrainIfDue(config))?.result) || NOTHING
    } catch (e) {
      return { done: 'nothing', why: reasonOf(e) }
    }
  }

  async function retrainWhenFree(config: FormConfig): Promise<TrainingOutcome> {
    for (;;) {
      const mine = await underGameLease(config, () => retrain(config))
      if (mine) return mine.result
      await delay(POLL_INTERVAL_MS)
    }
  }

  return { ensure, retrain: retrainWhenFree, runDueWork }
}
