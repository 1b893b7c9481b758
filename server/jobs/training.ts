import { fork } from 'node:child_process'
import os from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { underLease } from '../db/lease'
import type { Tables } from '../db/tables'
import { MIN_TESTED, newestBacktest, storeBacktest } from '../domains/models/backtests'
import {
  hasModel,
  lastTraining,
  type NewModel,
  newestSales,
  salesSince,
  storeModel,
  storeRefusal,
} from '../domains/models/repository'
import type { Backtest } from '../engine/backtest'
import { FORMAT } from '../engine/types'
import { ownProgram } from '../program'
import { reasonOf } from '../start-error'
import { handOver } from './hand-over'
import { type Learned, learn, type TrainingSet } from './learn'

export type Train = (set: TrainingSet) => Promise<Learned>

/** In this process, which does nothing else meanwhile: for tools and tests. */
export const trainHere: Train = async (set) => learn(set)

/** nice value: requests come first */
const LOW_PRIORITY = 10

/** In a process of its own, which ends with this one. */
export const trainApart: Train = (set) =>
  new Promise((resolve, reject) => {
    const { filename, options } = ownProgram('jobs/train-child.ts')
    const child = fork(filename, { ...options, serialization: 'advanced' })
    const kill = () => child.kill('SIGKILL')
    process.once('exit', kill)
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      process.off('exit', kill)
      reject(new Error(`training of ${set.config.gameId} ended with ${signal ?? code}`))
    })
    child.once('message', (learned) => {
      resolve(learned as Learned)
      kill()
    })
    if (child.pid !== undefined) os.setPriority(child.pid, LOW_PRIORITY)
    handOver(child, set).catch(reject)
  })

/** What became of a training; `why` in words. */
export type Outcome =
  | { done: 'stored'; synthetic: boolean; sampleN: number }
  | { done: 'refused' | 'nothing'; why: string }

const NOTHING: Outcome = { done: 'nothing', why: '' }

export interface Training {
  /** Whether the game has no model yet and sales that one was not yet tried on. */
  isOwed(config: FormConfig): Promise<boolean>
  /**
   * Waits until the game has a model, training one when there is none. One process trains, the others take it over.
   * @returns false when it has no sales to learn from, or they cannot be learned from
   */
  ensure(config: FormConfig): Promise<boolean>
  /** Trains anew, after whoever trains the game now, and takes the model unless it is clearly worse than the one in use. */
  renew(config: FormConfig): Promise<Outcome>
  /** What is due: a new model after new sales or a new form, a test of one that has none. Never throws. */
  keepUp(config: FormConfig): Promise<Outcome>
}

/** ms between two looks whether another process has come to the end of its training */
const LOOK_EVERY = 1000

/** What one process at a time trains; engines of two formats do not wait for each other. */
export const leaseOf = (gameId: string) => `train:${FORMAT}:${gameId}`

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

/** a new model may be this much worse than the one in use before it is refused: chance, and a harder time */
const WORSE = { factor: 1.25, points: 0.02 } as const
/** new sales that are worth a training: so many, and so large a share of what the last one knew */
const NEWS = { sales: 20, share: 0.02 } as const

/** Why a new model should not replace the one in use; undefined when it may. */
export function worse(last: Pick<Backtest, 'n' | 'medianError'>, next: Backtest | undefined): string | undefined {
  if (last.n < MIN_TESTED || !next || next.n < MIN_TESTED) return undefined
  if (next.medianError <= last.medianError * WORSE.factor + WORSE.points) return undefined
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`
  return `新模型误差 ${percent(next.medianError)}，明显高于在用模型的 ${percent(last.medianError)}`
}

/** @param clock ms, the moment a model stands for */
export function createTraining(db: Kysely<Tables>, run: Train, clock: () => number): Training {
  const inLane = lanes(LANES)
  const running = new Map<string, Promise<boolean>>()
  const untestable = new Set<string>()

  async function trial(config: FormConfig, want: TrainingSet['want']) {
    const { sales, synthetic, newestSale } = await newestSales(db, config.gameId)
    const now = clock()
    const tried: Omit<NewModel, 'body'> = { config, sampleN: sales.length, synthetic, newestSale, now }
    if (sales.length === 0) return { tried, failed: '没有成交记录' }
    try {
      return { tried, learned: await run({ config, sales, now, want }) }
    } catch (e) {
      // a hostile config or sales must not be tried again and again; the users see too few samples
      await storeRefusal(db, tried, reasonOf(e))
      return { tried, failed: reasonOf(e) }
    }
  }

  const keepAccuracy = async ({ config, synthetic, now }: Omit<NewModel, 'body'>, result: Backtest | undefined) => {
    if (result) await storeBacktest(db, { gameId: config.gameId, synthetic, result, ranAt: now })
  }

  /** @returns undefined while another process trains the game */
  const alone = <T>({ gameId }: FormConfig, work: () => Promise<T>) =>
    inLane(() => underLease(db, leaseOf(gameId), work))

  const isOwed = async (config: FormConfig) =>
    !(await hasModel(db, config.gameId)) &&
    (await isDue(config)) !== undefined &&
    (await salesSince(db, config.gameId, 0)) > 0

  async function ensure(config: FormConfig): Promise<boolean> {
    while (await isOwed(config)) {
      const mine = await alone(config, () => first(config))
      if (mine) return mine.result
      await delay(LOOK_EVERY)
    }
    return hasModel(db, config.gameId)
  }

  async function first(config: FormConfig): Promise<boolean> {
    if (!(await isOwed(config))) return hasModel(db, config.gameId)
    const { tried, learned } = await trial(config, 'model')
    if (learned) await storeModel(db, { ...tried, body: learned.body })
    return learned !== undefined
  }

  async function renew(config: FormConfig): Promise<Outcome> {
    const { tried, learned, failed } = await trial(config, 'both')
    if (!learned) return { done: tried.sampleN === 0 ? 'nothing' : 'refused', why: failed ?? '' }
    const inUse = (await hasModel(db, config.gameId)) ? await newestBacktest(db, config.gameId) : undefined
    // an invented market says nothing about how hard the real one is
    const why = inUse && inUse.synthetic === tried.synthetic ? worse(inUse.result, learned.accuracy) : undefined
    if (why) {
      await storeRefusal(db, tried, why)
      return { done: 'refused', why }
    }
    await storeModel(db, { ...tried, body: learned.body })
    await keepAccuracy(tried, learned.accuracy)
    return { done: 'stored', synthetic: tried.synthetic, sampleN: tried.sampleN }
  }

  /** Why the game should be trained; undefined when nothing has changed since the last time. */
  async function isDue({ gameId, schemaVersion }: FormConfig): Promise<'first' | 'form' | 'sales' | undefined> {
    const last = await lastTraining(db, gameId)
    if (!last) return 'first'
    if (last.refused === null && !last.active) return 'first'
    if (last.schema_version !== schemaVersion) return 'form'
    const news = await salesSince(db, gameId, last.newest_sale)
    return news >= Math.max(NEWS.sales, NEWS.share * last.sample_n) ? 'sales' : undefined
  }

  async function dutyOf(config: FormConfig): Promise<'renew' | 'test' | undefined> {
    const due = await isDue(config)
    if (due && due !== 'first') return 'renew'
    // a first model is served at once and tested afterwards; one that cannot be tested is not tried again
    if (untestable.has(config.gameId) || (await newestBacktest(db, config.gameId))) return undefined
    return (await hasModel(db, config.gameId)) ? 'test' : undefined
  }

  async function doDuty(config: FormConfig): Promise<Outcome> {
    // another process may have done it before this one came to it
    const duty = await dutyOf(config)
    if (duty === 'renew') return renew(config)
    if (!duty) return NOTHING
    untestable.add(config.gameId)
    const { tried, learned, failed } = await trial(config, 'accuracy')
    await keepAccuracy(tried, learned?.accuracy)
    return { done: 'nothing', why: failed ?? '' }
  }

  async function keepUp(config: FormConfig): Promise<Outcome> {
    if (!(await dutyOf(config))) return NOTHING
    return (await alone(config, () => doDuty(config)))?.result ?? NOTHING
  }

  async function renewInTurn(config: FormConfig): Promise<Outcome> {
    for (;;) {
      const mine = await alone(config, () => renew(config))
      if (mine) return mine.result
      await delay(LOOK_EVERY)
    }
  }

  return {
    isOwed,
    ensure(config) {
      const known = running.get(config.gameId)
      if (known) return known
      const done = ensure(config).finally(() => running.delete(config.gameId))
      running.set(config.gameId, done)
      return done
    },
    renew: renewInTurn,
    keepUp: (config) => keepUp(config).catch((e): Outcome => ({ done: 'nothing', why: reasonOf(e) })),
  }
}
