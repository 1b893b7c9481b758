/** Decides whether a new model replaces the one in use. */
import { percent } from '@/contract/format'
import type { Backtest } from '../../engine/backtest'
import { type Comparison, isChallengerWorse } from '../../engine/compare-models'
import { MIN_TESTED } from './backtests'
import type { DecisionMetrics } from './decision-log'

/** tolerated loss of accuracy compared with the back-test of the current model: chance, and a harder period */
const TOLERANCE = { factor: 1.25, points: 0.02 } as const
/**
 * Times the median error of the back-test: a model that errs more on average, on sales that the one in use predicts no
 * better, has learned prices that follow no market. (Usual errors have a mean of about 1.5 times their median.)
 */
const DOUBTFUL = 3

type Tested = Pick<Backtest, 'n' | 'medianError'>

const isTested = (test: Tested | undefined): test is Tested => test !== undefined && test.n >= MIN_TESTED

/** Why a new model must not replace the current one, by their back-tests; undefined when it may. */
function regressionReason(last: Tested, next: Tested): string | undefined {
  if (next.medianError <= last.medianError * TOLERANCE.factor + TOLERANCE.points) return undefined
  return `新模型误差 ${percent(next.medianError)}，明显高于在用模型的 ${percent(last.medianError)}`
}

/** Why a new model must not replace the one in use, on the same sales; undefined when it may. */
function comparisonReason(comparison: Comparison, last: Backtest | undefined): string | undefined {
  const { n, days, champion, challenger } = comparison
  const of = `同样 ${days} 天的 ${n} 条新成交上，新模型误差 ${percent(challenger)}`
  if (isChallengerWorse(comparison)) return `${of}，高于在用模型的 ${percent(champion)}`
  return isTested(last) && challenger > DOUBTFUL * last.medianError
    ? `${of}，在用模型 ${percent(champion)}，都远高于平时的 ${percent(last.medianError)}：请先核对这些成交`
    : undefined
}

/** Both models on the same sales. */
const sameSales = (c: Comparison): DecisionMetrics => ({
  ...{ rule: 'SAME_SALES', n: c.n, days: c.days, from_at: c.from, until_at: c.until },
  ...{ champion_error: c.champion, challenger_error: c.challenger, standard_error: c.standardError },
})

/** The stored back-test of the model in use and that of the new one, each on its own sales. */
const backTests = (
  rule: 'BACKTEST' | 'NONE',
  last: Backtest | undefined,
  next: Backtest | undefined,
): DecisionMetrics => ({
  ...{ rule, n: next?.n ?? null },
  ...{ champion_error: last?.medianError ?? null, challenger_error: next?.medianError ?? null },
})

/** What has changed since the training of the model in use. */
export interface Changes {
  /** it has learned from generated sales, and the new one from enough verified ones instead */
  isReplacedByReal: boolean
  /** it was trained for another version of the form */
  hasOtherForm: boolean
  /** a person requested the new training at the desk */
  requested: boolean
  /** the one in use has learned prices that their owners withdrew since, and the new one has not */
  withdrawn: boolean
  /** verified sales stored since its training, as a share of all that it was trained on */
  growth: number
}

/** Growth with which a new model replaces one in use although too few sales show which of them is better. */
const UNTESTED_GROWTH = 0.25

/**
 * Why a new model must wait that too few sales can be compared with the one in use; undefined when it may replace it. A
 * game with few sales may never reach the number that is tested, so a quarter more verified ones are enough; a few more are
 * not, because each training on a few false ones would be put into use, nor are those that people report of themselves. A withdrawn price does not wait: the game may never
 * grow that much, and its model would keep the price for good.
 */
function untestedReason(changes: Changes): string | undefined {
  const { isReplacedByReal, hasOtherForm, requested, withdrawn, growth } = changes
  if (isReplacedByReal || hasOtherForm || requested || withdrawn || growth >= UNTESTED_GROWTH) return undefined
  return `可以比较的成交不到 ${MIN_TESTED} 条，经核实的成交比在用模型训练时只多 ${percent(growth)}：多 ${percent(UNTESTED_GROWTH)} 才换上`
}

interface Evidence {
  /** undefined without a model in use */
  changes: Changes | undefined
  /** both models on the same sales; absent with too few of them */
  comparison: Comparison | undefined
  /** back-test of the model in use, absent if it was made on other data (generated or real) */
  last: Backtest | undefined
  /** back-test of the new model */
  next: Backtest | undefined
}

/**
 * Compares a new model with the one in use: on the same sales, with too few of these by their back-tests, and with too
 * few in these by what has changed since the training of the one in use.
 */
export function decidePromotion({ changes, comparison, last, next }: Evidence): {
  why: string | undefined
  figures: DecisionMetrics
} {
  if (comparison) return { why: comparisonReason(comparison, last), figures: sameSales(comparison) }
  const isComparable = isTested(last) && isTested(next)
  const why = isComparable ? regressionReason(last, next) : changes && untestedReason(changes)
  return { why, figures: backTests(isComparable ? 'BACKTEST' : 'NONE', last, next) }
}
