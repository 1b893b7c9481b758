/** Accuracy of a model that is trained on the past and tested on the sales that came later, against simple baselines. */
import type { FormConfig } from '@/contract/form/types'
import type { Backtest, Score } from '../../db/columns'
import { packedSales } from '../../engine/comparables'
import { applyHedonic } from '../../engine/hedonic'
import { DAY, quantile, share, sum } from '../../engine/numbers'
import { distancesTo, nearestSales } from '../../engine/similarity'
import { train } from '../../engine/train'
import type { Model, Sale } from '../../engine/types'
import { priceOfRecord } from '../../engine/valuate'

interface Guess {
  at: number
  sold: number
  predict: number
  low: number
  high: number
}

/** the last fifth of the sales is tested, in blocks; each is priced by a model trained on earlier sales only */
const TESTED_SHARE = 0.2
/** with fewer nothing is tested */
export const MIN_SALES = 10
const RECENT = 30 * DAY

/**
 * Rolling-origin evaluation: prices each later SOLD row as of its own date. @param blocks of the tested time, each with its own
 * training @param untested ids of sales that are learned from and not tested @throws with fewer than 10 sales
 */
export function backtest(
  config: FormConfig,
  sales: readonly Sale[],
  { blocks = 3, untested }: { blocks?: number; untested?: ReadonlySet<string> } = {},
): Backtest {
  const line = [...sales].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  if (line.length < MIN_SALES) throw new Error(`only ${line.length} sales of ${config.gameId}: too few to test on`)
  const first = Math.floor(line.length * (1 - TESTED_SHARE))
  const cuts = Array.from({ length: blocks + 1 }, (_, k) => first + Math.floor(((line.length - first) * k) / blocks))
  const blocksOf = cuts.slice(0, blocks).map((cut, k) => {
    const past = line.slice(0, cut)
    const model = train(config, past, { now: past.at(-1)?.at ?? 0 })
    const later = line.slice(cut, cuts[k + 1]).filter(({ kind, id }) => kind === 'SOLD' && !untested?.has(id))
    const guesses = later.map((sale) => guess(model, config, sale))
    // baselines are tested on the sales that the engine prices; those it refuses are harder
    const priced = later.filter((_, i) => guesses[i]?.length)
    return { model, past, later, priced, guesses: guesses.flat() }
  })
  const guesses = blocksOf.flatMap((part) => part.guesses)
  const until = line.at(-1)?.at ?? 0
  const recent = guesses.filter(({ at }) => at > until - RECENT)
  const errors = guesses.map((guess) => Math.abs(guess.predict - guess.sold) / guess.sold)
  const within = (limit: number) => share(errors, (error) => error <= limit)
  return {
    game: config.gameId,
    n: guesses.length,
    refused: sum(blocksOf.map(({ later }) => later.length)) - guesses.length,
    ...score(guesses),
    within10: within(0.1),
    within20: within(0.2),
    within30: within(0.3),
    medianWidth: quantile(
      guesses.map(({ predict, low, high }) => (high - low) / predict),
      0.5,
    ),
    recent: { n: recent.length, medianError: score(recent).medianError, until },
    modelVersion: blocksOf.at(-1)?.model.version ?? '',
    baselines: { median: score(blocksOf.flatMap(byMedian)), knn: score(blocksOf.flatMap(byNeighbours)) },
  }
}

function guess(model: Model, config: FormConfig, { at, priceFen: sold, attributes }: Sale): Guess[] {
  const price = priceOfRecord(model, config, attributes, { now: at, source: 'TYPED' })
  return price ? [{ at, sold, predict: price.predictFen, low: price.lowFen, high: price.highFen }] : []
}

function score(guesses: readonly Guess[]): Score {
  return {
    medianError: quantile(
      guesses.map(({ predict, sold }) => Math.abs(predict - sold) / sold),
      0.5,
    ),
    coverage: share(guesses, ({ sold, low, high }) => sold >= low && sold <= high),
  }
}

interface Block {
  model: Model
  past: readonly Sale[]
  /** later sales that the engine priced */
  priced: readonly Sale[]
}

/** One price for all, with the range from P10 to P90 of earlier sales. */
function byMedian({ past, priced }: Block): Guess[] {
  const prices = past.filter((sale) => sale.kind === 'SOLD').map((sale) => sale.priceFen)
  const middle = { predict: quantile(prices, 0.5), low: quantile(prices, 0.1), high: quantile(prices, 0.9) }
  return priced.map((sale) => ({ at: sale.at, sold: sale.priceFen, ...middle }))
}

const NEIGHBOURS = 15

/** The median price of the most similar sales by the formula's distance, as they were sold, with their P10 and P90. */
function byNeighbours({ model, priced }: Block): Guess[] {
  const packed = packedSales(model)
  return priced.flatMap((sale) => {
    const place = applyHedonic(model.hedonic, sale.attributes, 'average')
    const near = nearestSales(distancesTo(place, packed, model.hedonic.power, sale.at), NEIGHBOURS).slice(0, NEIGHBOURS)
    const prices = near.flatMap(({ i }) => model.sales[i]?.priceFen ?? [])
    if (prices.length === 0) return []
    const [low = 0, predict = 0, high = 0] = [0.1, 0.5, 0.9].map((p) => quantile(prices, p))
    return [{ at: sale.at, sold: sale.priceFen, predict, low, high }]
  })
}
