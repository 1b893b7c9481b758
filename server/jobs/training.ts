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
import { newestBacktest } from '../domains/models/backtests'
import {
  championOf,
  hasModel,
  lastTraining,
  type NewModel,
  salesSince,
  storeAccuracy,
  storeModel,
  storeRefusal,
} from '../domains/models/repository'
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

const NOTHING: TrainingOutcome = { done: 'nothing', why: '' }

type Champion = NonNullable<Awaited<ReturnType<typeof championOf>>>

export interface Training {
  /** Whether the game has no model yet, but sales on which no training was attempted. */
  needsFirstModel(config: FormConfig): Promise<boolean>
  /**
   * Waits until the game has a model, training one if there is none. One process trains, the others load its result.
   * @returns false when there are no sales, or no model can be learned from them
   */
  ensure(config: FormConfig): Promise<boolean>
  /** Waits for a model without training one, for processes that leave training to others. */
  waitForModel(config: FormConfig): Promise<boolean>
  /** Trains a new model, after any training in progress, and activates it if it earns its place. */
  retrain(config: FormConfig): Promise<TrainingOutcome>
  /** Retrains after new sales, a new form or an order, or back-tests an untested model, if due. Never throws. */
  runDueWork(config: FormConfig): Promise<TrainingOutcome>
}

/** ms between checks whether another process has finished its training */
const POLL_INTERVAL_MS = 1000

/** Name of the lease of one training; engines of different formats do not block each other. */
export const leaseOf = (gameId: string) => `train:${FORMAT}:${gameId}`

/** new sales that justify a training: at least this many, and this share of those used last */
const MIN_NEW_SALES = { count: 20, share: 0.02 } as const

/** @param clock ms: the time a model is trained for */
export function createTraining(db: Kysely<DB>, run: Train, clock: () => number): Training {
  let last: Promise<unknown> = Promise.resolve()
  const running = new Map<string, Promise<boolean>>()
  /** models by game whose test was tried: one that cannot be tested is not retried */
  const tested = new Map<string, number>()

  async function trainOnce(config: FormConfig, want: TrainingSet['want'], champion?: Champion) {
    // before the sales are read: a request after this time is for another training
    const now = clock()
    const found = await newestSales(db, config)
    const { sales, synthetic, syntheticShare, newestSale } = found
    const tried: Omit<NewModel, 'body'> = { config, sampleN: sales.length, synthetic, syntheticShare, newestSale, now }
    if (sales.length === 0) return { tried, failed: '没有成交记录' }
    try {
      return {
        tried,
        learned: await run({
          ...{ config, sales, untested: found.untested, now, want },
          ...(champion && { champion: { body: champion.body, withheld: withheldFrom(found, champion.newest_sale) } }),
        }),
      }
    } catch (e) {
      // a hostile config or sales must not be retried forever; users see 样本不足
      const reason = reasonOf(e)
      await storeRefusal(db, { ...tried, body: '' }, { reason })
      return { tried, failed: reason }
    }
  }

  /** One training after the other. @returns undefined while another process trains the game */
  const underGameLease = <T>({ gameId }: FormConfig, work: () => Promise<T>) => {
    const own = last.catch(() => undefined).then(() => underLease(db, leaseOf(gameId), work))
    last = own
    return own
  }

  const needsFirstModel = async (config: FormConfig) =>
    !(await hasModel(db, config.gameId)) &&
    (await isDue(config)) !== undefined &&
    (await salesSince(db, config.gameId, 0)) > 0

  async function ensure(config: FormConfig): Promise<boolean> {
    while (await needsFirstModel(config)) {
      const mine = await underGameLease(config, () => first(config))
      if (mine) return mine.result
      await delay(POLL_INTERVAL_MS)
    }
    return hasModel(db, config.gameId)
  }

  async function waitForModel(config: FormConfig): Promise<boolean> {
    while (await needsFirstModel(config)) await delay(POLL_INTERVAL_MS)
    return hasModel(db, config.gameId)
  }

  async function first(config: FormConfig): Promise<boolean> {
    if (!(await needsFirstModel(config))) return hasModel(db, config.gameId)
    const { tried, learned } = await trainOnce(config, 'model')
    if (learned) await storeModel(db, { ...tried, body: learned.body }, { championId: undefined })
    return learned !== undefined
  }

  async function retrain(config: FormConfig): Promise<TrainingOutcome> {
    const champion = await championOf(db, config.gameId)
    const { tried, learned, failed } = await trainOnce(config, 'both', champion)
    if (!learned) return { done: tried.sampleN === 0 ? 'nothing' : 'refused', why: failed ?? '' }
    const { body, accuracy, judgement } = learned
    const why = judgement && whyRefused(judgement)
    if (why) {
      await storeRefusal(db, { ...tried, body }, { reason: why, judgement })
      return { done: 'refused', why }
    }
    if (!(await storeModel(db, { ...tried, body }, { championId: champion?.id, judgement, accuracy })))
      return { done: 'refused', why: '训练期间在用模型已更换' }
    return { done: 'stored', synthetic: tried.synthetic, sampleN: tried.sampleN }
  }

  /** Why the game should be trained; undefined when nothing has changed since the last training. */
  async function isDue({
    gameId,
    schemaVersion,
  }: FormConfig): Promise<'first' | 'form' | 'order' | 'sales' | undefined> {
    const last = await lastTraining(db, gameId)
    if (!last || (last.refused === null && !(await hasModel(db, gameId)))) return 'first'
    if (last.schema_version !== schemaVersion) return 'form'
    if (await isOrdered(db, gameId, last.trained_at, clock())) return 'order'
    const newSales = await salesSince(db, gameId, last.newest_sale)
    return newSales >= Math.max(MIN_NEW_SALES.count, MIN_NEW_SALES.share * last.sample_n) ? 'sales' : undefined
  }

  /** A training, or the model in use that is to be back-tested. */
  async function dueWorkOf(config: FormConfig): Promise<'training' | Champion | undefined> {
    const due = await isDue(config)
    if (due && due !== 'first') return 'training'
    if (await newestBacktest(db, config.gameId)) return undefined
    // a first model, and one that staff have put into use, is served at once and back-tested later
    const champion = await championOf(db, config.gameId)
    return champion && champion.id !== tested.get(config.gameId) ? champion : undefined
  }

  async function doDueWork(config: FormConfig): Promise<TrainingOutcome> {
    // another process may have done it in the meantime
    const work = await dueWorkOf(config)
    if (!work) return NOTHING
    if (work === 'training') return retrain(config)
    tested.set(config.gameId, work.id)
    const { tried, learned, failed } = await trainOnce(config, 'accuracy')
    if (learned?.accuracy) await storeAccuracy(db, tried, learned.accuracy)
    return { done: 'nothing', why: failed ?? '' }
  }

  async function runDueWork(config: FormConfig): Promise<TrainingOutcome> {
    if (!(await dueWorkOf(config))) return NOTHING
    return (await underGameLease(config, () => doDueWork(config)))?.result ?? NOTHING
  }

  async function retrainWhenFree(config: FormConfig): Promise<TrainingOutcome> {
    for (;;) {
      const mine = await underGameLease(config, () => retrain(config))
      if (mine) return mine.result
      await delay(POLL_INTERVAL_MS)
    }
  }

  /** Requests for one game share one wait. */
  function shared(config: FormConfig, wait: (config: FormConfig) => Promise<boolean>): Promise<boolean> {
    const pending = running.get(config.gameId)
    if (pending) return pending
    const done = wait(config).finally(() => running.delete(config.gameId))
    running.set(config.gameId, done)
    return done
  }

  return {
    needsFirstModel,
    ensure: (config) => shared(config, ensure),
    waitForModel: (config) => shared(config, waitForModel),
    retrain: retrainWhenFree,
    runDueWork: (config) => runDueWork(config).catch((e): TrainingOutcome => ({ done: 'nothing', why: reasonOf(e) })),
  }
}
