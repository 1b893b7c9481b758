import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { answerOf, forkProgram } from '../core/child-program'
import { reasonOf } from '../core/start-error'
import { underLease } from '../db/lease'
import type { DB } from '../db/tables'
import { whyRefused, withheldFrom } from '../domains/models/acceptance'
import { championOf, isFirstTrainingDue, lastTraining, salesSince, storeTraining } from '../domains/models/repository'
import { newestSales } from '../domains/models/sales/training-sales'
import { isOrdered } from '../domains/models/staff-decisions'
import { batchesOf } from '../domains/shared/batches'
import { FORMAT } from '../engine/types'
import type { Trained, TrainingSet } from './train-and-test'

export type Train = (set: TrainingSet) => Promise<Trained>

/** nice value: requests have priority */
const LOW_PRIORITY = 19
/** MB of heap: a training that needs more ends alone instead of taking the machine's memory from the servers */
const MAX_HEAP = 900

/** What a training process is sent: sales in parts, because twenty thousand at once would block requests, then the rest. */
export type TrainingPart = TrainingSet['sales'] | Omit<TrainingSet, 'sales'>

/** Returns early when the process has died; its `exit` event reports that. */
export async function sendTrainingSet(child: ChildProcess, { sales, ...rest }: TrainingSet): Promise<void> {
  const parts: TrainingPart[] = [...batchesOf(sales), rest]
  for (const part of parts) {
    if (!child.connected) return
    child.send(part)
    await turn()
  }
}

/** Trains in a child process of low priority, which ends with this one. */
export const trainInChildProcess: Train = async (set) => {
  const child = forkProgram('jobs/train-child.ts', { heapMb: MAX_HEAP, nice: LOW_PRIORITY })
  try {
    const [learned] = await Promise.all([answerOf<Trained>(child), sendTrainingSet(child, set)])
    return learned
  } finally {
    child.kill('SIGKILL')
  }
}

/** Outcome of a training; `why` is a message for the operator, in Chinese or from an error. */
export type TrainingOutcome =
  | { done: 'stored'; synthetic: boolean; sampleN: number }
  | { done: 'refused' | 'nothing'; why: string }

/** ms between checks whether another process has finished its training */
const POLL_INTERVAL_MS = 1000

/** Name of the lease of one training; engines of different formats do not block each other. */
export const leaseOf = (gameId: string) => `train:${FORMAT}:${gameId}`

/** new sales that justify a training: at least this many, and this share of those used last */
const MIN_NEW_SALES = { count: 20, share: 0.02 } as const

const NOTHING: TrainingOutcome = { done: 'nothing', why: '' }

export type Training = ReturnType<typeof createTraining>

/** @param clock ms: the time a model is trained for */
export function createTraining(db: Kysely<DB>, run: Train, clock: () => number) {
  async function retrain(config: FormConfig): Promise<TrainingOutcome> {
    const champion = await championOf(db, config.gameId)
    // before the sales are read: a request after this time is for another training
    const now = clock()
    const found = await newestSales(db, config)
    const { sales, untested, synthetic } = found
    if (sales.length === 0) return NOTHING
    const comparison = champion && { body: champion.body, withheld: withheldFrom(found, champion.newest_sale) }
    // a hostile config or sales must not be retried forever; users see 样本不足
    const learned = await run({ config, sales, untested, now, ...(comparison && { champion: comparison }) }).catch(
      (e): Trained & { refused: string } => ({ body: '', refused: reasonOf(e) }),
    )
    const refused = 'refused' in learned ? learned.refused : learned.judgement && whyRefused(learned.judgement)
    const isStored = await storeTraining(db, { config, found, now, ...learned, refused }, champion?.id)
    if (refused !== undefined || !isStored) return { done: 'refused', why: refused ?? '训练期间在用模型已更换' }
    return { done: 'stored', synthetic, sampleN: sales.length }
  }

  async function isDue({ gameId, schemaVersion }: FormConfig): Promise<boolean> {
    if (await isFirstTrainingDue(db, gameId)) return true
    const last = await lastTraining(db, gameId)
    if (!last) return false
    if (last.schema_version !== schemaVersion || (await isOrdered(db, gameId, last.trained_at, clock()))) return true
    const newSales = await salesSince(db, gameId, last.newest_sale)
    return newSales >= Math.max(MIN_NEW_SALES.count, MIN_NEW_SALES.share * last.sample_n)
  }

  /** @returns undefined while another process trains the game */
  const underGameLease = async ({ gameId }: FormConfig, work: () => Promise<TrainingOutcome>) =>
    (await underLease(db, leaseOf(gameId), work))?.result

  return {
    /** Trains a new model, after any training in another process, and puts it into use if it earns its place. */
    async retrain(config: FormConfig): Promise<TrainingOutcome> {
      for (;;) {
        const mine = await underGameLease(config, () => retrain(config))
        if (mine) return mine
        await delay(POLL_INTERVAL_MS)
      }
    },
    /** Trains a game without a model, and again after new sales, a new form or an order. Never throws. */
    async runDueWork(config: FormConfig): Promise<TrainingOutcome> {
      try {
        if (!(await isDue(config))) return NOTHING
        // another process may have trained it meanwhile
        const mine = await underGameLease(config, async () => ((await isDue(config)) ? retrain(config) : NOTHING))
        return mine ?? NOTHING
      } catch (e) {
        return { done: 'nothing', why: reasonOf(e) }
      }
    },
  }
}
