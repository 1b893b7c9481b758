/** Accuracy as in product 1.3: trained on the past, tested on the sales that came later, against simple baselines. */
import type { FormConfig } from '@/contract/form/types'
import { applyHedonic, marketAt } from './hedonic'
import { quantile } from './numbers'
import { train } from './train'
import type { Model, Sale } from './types'
import { valuate } from './valuate'

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
  modelVersion: string
  baselines: Record<string, Score>
}

interface Guess {
  sold: number
  predict: number
  low: number
  high: number
}

const PAST_SHARE = 0.8

/** Trains on the first 80 % of the time line, prices each later SOLD row at its own moment. Throws with under 10 sales. */
export function backtest(config: FormConfig, sales: readonly Sale[]): Backtest {
  const line = [...sales].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  if (line.length < 10) throw new Error(`only ${line.length} sales of ${config.gameId}: too few to test on`)
  const cut = Math.floor(line.length * PAST_SHARE)
  const past = line.slice(0, cut)
  const model = train(config, past, { now: past.at(-1)?.at ?? 0 })
  const later = line.slice(cut).filter((sale) => sale.kind === 'SOLD')
  const guesses = later.flatMap((sale) => guess(model, config, sale))
  const priced = guesses.map((one) => Math.abs(one.predict - one.sold) / one.sold)
  const within = (limit: number) => share(priced, (error) => error <= limit)
  return {
    game: config.gameId,
    n: guesses.length,
    refused: later.length - guesses.length,
    ...score(guesses),
    within10: within(0.1),
    within20: within(0.2),
    within30: within(0.3),
    medianWidth: quantile(
      guesses.map(({ predict, low, high }) => (high - low) / predict),
      0.5,
    ),
    modelVersion: model.version,
    baselines: baselines(model, past, later, guesses),
  }
}

function guess(model: Model, config: FormConfig, sale: Sale): Guess[] {
  const valued = valuate(model, config, sale.attributes, { now: sale.at, source: 'TYPED' })
  if (!valued.ok) return []
  const { predictFen, lowFen, highFen } = valued.price
  return [{ sold: sale.priceFen, predict: predictFen, low: lowFen, high: highFen }]
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

function share<T>(list: readonly T[], test: (one: T) => boolean): number {
  return list.length === 0 ? 0 : list.filter(test).length / list.length
}

/**
 * `median`: one price for all, range from the past's P10 and P90 · `formula`: the hedonic formula without comparables,
 * range from its own past errors (in sample) · `flat10`: our price with the ± 10 % that peers print.
 */
function baselines(
  model: Model,
  past: readonly Sale[],
  later: readonly Sale[],
  ours: readonly Guess[],
): Record<string, Score> {
  const sold = past.filter((sale) => sale.kind === 'SOLD')
  const prices = sold.map((sale) => sale.priceFen)
  const middle = { predict: quantile(prices, 0.5), low: quantile(prices, 0.1), high: quantile(prices, 0.9) }
  const formula = (sale: Sale) =>
    Math.exp(
      applyHedonic(model.hedonic, sale.attributes, 'expected').logValue + marketAt(model.hedonic.market, sale.at),
    )
  const errors = sold.map((sale) => sale.priceFen / formula(sale))
  const [low, high] = [quantile(errors, 0.1), quantile(errors, 0.9)]
  return {
    median: score(later.map((sale) => ({ sold: sale.priceFen, ...middle }))),
    formula: score(
      later.map((sale) => {
        const predict = formula(sale)
        return { sold: sale.priceFen, predict, low: predict * low, high: predict * high }
      }),
    ),
    flat10: score(
      ours.map(({ sold: paid, predict }) => ({ sold: paid, predict, low: predict * 0.9, high: predict * 1.1 })),
    ),
  }
}
