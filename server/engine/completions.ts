/**
 * What is left open in an account is taken as it is usual: as in the sales most alike in what is answered (hot-deck
 * imputation, Andridge and Little 2010). Each of them completes the account once; the prices of these completions give the
 * usual level and how far the account may be from it. Multipliers without an answer are not completed: they count as the worst.
 */
import { visibleFields } from '@/contract/form/answers'
import type { Answers, FormConfig } from '@/contract/form/types'
import { answerOf, contributionOf, scoreIn } from './encode'
import { columnsOf, featureVector, ofField } from './features'
import { applyHedonic, type HedonicValue, isUnanswered } from './hedonic'
import { clamp, mixed, sum } from './numbers'
import type { PackedSales } from './similarity'
import { combined } from './stack'
import type { Model } from './types'

/** number of sales that complete an account, and the newest ones among which they are */
const ALIKE = 40
const MAX_CANDIDATES = 3_000

/** An account with the usual answers in place of those left open. */
export interface Completed {
  /** it is the record of a sale, of which nothing is assumed */
  isRecord?: boolean
  /** indices of the open fields in the formula */
  open: number[]
  /** position among the sales: the mean of the completions */
  value: HedonicValue
  /** log value before comparables */
  log: number
  /** log value with the open fields counted as nothing */
  leastLog: number
  /** what the best answers to the multipliers without one would add (log): they count as the worst */
  upside: number
  /** what the usual answer to each open field adds to the index */
  usual: number[]
  /** log value at a share of the completions */
  at(share: number): number
}

/** Fields of the formula that the form asks for and the account leaves open. */
export function openFields({ hedonic }: Model, config: FormConfig, account: Answers): number[] {
  const asked = new Set(visibleFields(config, account).map(({ key }) => key))
  return hedonic.fields.flatMap((code, f) => (asked.has(code.key) && scoreIn(account, code) === undefined ? [f] : []))
}

/** The account in the record of a sale: what it lacks is no property of the account and is not completed. */
export function recorded({ hedonic, stack }: Model, record: Answers): Completed {
  const value = applyHedonic(hedonic, record, 'average')
  const point = featureVector(hedonic, hedonic, record, 'average')
  const log = combined(stack, value.logValue, value.logValue, point)
  return { isRecord: true, open: [], value, log, leastLog: log, upside: 0, usual: [], at: () => log }
}

/** @param skipped index of a sale that completes nothing: the account itself, in calibration */
export function completed(
  model: Model,
  packed: PackedSales,
  account: Answers,
  open: readonly number[],
  skipped?: number,
): Completed {
  const { hedonic, stack } = model
  const own = applyHedonic(hedonic, account, 'worst')
  const point = featureVector(hedonic, hedonic, account, 'worst')
  const logOf = (log: number, of = point) => combined(stack, log, log, of)
  const leastLog = logOf(own.logValue)
  const openFactors = hedonic.factors.filter((factor) => isUnanswered(factor, answerOf(account, factor.key)))
  const upside = sum(openFactors.map(({ effects, worst }) => Math.max(worst, ...effects) - worst))
  if (open.length === 0) return { open: [], value: own, log: leastLog, leastLog, upside, usual: [], at: () => leastLog }
  const donors = donorsOf(packed, own, open, skipped)
  const columns = columnsOf(hedonic)
  const completion = (answers: Answers, fillings: readonly number[][]) => {
    const contributions = [...own.contributions]
    const interactions = [...own.interactions]
    const filled = { x: point.x.slice(), unanswered: point.unanswered.slice() }
    for (const [place, f] of open.entries()) {
      const code = hedonic.fields[f]
      if (!code) continue
      const score = scoreIn(answers, code)
      contributions[f] = score === undefined ? code.missing.contribution : contributionOf(code, score)
      interactions[f] = score === undefined ? code.missing.interaction : code.interaction * Math.log1p(score)
      const { first, count } = columns[f] ?? { first: 0, count: 0 }
      filled.x.set(fillings[place] ?? [], first)
      filled.unanswered.fill(0, first, first + count)
    }
    const value = { ...own, ...sumsOf(model, own, contributions, interactions) }
    return { log: logOf(value.logValue, filled), value }
  }
  // sales with the same answers make the same completion
  const known = new Map<string, { log: number; value: HedonicValue }>()
  const completions = donors.map(({ i, weight }) => {
    const answers = model.sales[i]?.attributes ?? {}
    const fillings = open.map((f) => {
      const code = hedonic.fields[f]
      return code ? ofField(code, code, answers) : []
    })
    const key = fillings.join(';')
    const found = known.get(key) ?? completion(answers, fillings)
    known.set(key, found)
    return { ...found, weight }
  })
  const weights = completions.map(({ weight }) => weight)
  const whole = sum(weights)
  const meanOf = (of: (one: (typeof completions)[number]) => number) =>
    sum(completions.map((one) => one.weight * of(one))) / whole
  // no answer is worth less than none, so that answering with nothing does not lower the price
  const logs = completions.map(({ log }) => Math.max(leastLog, log))
  const at = (share: number) => smoothQuantile(logs, share, weights)
  const usual = open.map((f) => meanOf(({ value }) => value.contributions[f] ?? 0))
  const contributions = own.contributions.map((value, f) => {
    const place = open.indexOf(f)
    return place < 0 ? value : (usual[place] ?? 0)
  })
  const interactions = own.interactions.map((value, f) =>
    open.includes(f) ? meanOf((one) => one.value.interactions[f] ?? 0) : value,
  )
  return {
    open: [...open],
    value: { ...own, ...sumsOf(model, own, contributions, interactions) },
    log: at(model.conformal.accounts.level),
    leastLog,
    upside,
    usual,
    at,
  }
}

function sumsOf({ hedonic }: Model, own: HedonicValue, contributions: number[], interactions: number[]) {
  const index = hedonic.base + sum(contributions)
  const logTerms = sum(interactions) + sum(own.factors.map(({ effect }) => effect))
  const logValue = hedonic.scale + hedonic.level + hedonic.power * Math.log(index) + logTerms
  return { contributions, interactions, index, logTerms, logValue }
}

/**
 * The sales most alike in what is answered, by the formula's shares of the price. Their weight falls smoothly to nothing at the next
 * one, so that a small change of the account never exchanges the completions.
 */
function donorsOf(
  packed: PackedSales,
  own: HedonicValue,
  open: readonly number[],
  skipped: number | undefined,
): { i: number; weight: number }[] {
  const { n, width, contributions } = packed
  const answered = own.contributions.map((_, k) => k).filter((k) => !open.includes(k))
  const base = own.index - sum(own.contributions)
  const index = base + sum(answered.map((k) => own.contributions[k] ?? 0))
  const first = Math.max(0, n - MAX_CANDIDATES)
  // of the candidates, the newest sales
  const distances = new Float64Array(n - first)
  for (let i = first; i < n; i++) {
    let squares = 0
    let total = base
    for (const k of answered) {
      const there = contributions[i * width + k] ?? 0
      const step = (own.contributions[k] ?? 0) - there
      squares += step * step
      total += there
    }
    distances[i - first] = i === skipped ? Number.POSITIVE_INFINITY : Math.sqrt(squares) / (index + total)
  }
  const most = distances.slice().sort()[Math.min(ALIKE, distances.length - 1)] ?? 0
  const alike: number[] = []
  for (let i = first; i < n; i++) if ((distances[i - first] ?? 0) <= most && i !== skipped) alike.push(i)
  // an account without answers is as far from all
  if (alike.length > 2 * ALIKE) alike.sort((a, b) => mixed(a) - mixed(b)).splice(2 * ALIKE)
  return alike.map((i) => {
    const near = most > 0 && most < Number.POSITIVE_INFINITY ? 1 - ((distances[i - first] ?? 0) / most) ** 2 : 1
    return { i, weight: (near * near + 1e-6) * Math.max(1e-3, packed.weight[i] ?? 1) }
  })
}

/** Quantile that changes continuously with the weights: linear between the middles of the values' shares. */
function smoothQuantile(values: readonly number[], share: number, weights: readonly number[]): number {
  const order = [...values.keys()].sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  const whole = sum(weights)
  let below = 0
  let before: { share: number; value: number } | undefined
  for (const i of order) {
    const own = (weights[i] ?? 0) / whole
    const here = { share: below + own / 2, value: values[i] ?? 0 }
    if (here.share >= share) {
      if (!before || here.share === before.share) return here.value
      const way = clamp((share - before.share) / (here.share - before.share), 0, 1)
      return before.value + way * (here.value - before.value)
    }
    before = here
    below += own
  }
  return before?.value ?? 0
}
