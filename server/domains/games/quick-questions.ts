import type { Field, FormConfig } from '@/contract/form/types'
import { affectsPrice } from '@/contract/form/validate'
import type { GameDetail } from '@/contract/types'
import type { Model } from '../../engine/types'

type QuickQuestion = NonNullable<GameDetail['quick']>['questions'][number]
type QuickOption = QuickQuestion['options'][number]

const MIN_QUESTIONS = 3
const MAX_QUESTIONS = 5
/** share of the variance of log prices that a question beyond the minimum must explain */
const MIN_EXPLAINED = 0.005
/** share of accounts without any from which 没有 is an option of its own */
const NONE_SHARE = 0.08
/** a number is asked in up to five bands; these are the shares of the accounts below their limits */
const BAND_SHARES = [0.2, 0.4, 0.6, 0.8]
/** up to this limit a band names its last number, above it the next limit */
const EXACT_MAX = 20

interface Candidate extends QuickQuestion {
  /** index of the option of each sale's answer; −1 without one */
  groups: number[]
}

const TEN_THOUSAND = 10_000
const short = (n: number) => (n >= TEN_THOUSAND ? `${n / TEN_THOUSAND}万` : String(n))

/** Rounds to two significant digits, and to whole numbers: 1_234 → 1_200. */
function rounded(n: number): number {
  const unit = Math.max(1, 10 ** (Math.floor(Math.log10(Math.max(1, n))) - 1))
  return Math.round(n / unit) * unit
}

const quantile = (sorted: readonly number[], share: number) => sorted[Math.floor(share * sorted.length)] ?? 0

/** Lower limits of the bands above the first. */
function limitsOf(sorted: readonly number[]): number[] {
  const some = sorted.filter((n) => n > 0)
  const hasNone = sorted.length - some.length >= NONE_SHARE * sorted.length
  // 没有 takes one of the five bands
  const limits = hasNone
    ? [1, ...[0.25, 0.5, 0.75].map((share) => quantile(some, share))]
    : BAND_SHARES.map((share) => quantile(sorted, share))
  const least = hasNone ? 1 : (sorted[0] ?? 0) + 1
  return [...new Set(limits.map(rounded))].filter((n) => n >= least).sort((a, b) => a - b)
}

function bandText(from: number | undefined, to: number | undefined): string {
  if (from === undefined && to === 1) return '没有'
  if (from === undefined) return to !== undefined && to <= EXACT_MAX ? `0–${to - 1}` : `${short(to ?? 0)} 以内`
  if (to === undefined) return `${short(from)} 以上`
  if (to > EXACT_MAX) return `${short(from)}–${short(to)}`
  return to - from === 1 ? short(from) : `${from}–${to - 1}`
}

/** Bands of about as many accounts each; the answer is the middle account's. */
function bandsOf(values: readonly (number | undefined)[]): Pick<Candidate, 'options' | 'groups'> {
  const known = values.filter((n) => n !== undefined).sort((a, b) => a - b)
  const limits = limitsOf(known)
  const groupOf = (n: number) => limits.filter((limit) => n >= limit).length
  const options = [undefined, ...limits].map((from, band): QuickOption => {
    const inside = known.filter((n) => groupOf(n) === band)
    return { t: bandText(from, limits[band]), answer: quantile(inside, 0.5) }
  })
  return { options, groups: values.map((n) => (n === undefined ? -1 : groupOf(n))) }
}

/** A field that one tap answers, with the answers of the sales; undefined for any other. */
function candidateOf(field: Field, answers: readonly unknown[]): Candidate | undefined {
  const { key, label, type, unit } = field
  if (!affectsPrice(field) || field.visibleWhen) return undefined
  if (type === 'int' || type === 'decimal') {
    const bands = bandsOf(answers.map((answer) => (typeof answer === 'number' ? answer : undefined)))
    return { key, label: unit && !label.endsWith('）') ? `${label}（${unit}）` : label, ...bands }
  }
  if (type !== 'select' || !field.options) return undefined
  const options = field.options.map(({ v, t }): QuickOption => ({ t, answer: v }))
  const groups = answers.map((answer) => options.findIndex((option) => option.answer === answer))
  return { key, label, options, groups }
}

/** The part of each residual that the groups explain: the mean of its group. */
function explainedBy(groups: readonly number[], residuals: readonly number[]): number[] {
  const sums = new Map<number, { n: number; sum: number }>()
  groups.forEach((group, i) => {
    const { n, sum } = sums.get(group) ?? { n: 0, sum: 0 }
    sums.set(group, { n: n + 1, sum: sum + (residuals[i] ?? 0) })
  })
  return groups.map((group) => {
    const { n, sum } = sums.get(group) ?? { n: 1, sum: 0 }
    return sum / n
  })
}

const sumOfSquares = (values: readonly number[]) => values.reduce((sum, value) => sum + value * value, 0)

function choose({ fields }: FormConfig, { sales }: Model): QuickQuestion[] {
  const prices = sales.map(({ priceFen }) => Math.log(priceFen))
  const mean = prices.reduce((sum, price) => sum + price, 0) / Math.max(1, prices.length)
  let residuals = prices.map((price) => price - mean)
  const all = sumOfSquares(residuals)
  const left = fields.flatMap(
    (field) =>
      candidateOf(
        field,
        sales.map(({ attributes }) => attributes[field.key]),
      ) ?? [],
  )
  const chosen: Candidate[] = []
  while (chosen.length < MAX_QUESTIONS) {
    const [best] = left
      .filter((candidate) => candidate.options.length > 1 && !chosen.includes(candidate))
      .map((candidate) => ({ candidate, explained: explainedBy(candidate.groups, residuals) }))
      .sort((a, b) => sumOfSquares(b.explained) - sumOfSquares(a.explained))
    const explained = sumOfSquares(best?.explained ?? [])
    if (!best || explained === 0 || (chosen.length >= MIN_QUESTIONS && explained < MIN_EXPLAINED * all)) break
    chosen.push(best.candidate)
    residuals = residuals.map((residual, i) => residual - (best.explained[i] ?? 0))
  }
  return chosen.map(({ key, label, options }) => ({ key, label, options }))
}

const chosen = new WeakMap<Model, QuickQuestion[]>()

/**
 * The questions of the quick estimate: the three to five fields answered by one tap that explain most of the variance of the
 * model's sales, each after those before it, the most informative first.
 */
export function quickQuestions(config: FormConfig, model: Model): QuickQuestion[] {
  const known = chosen.get(model) ?? choose(config, model)
  chosen.set(model, known)
  return known
}
