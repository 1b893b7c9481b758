import type { FormConfig } from '@/contract/form/types'
import { compareSales, type Influence, influenceOf } from '../domains/market/source-influence'
import { type HoldOut, MIN_NEW_VERIFIED } from '../domains/models/hold-out'
import { readModel, writeModel } from '../domains/models/model-text'
import type { PartnerSales } from '../domains/models/repository'
import { type Backtest, backtest } from '../engine/backtest'
import { type Comparison, compareModels, isChallengerWorse } from '../engine/compare-models'
import { formulaOf, train, versionOf } from '../engine/train'
import type { Sale } from '../engine/types'

/** The model in use, and the sales on which a new one is compared with it. */
export interface ChampionOnTestSet extends HoldOut {
  /** see model-text */
  body: string
}

export interface TrainingSet {
  config: FormConfig
  sales: Sale[]
  /** ids of those that people report of themselves: the accuracy is not measured on them */
  selfReported?: ReadonlySet<string>
  /** ms */
  now: number
  /** a model to serve, its accuracy on later sales, or both */
  want: 'model' | 'accuracy' | 'both'
  /** absent without a model in use, or with too few sales that it has not learned from */
  champion?: ChampionOnTestSet
  /** partners some of whose sales are new, and ids of the sales with which they are compared */
  doubted?: { partners: PartnerSales[]; judges: string[] }
}

export interface Trained {
  /** the serialised model; empty when not wanted, or when it is worse than the one in use */
  body: string
  /** absent when not wanted or when too few sales could be tested */
  accuracy?: Backtest
  /** absent without a model in use, and with too few sales that both models can price */
  comparison?: Comparison
  /** a partner whose sales would move prices as no other source does, and how, for staff: nothing was trained */
  influence?: Influence & { partnerId: string }
}

const MIN_TO_TEST = 10
/** sales that both models must price to be compared: the smallest test set (see hold-out) */
const MIN_PAIRS = MIN_NEW_VERIFIED / 2

/** Trains a model, unless one without the newest sales predicts these worse than the model in use. */
export async function trainAndTest(set: TrainingSet): Promise<Trained> {
  const { config, sales, selfReported, now, want, champion } = set
  const influence = findInfluence(set)
  if (influence) return { body: '', influence }
  const comparison = champion && (await compare(set, champion))
  const compared = comparison ? { comparison } : {}
  if (comparison && isChallengerWorse(comparison)) return { body: '', ...compared }
  const body = want === 'accuracy' ? '' : writeModel(train(config, sales, { now }))
  if (want === 'model' || sales.length < MIN_TO_TEST) return { body, ...compared }
  const accuracy = backtest(config, sales, {
    blocks: 1,
    version: versionOf(sales, now),
    ...(selfReported && { untested: selfReported }),
  })
  return accuracy.n > 0 ? { body, accuracy, ...compared } : { body, ...compared }
}

/** The partner whose sales would move prices most, and too far. Only the worst: it may be what makes the others differ. */
function findInfluence({ config, sales, now, doubted }: TrainingSet): Trained['influence'] {
  if (!doubted) return undefined
  const { partners } = doubted
  const judges = new Set(doubted.judges)
  const known = sales.filter(({ id }) => judges.has(id))
  const formula = formulaOf(config, known, now)
  // partners that agree with each other move prices together
  const moving = new Set(partners.flatMap(({ unchecked }) => unchecked))
  const used = sales.filter(({ id }) => judges.has(id) || moving.has(id))
  const compared = compareSales(config, formula, used, moving)
  const found = partners.flatMap(({ partnerId, unchecked }) => {
    const influence = influenceOf(compared, new Set(unchecked))
    return influence ? [{ partnerId, ...influence }] : []
  })
  return found.sort((a, b) => b.by - a.by)[0]
}

async function compare(
  { config, sales }: TrainingSet,
  { body, testSet, excluded }: ChampionOnTestSet,
): Promise<Comparison | undefined> {
  const [isExcluded, byId] = [new Set(excluded), new Map(sales.map((sale) => [sale.id, sale]))]
  const common = testSet.flatMap((id) => byId.get(id) ?? [])
  const remaining = sales.filter(({ id }) => !isExcluded.has(id))
  const challenger = train(config, remaining, { now: common[0]?.at ?? 0 })
  const comparison = compareModels({ champion: await readModel(body), challenger }, config, common)
  return comparison.n < MIN_PAIRS ? undefined : comparison
}
