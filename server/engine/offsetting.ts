/** Differences of two accounts that make up for each other in the price, but not in how alike the accounts are. */
import type { Answers } from '@/contract/form/types'
import { answerOf, contributionOf, entriesOf, scoreOf } from './encode'
import type { HedonicValue } from './hedonic'
import { sum } from './numbers'
import type { FieldCode, Hedonic } from './types'

/** An account and its value by the formula. */
export interface Side {
  answers: Answers
  value: HedonicValue
}

/** variance (log) of an item's estimated worth: 0.36 to 0.39 at 300 sales, see docs/accuracy.md */
const ITEM_VARIANCE = 0.15

/**
 * Distance of two accounts (log) in which differences of opposite direction do not cancel as they do in `distancesTo`.
 * Those of factors do not cancel at all: an account that cannot be bound again, on a dearer server, is another kind of
 * account. Items of a list that only one of the two has make up for each other as far as their worth is known. It is never
 * less than that distance, and equals it where nothing makes up for anything else.
 * @param distance by `distancesTo`
 */
export function distanceApart({ power, fields }: Hedonic, distance: number, mine: Side, theirs: Side): number {
  const scale = (2 * power) / (mine.value.index + theirs.value.index)
  const ofLists = fields.map((code) => (code.kind === 'list' ? cancelled(listSteps(code, mine, theirs)) : 0))
  const ofFactors = cancelled(factorSteps(mine.value, theirs.value))
  return Math.sqrt(distance ** 2 + ofFactors + ITEM_VARIANCE * scale ** 2 * sum(ofLists))
}

/** What the square of the sum of these lacks of the sum of the squares of rises and falls. */
function cancelled(steps: readonly number[]): number {
  const rises = sum(steps.filter((step) => step > 0))
  const falls = -sum(steps.filter((step) => step < 0))
  return 2 * rises * falls
}

const factorSteps = (mine: HedonicValue, theirs: HedonicValue): number[] =>
  mine.factors.map(({ effect }, k) => (theirs.factors[k]?.effect ?? 0) - effect)

/** Changes of a list's contribution: by what only the other account has, by what it lacks, and by details of the rest. */
function listSteps(code: FieldCode & { kind: 'list' }, mine: Side, theirs: Side): number[] {
  const [own, other] = [answerOf(mine.answers, code.key), answerOf(theirs.answers, code.key)]
  if (!Array.isArray(own) || !Array.isArray(other)) return []
  const [entries, others] = [entriesOf(code, own), entriesOf(code, other)]
  const nameOf = (row: (typeof own)[number]) => (typeof row === 'string' ? row : row.v)
  const [names, otherNames] = [new Set(own.map(nameOf)), new Set(other.map(nameOf))]
  const worth = (some: typeof entries) => contributionOf(code, scoreOf(code, some))
  const common = worth(entries.filter((_, i) => otherNames.has(nameOf(own[i] ?? ''))))
  const otherCommon = worth(others.filter((_, i) => names.has(nameOf(other[i] ?? ''))))
  return [worth(others) - otherCommon, common - worth(entries), otherCommon - common]
}
