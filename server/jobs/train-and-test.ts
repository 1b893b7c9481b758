import type { FormConfig } from '@/contract/form/types'
import type { Backtest } from '../db/columns'
import { type Judgement, MIN_COMPARED, PANEL_SIZE, whyRefused } from '../domains/models/acceptance'
import { backtest, MIN_SALES } from '../domains/models/backtest'
import { readModel, writeModel } from '../domains/models/model-text'
import { fnv1a, mixed, quantile, sum } from '../engine/numbers'
import { train, versionOf } from '../engine/train'
import type { Model, Sale } from '../engine/types'
import { priceOfRecord } from '../engine/valuate'

export interface TrainingSet {
  config: FormConfig
  sales: Sale[]
  /** ids of those that are learned from, but on which the accuracy is not measured */
  untested?: ReadonlySet<string>
  /** ms */
  now: number
  /** the model in use (see model-text), and ids and weights of the sales on which it is compared with the new one */
  champion?: { body: string; withheld: [id: string, weight: number][] }
}

export interface Trained {
  /** the serialised model */
  body: string
  /** its accuracy on later sales; absent when too few could be tested, and for a model that is refused */
  accuracy?: Backtest
  /** absent without a model in use */
  judgement?: Judgement
}

/** an error counts as 1 at most: a few nonsensical prices must not decide */
const MAX_ERROR = 1

/** Trains a model and compares it with the one in use. */
export async function trainAndJudge(set: TrainingSet): Promise<Omit<Trained, 'accuracy'>> {
  const { config, sales, now, champion } = set
  const model = train(config, sales, { now })
  const body = writeModel(model)
  if (!champion) return { body }
  return { body, judgement: judge(set, await readModel(champion.body), model, new Map(champion.withheld)) }
}

/** Trains a model, compares it with the one in use, and measures the accuracy of one that is not refused. */
export async function trainAndTest(set: TrainingSet): Promise<Trained> {
  const { config, sales, untested = new Set(), now } = set
  const trained = await trainAndJudge(set)
  if (sales.length < MIN_SALES || (trained.judgement && whyRefused(trained.judgement))) return trained
  const accuracy = backtest(config, sales, { untested })
  return accuracy.n > 0 ? { ...trained, accuracy: { ...accuracy, modelVersion: versionOf(sales, now) } } : trained
}

const priceOf = (model: Model, config: FormConfig, { attributes }: Pick<Sale, 'attributes'>, now: number) =>
  priceOfRecord(model, config, attributes, { now, source: 'TYPED' })?.predictFen

/** @param weightOf of the sales on which they are compared, by id */
function judge({ config, sales, now }: TrainingSet, champion: Model, model: Model, weightOf: Map<string, number>) {
  const moved = movedFrom(champion, model, config, now)
  const tested = sales.filter(({ id }) => weightOf.has(id))
  const known = sales.filter(({ id }) => !weightOf.has(id))
  if (tested.length < MIN_COMPARED || known.length === 0) return { n: 0, champion: 0, challenger: 0, moved }
  const challenger = train(config, known, { now })
  const pairs = tested.flatMap((sale) => {
    const errorOf = (candidate: Model) => {
      const price = priceOf(candidate, config, sale, sale.at)
      return price && Math.min(MAX_ERROR, Math.abs(price - sale.priceFen) / sale.priceFen)
    }
    const [old, fresh] = [errorOf(champion), errorOf(challenger)]
    return old === undefined || fresh === undefined ? [] : [{ old, fresh, weight: weightOf.get(sale.id) ?? 0 }]
  })
  const weight = Math.max(1e-9, sum(pairs.map((pair) => pair.weight)))
  const meanOf = (of: 'old' | 'fresh') => sum(pairs.map((pair) => pair.weight * pair[of])) / weight
  return { n: pairs.length, champion: meanOf('old'), challenger: meanOf('fresh'), moved }
}

/**
 * Median change of the prices of a panel of accounts. Hashes of their ids choose them: the same ones for every new model as
 * long as the one in use knows them.
 */
function movedFrom(old: Model, fresh: Model, config: FormConfig, now: number): number {
  const hashed = old.sales.map((sale) => ({ sale, hash: mixed(fnv1a(sale.id)) }))
  const panel = hashed.sort((a, b) => a.hash - b.hash).slice(0, PANEL_SIZE)
  const changes = panel.flatMap(({ sale }) => {
    const [before, after] = [priceOf(old, config, sale, now), priceOf(fresh, config, sale, now)]
    return before && after ? [Math.abs(after / before - 1)] : []
  })
  return quantile(changes, 0.5)
}
