/** What an account usually has where the record of its sale says nothing: told from what it does say. */
import { clamp, sum } from './numbers'
import { ridgeFit } from './solve'

/** added to shares before their log is taken: nothing of a thing is little, and not endlessly little */
const SOFT = 0.2
/** an account with more than ten times the mean is no rule for others */
const MAX_WEIGHT_RATIO = 10
/** fewer accounts than this that answer a field tell nothing of the others */
const MIN_ACCOUNTS = 20
/** how strongly a field is believed to say nothing about another, in accounts */
const PRIOR_ACCOUNTS = 10

type Parts = readonly (number | undefined)[]

/** What accounts are told apart by: the log of each part against its mean, 0 where it is open. */
export function marksOf(means: readonly number[], parts: Parts): number[] {
  return parts.map((part, f) => {
    const mean = means[f] ?? 0
    return part === undefined || mean <= 0 ? 0 : Math.log((part / mean + SOFT) / (1 + SOFT))
  })
}

/** How many times the mean of field `f` accounts with these marks in the others usually have. */
export function usualOf(alike: readonly number[], marks: readonly number[], f: number): number {
  const [constant = 0, ...slopes] = alike
  const log = constant + sum(slopes.map((slope, k) => slope * (k === f ? 0 : (marks[k] ?? 0))))
  return clamp((1 + SOFT) * Math.exp(log) - SOFT, 0, MAX_WEIGHT_RATIO)
}

/**
 * By field the constant and slopes for `usualOf`, learned from the accounts that answer it; none where nobody leaves it
 * open or hardly anybody answers. @param rows parts by account and field
 */
export function learnUsual(means: readonly number[], rows: readonly Parts[]): number[][] {
  const marks = rows.map((parts) => marksOf(means, parts))
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
