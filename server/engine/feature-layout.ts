/** Which fields enter the price and in which form: from the config's roles and types, scaled to the sales. */
import { optionsOf } from '@/contract/form/answers'
import type { Field, FormConfig } from '@/contract/form/types'
import { answerOf, isFactor, isList, isNumber, isPriced, itemsIn, leafOptions } from './encode'
import { clamp, DAY, quantile } from './numbers'
import type { Encoding, Multiplier, Observed } from './types'

/** Evidence of the sales about the direction of a field (see monotonicity.ts). */
export type Direction = 'up' | 'down' | 'free'

/** Accounts of sales and their weights. */
type Accounts = readonly Pick<Observed, 'attributes' | 'weight'>[]
/** Evidence by field; `up` where absent. */
export type Directions = ReadonlyMap<string, Direction>

export interface Layout {
  /** fields of the index */
  fields: { key: string; encoding: Encoding }[]
  factors: Multiplier[]
  /** of the market, evenly spaced (ms) */
  knots: number[]
}

/** Maximum of items and of answers with their own parameter; the most frequent ones get it. */
const MAX_ITEMS = 2_000
const MAX_ANSWERS = 100
/** copies of one roster row that are priced one by one */
const MAX_DUPS = 12
const FACTOR_KNOTS = [0.02, 0.2, 0.4, 0.6, 0.8, 0.98]
/** numbers beyond this are input errors; clamped, so that their squares do not overflow */
export const LARGEST = 1e15

const MARKET_STEP = 30 * DAY

function marketKnots(sales: readonly Observed[]): number[] {
  const start = sales.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY)
  const end = sales.reduce((most, { at }) => Math.max(most, at), Number.NEGATIVE_INFINITY)
  const steps = clamp(Math.round((end - start) / MARKET_STEP), 1, 60)
  return Array.from({ length: steps + 1 }, (_, k) => start + ((end - start) * k) / steps)
}

export function layoutOf(
  config: FormConfig,
  accounts: readonly Observed[],
  directions: Directions = new Map(),
): Layout {
  const layout: Layout = { fields: [], factors: [], knots: marketKnots(accounts) }
  for (const field of config.fields) {
    const direction = directions.get(field.key) ?? 'up'
    if (!isPriced(field) && !isFactor(field)) continue
    // a list is worth the sum of its items in either role, a text is one of those seen
    if (direction !== 'free' && (isList(field) || (isPriced(field) && field.type !== 'text'))) {
      const encoding = encodingOf(config, field, accounts, direction)
      if (encoding) layout.fields.push({ key: field.key, encoding })
    } else {
      const factor = factorOf(field, accounts)
      if (factor) layout.factors.push(factor)
    }
  }
  return layout
}

/** The layout of these directions, and that in which the items of lists without a promised direction may lower the price. */
export function layoutsOf(
  config: FormConfig,
  accounts: readonly Observed[],
  directions: Directions,
): [Layout, Layout?] {
  const lists = config.fields.filter((field) => isList(field) && (field.role === 'value-' || isFactor(field)))
  const free = new Map([...directions, ...lists.map(({ key }) => [key, 'free'] as const)])
  const summed = layoutOf(config, accounts, directions)
  return lists.length > 0 ? [summed, layoutOf(config, accounts, free)] : [summed]
}

function factorOf(field: Field, accounts: Accounts): Multiplier | undefined {
  const { key } = field
  if (isNumber(field)) {
    const seen = numbersOf(field, accounts)
    const knots = [...new Set(FACTOR_KNOTS.map((p) => quantileOf(seen, p)))]
    return seen.length === 0 ? undefined : { key, kind: 'number', knots }
  }
  const [kind, most] = isList(field) ? (['list', MAX_ITEMS] as const) : (['choice', MAX_ANSWERS] as const)
  return { key, kind, answers: mostFrequent(countsOf(wordsIn(field, accounts)), most) }
}

function encodingOf(config: FormConfig, field: Field, accounts: Accounts, direction: Direction): Encoding | undefined {
  if (isNumber(field)) return numberEncoding(field, accounts, direction === 'down')
  if (field.type === 'bool') return { kind: 'flag', down: direction === 'down' }
  if (isList(field)) return listEncoding(config, field, accounts)
  if (field.type !== 'select' && field.type !== 'cascader') return undefined
  const ranks = leafOptions(optionsOf(config, field)).filter((path) => path !== 'unknown')
  if (direction === 'down') ranks.reverse()
  return { kind: 'level', ranks }
}

interface Weighted {
  value: number
  weight: number
}

/**
 * Finite answers with the weights of their sales, in order, which makes each quantile cheap. Those beyond the form's limits
 * count as the limit, so that a few absurd ones do not stretch the scale of all.
 */
export function numbersOf(field: Field, accounts: Accounts): Weighted[] {
  const { min = -LARGEST, max = LARGEST } = field.rules
  const found = accounts.flatMap(({ attributes, weight = 1 }) => {
    const answer = answerOf(attributes, field.key)
    return typeof answer === 'number' && Number.isFinite(answer)
      ? [{ value: clamp(answer, Math.max(min, -LARGEST), Math.min(max, LARGEST)), weight }]
      : []
  })
  return found.sort((a, b) => a.value - b.value)
}

const quantileOf = (values: readonly Weighted[], p: number): number =>
  quantile(
    values.map(({ value }) => value),
    p,
    values.map(({ weight }) => weight),
  )

function numberEncoding(field: Field, accounts: Accounts, down: boolean): Encoding {
  const seen = numbersOf(field, accounts)
  const low = quantileOf(seen, 0.005)
  const min = Math.min(clamp(field.rules.min ?? 0, -LARGEST, LARGEST), low)
  // above 1.5 times the 99.5th percentile the sales are no evidence of a price
  const high = quantileOf(seen, 0.995) - min
  const cap = min + Math.max(1e-6, 1.5 * high)
  const amounts = seen.map(({ value, weight }) => {
    const inside = clamp(value, min, cap)
    return { value: down ? cap - inside : inside - min, weight }
  })
  const owned = amounts.filter(({ value }) => value > 0)
  return { kind: 'number', min, cap, unit: Math.max(1e-6, quantileOf(owned, 0.5) || 1), down }
}

function listEncoding(config: FormConfig, field: Field, accounts: Accounts): Encoding {
  const names = wordsIn(field, accounts)
  let dups = 0
  for (const { attributes } of accounts) {
    const answer = answerOf(attributes, field.key)
    for (const row of Array.isArray(answer) ? answer : [])
      if (typeof row !== 'string' && 'dup' in row) dups = Math.max(dups, Number(row.dup) || 0)
  }
  const rows = field.type === 'tagsGrade' ? 'grade' : field.type === 'roster' ? 'roster' : 'plain'
  return {
    kind: 'list',
    // unsold items are included: their weight comes from that of rare items
    items: mostFrequent(
      countsOf([...names, ...optionsOf(config, field).map(({ v }) => ({ word: v, weight: 1 }))]),
      MAX_ITEMS,
    ),
    rows,
    grades: field.grades ?? [],
    dups: clamp(Math.floor(dups), 0, MAX_DUPS),
  }
}

/** Answers of a choice, or items of a list, with the weights of their sales. */
const wordsIn = (field: Field, accounts: Accounts) =>
  accounts.flatMap(({ attributes, weight = 1 }) =>
    itemsIn(answerOf(attributes, field.key), field).map((word) => ({ word, weight })),
  )

function countsOf(words: readonly { word: string; weight: number }[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { word, weight } of words) counts.set(word, (counts.get(word) ?? 0) + weight)
  return counts
}

/** Sorted alphabetically, so that the model does not depend on the order of the sales. */
function mostFrequent(counts: ReadonlyMap<string, number>, most: number): string[] {
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([word]) => word)
    .sort()
}
