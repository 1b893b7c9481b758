/** Accuracy: trained on the past, tested on the sales that came later, against simple baselines. */
import type { FormConfig } from '@/contract/form/types'
import { packedSales } from './comparables'
import { applyHedonic, marketAt } from './hedonic'
import { DAY, fnv1a, mixed, quantile, share, sum } from './numbers'
import { distancesTo, nearestSales } from './similarity'
import { train } from './train'
import type { Learner, Model, Sale, Valued } from './types'
import { priceOfRecord, valuate } from './valuate'

/** Tested sales whose estimates lie between two prices. */
export interface PriceBracket {
  fromFen: number
  untilFen: number
  n: number
  medianError: number
}

interface Score {
  medianError: number
  coverage: number
}

/** Fractions, not per cent. */
export interface Backtest extends Score {
  game: string
  /** later sales that were priced; `refused` had too few comparables */
  n: number
  refused: number
  within10: number
  within20: number
  within30: number
  /** (high − low) ÷ price */
  medianWidth: number
  /** the same error over the 30 days up to the newest sale (`until`, ms) */
  recent: { n: number; medianError: number; until: number }
  /** the same for the price an owner would see whose answers lack what the record lacks, which then count as absent */
  cautious: Score
  /** the same error by estimate: thirds of the tested sales, the cheapest first */
  byPrice: PriceBracket[]
  modelVersion: string
  baselines: Record<string, Score>
  /** of the last block's model: weight and median out-of-fold error (log) by learner */
  learners: Record<Learner, { weight: number; error: number }>
}

interface Guess {
  at: number
  sold: number
  predict: number
  low: number
  high: number
}

/** the last fifth of the sales is tested, in blocks; each is priced by a model trained on earlier sales only */
const TESTED_SHARE = 0.2
const MIN_SALES = 10
const RECENT = 30 * DAY

export interface BacktestOptions {
  /** blocks of the tested time, each with its own training (rolling origin) */
  blocks: number
  /** version of the model served from the same sales; copied to the result */
  version?: string
  /** ids of sales that are learned from and not tested */
  untested?: ReadonlySet<string>
}

/** Rolling-origin evaluation: prices each later SOLD row as of its own date. @throws with fewer than 10 sales */
export function backtest(
  config: FormConfig,
  sales: readonly Sale[],
  { blocks, version, untested }: BacktestOptions = { blocks: 3 },
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
  const errors = guesses.map((one) => Math.abs(one.predict - one.sold) / one.sold)
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
    byPrice: thirds(guesses),
    modelVersion: version ?? blocksOf.at(-1)?.model.version ?? '',
    cautious: score(
      blocksOf.flatMap(({ model, later }) => later.flatMap((sale) => cautiousGuess(model, config, sale))),
    ),
    baselines: baselines(blocksOf, guesses),
    learners: learnersIn(blocksOf.at(-1)?.model),
  }
}

/** number of accounts whose prices are compared, and the share of the sales that is left out */
const MOVED_ACCOUNTS = 200
const LEFT_OUT = 100

/**
 * Median change of the prices of fixed accounts when nothing but the ids of the sales changes, which decide folds and samples, and
 * when one sale in a hundred is left out.
 */
export function movement(config: FormConfig, sales: readonly Sale[]): { otherIds: number; fewerSales: number } {
  const now = Math.max(...sales.map(({ at }) => at))
  const hash = ({ id }: Sale) => mixed(fnv1a(id))
  const accounts = [...sales].sort((a, b) => hash(a) - hash(b)).slice(0, MOVED_ACCOUNTS)
  const pricesOf = (learned: readonly Sale[]) => {
    const model = train(config, learned, { now })
    return accounts.map(
      ({ attributes }) => priceOfRecord(model, config, attributes, { now, source: 'TYPED' })?.predictFen,
    )
  }
  const before = pricesOf(sales)
  const changeTo = (learned: readonly Sale[]) => {
    const logs = pricesOf(learned).map((fen, i) => Math.abs(Math.log((fen ?? 1) / (before[i] ?? 1))))
    return quantile(logs, 0.5)
  }
  return {
    otherIds: changeTo(sales.map((sale) => ({ ...sale, id: `other ${sale.id}` }))),
    fewerSales: changeTo(sales.filter((sale) => hash(sale) % LEFT_OUT !== 0)),
  }
}

/** a model has recovered when its median error is within so many times that of before */
const RECOVERED = 1.2
const TWO_WEEKS = 14 * DAY

/**
 * Median error of the next two weeks' sales around a sudden change of all prices at `shock` (ms): by a model trained two
 * weeks before it, and by one trained one, two and more days after it, until the error is within 1.2 times the former or
 * for `most` days. With a recovery, the length of `after` is its number of days.
 */
export function recovery(
  config: FormConfig,
  sales: readonly Sale[],
  shock: number,
  most = 21,
): { before: number; after: number[]; recovered: boolean } {
  const errorOf = (now: number) => {
    const model = train(
      config,
      sales.filter(({ at }) => at < now),
      { now },
    )
    const next = sales.filter(({ kind, at }) => kind === 'SOLD' && at >= now && at < now + TWO_WEEKS)
    return score(next.flatMap((sale) => guess(model, config, sale))).medianError
  }
  const before = errorOf(shock - TWO_WEEKS)
  const after: number[] = []
  const recovered = () => (after.at(-1) ?? Number.POSITIVE_INFINITY) <= RECOVERED * before
  while (after.length < most && !recovered()) after.push(errorOf(shock + (after.length + 1) * DAY))
  return { before, after, recovered: recovered() }
}

function thirds(guesses: readonly Guess[]): PriceBracket[] {
  const byEstimate = [...guesses].sort((a, b) => a.predict - b.predict)
  const cut = (k: number) => Math.round((byEstimate.length * k) / 3)
  return [0, 1, 2].flatMap((k) => {
    const part = byEstimate.slice(cut(k), cut(k + 1))
    const [first, last] = [part[0], part.at(-1)]
    if (!first || !last) return []
    return [{ fromFen: first.predict, untilFen: last.predict, n: part.length, medianError: score(part).medianError }]
  })
}

function learnersIn(model: Model | undefined): Backtest['learners'] {
  const ofLearner = (one: Learner) => ({
    weight: model?.stack.weights[one] ?? 0,
    error: model?.stack.errors[one] ?? 0,
  })
  return { formula: ofLearner('formula'), trees: ofLearner('trees'), residualTrees: ofLearner('residualTrees') }
}

const guessed = (sale: Sale, { predictFen, lowFen, highFen }: Valued['price']): Guess => {
  return { at: sale.at, sold: sale.priceFen, predict: predictFen, low: lowFen, high: highFen }
}

function guess(model: Model, config: FormConfig, sale: Sale): Guess[] {
  const price = priceOfRecord(model, config, sale.attributes, { now: sale.at, source: 'TYPED' })
  return price ? [guessed(sale, price)] : []
}

function cautiousGuess(model: Model, config: FormConfig, sale: Sale): Guess[] {
  const valued = valuate(model, config, sale.attributes, { now: sale.at, source: 'TYPED' })
  return valued.ok ? [guessed(sale, valued.price)] : []
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

/**
 * `median`: one price for all, range from P10 and P90 of earlier sales · `formula`: the hedonic formula without
 * comparables, range from its in-sample errors · `knn`: the median price of the 15 most similar sales, range from their
 * P10 and P90 · `flat10`: our price with the ± 10 % that competitors show.
 */
function baselines(parts: readonly Block[], ours: readonly Guess[]): Record<string, Score> {
  return {
    median: score(parts.flatMap(byMedian)),
    formula: score(parts.flatMap(byFormula)),
    knn: score(parts.flatMap(byNeighbours)),
    flat10: score(
      ours.map(({ at, sold, predict }) => ({ at, sold, predict, low: predict * 0.9, high: predict * 1.1 })),
    ),
  }
}

function byMedian({ past, priced }: Block): Guess[] {
  const prices = past.filter((sale) => sale.kind === 'SOLD').map((sale) => sale.priceFen)
  const middle = { predict: quantile(prices, 0.5), low: quantile(prices, 0.1), high: quantile(prices, 0.9) }
  return priced.map((sale) => ({ at: sale.at, sold: sale.priceFen, ...middle }))
}

function byFormula({ model: { hedonic }, past, priced }: Block): Guess[] {
  const formula = (sale: Sale) =>
    Math.exp(applyHedonic(hedonic, sale.attributes, 'average').logValue + marketAt(hedonic.market, sale.at))
  const errors = past.filter((sale) => sale.kind === 'SOLD').map((sale) => sale.priceFen / formula(sale))
  const [low, high] = [quantile(errors, 0.1), quantile(errors, 0.9)]
  return priced.map((sale) => {
    const predict = formula(sale)
    return { at: sale.at, sold: sale.priceFen, predict, low: predict * low, high: predict * high }
  })
}

const NEIGHBOURS = 15

/** Nearest by the formula's distance, at their unadjusted sale prices. */
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
