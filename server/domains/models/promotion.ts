/** Decides whether a new model replaces the one in use. */
import type { Backtest } from '../../engine/backtest'
import { type Comparison, isChallengerWorse } from '../../engine/compare-models'
import { MIN_TESTED } from './backtests'
import type { Figures } from './decision-log'

/** tolerated loss of accuracy compared with the back-test of the current model: chance, and a harder period */
const TOLERANCE = { factor: 1.25, points: 0.02 } as const
/**
 * Times the median error of the back-test: a model that errs more on average, on sales that the one in use predicts no
 * better, has learned prices that follow no market. (Usual errors have a mean of about 1.5 times their median.)
 */
const DOUBTFUL = 3
const percent = (share: number) => `${(100 * share).toFixed(1)}%`

/** Why a new model must not replace the current one, by their back-tests; undefined when it may. */
function regressionReason(last: Pick<Backtest, 'n' | 'medianError'>, next: Backtest | undefined): string | undefined {
  if (last.n < MIN_TESTED || !next || next.n < MIN_TESTED) return undefined
  if (next.medianError <= last.medianError * TOLERANCE.factor + TOLERANCE.points) return undefined
  return `新模型误差 ${percent(next.medianError)}，明显高于在用模型的 ${percent(last.medianError)}`
}

/** Why a new model must not replace the one in use, on the same sales; undefined when it may. */
function comparisonReason(comparison: Comparison, last: Backtest | undefined): string | undefined {
  const { n, days, champion, challenger } = comparison
  const of = `同样 ${days} 天的 ${n} 条新成交上，新模型误差 ${percent(challenger)}`
  if (isChallengerWorse(comparison)) return `${of}，高于在用模型的 ${percent(champion)}`
  return last && last.n >= MIN_TESTED && challenger > DOUBTFUL * last.medianError
    ? `${of}，在用模型 ${percent(champion)}，都远高于平时的 ${percent(last.medianError)}：请先核对这些成交`
    : undefined
}

/** Both models on the same sales. */
const sameSales = (c: Comparison): Figures => ({
  ...{ rule: 'SAME_SALES', n: c.n, days: c.days, from_at: c.from, until_at: c.until },
  ...{ champion_error: c.champion, challenger_error: c.challenger, standard_error: c.standardError },
})

/** The stored back-test of the model in use and that of the new one, each on its own sales. */
const backTests = (last: Backtest | undefined, next: Backtest | undefined): Figures => ({
  ...{ rule: last && next ? 'BACKTEST' : 'NONE', n: next?.n ?? null },
  ...{ champion_error: last?.medianError ?? null, challenger_error: next?.medianError ?? null },
})

interface Evidence {
  /** both models on the same sales; absent with too few of them */
  comparison: Comparison | undefined
  /** back-test of the model in use, absent if it was made on other data (generated or real) */
  last: Backtest | undefined
  /** back-test of the new model */
  next: Backtest | undefined
}

/** Compares a new model with the one in use: on the same sales, with too few of these by their back-tests. */
export function decidePromotion({ comparison, last, next }: Evidence): { why: string | undefined; figures: Figures } {
  if (comparison) return { why: comparisonReason(comparison, last), figures: sameSales(comparison) }
  return { why: last && regressionReason(last, next), figures: backTests(last, next) }
}
