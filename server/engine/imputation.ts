/** Imputes fields that the record of a sale leaves blank, by ridge regression on the other fields. */
import { clamp, sum } from './numbers'
import { ridgeFit } from './solve'

/** added to ratios before taking the log, so that the log of 0 stays finite */
const SOFT = 0.2
/** upper limit of an imputed ratio to the mean */
const MAX_WEIGHT_RATIO = 10
/** minimum of accounts that answer a field, to impute it for others */
const MIN_ACCOUNTS = 20
/** ridge penalty of each slope, in accounts */
const PRIOR_ACCOUNTS = 10

type Parts = readonly (number | undefined)[]

/** The regressors: log ratio of each part to its mean, 0 where it is blank. */
export function zScoresOf(means: readonly number[], parts: Parts): number[] {
  return parts.map((part, f) => {
    const mean = means[f] ?? 0
    return part === undefined || mean <= 0 ? 0 : Math.log((part / mean + SOFT) / (1 + SOFT))
  })
}

/** Expected ratio of field `f` to its mean, given the marks of the other fields. */
export function imputedOf(alike: readonly number[], marks: readonly number[], f: number): number {
  const [constant = 0, ...slopes] = alike
  const log = constant + sum(slopes.map((slope, k) => slope * (k === f ? 0 : (marks[k] ?? 0))))
  return clamp((1 + SOFT) * Math.exp(log) - SOFT, 0, MAX_WEIGHT_RATIO)
}

/**
 * By field the constant and slopes for `imputedOf`, learned from the accounts that answer it; none where nobody leaves it
 * open or hardly anybody answers. @param rows parts by account and field
 */
export function fitImputation(means: readonly number[], rows: readonly Parts[]): number[][] {
  const marks = rows.map((parts) => zScoresOf(means, parts))
  const ridge = [0, ...means.map(() => PRIOR_ACCOUNTS)]
  return means.map((_, f) => {
    const told = marks.filter((_, i) => rows[i]?.[f] !== undefined)
    if (told.length < MIN_ACCOUNTS || told.length === rows.length) return []
    const others = told.map((own) => [1, ...own.map((mark, k) => (k === f ? 0 : mark))])
    return ridgeFit(
      others,
      told.map((own) => own[f] ?? 0),
      told.map(() => 1),
      ridge,
    )
  })
}
