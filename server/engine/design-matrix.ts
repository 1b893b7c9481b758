/** The sales as flat arrays, so that one pass over ten thousand of them takes milliseconds. */
import type { Answer } from '@/contract/form/types'
import { answerOf, type Entry, entriesOf, isAnswered, listEntry, sizeOfCode } from './encode'
import type { Layout } from './feature-layout'
import { basisOf } from './hedonic'
import { clamp, DAY, placesOf, quantile, sum } from './numbers'
import type { Observed } from './types'

export interface DesignMatrix {
  n: number
  /** log price − middle */
  y: Float64Array
  middle: number
  asking: Uint8Array
  /** ms */
  at: Float64Array
  /** trust in each sale, 0 to 1 */
  weight: Float64Array
  /** sale · fields + field → index of the distinct answer */
  answers: Int32Array
  /** by answer: its field, whether it is none (0), and the weight of all sales that give it */
  fieldOf: Int32Array
  known: Uint8Array
  answerWeight: Float64Array
  /** answer → its entries, of which each different one is kept once */
  entries: Int32Array
  entryAt: Int32Array
  /** by different entry */
  weightAt: Int32Array
  x: Float64Array
  /** different entry → its details */
  details: Int32Array
  detailAt: Int32Array
  detailZ: Float64Array
  /** sale → its multipliers */
  covariates: Int32Array
  covariateAt: Int32Array
  covariateX: Float64Array
  columns: Columns
}

/** Offsets of the multipliers of each factor, then of the market's steps, the asking effect and the market's drift. */
export interface Columns {
  factors: { first: number; count: number }[]
  market: number
  ask: number
  drift: number
  count: number
}

export const YEAR = 365 * DAY

function columnsOf({ factors, knots }: Layout): Columns {
  // the last one is for an unknown answer
  const sizes = factors.map((factor) => (factor.kind === 'number' ? factor.knots : factor.answers).length + 1)
  const count = sum(sizes)
  const ask = count + knots.length - 1
  return { factors: placesOf(sizes), market: count, ask, drift: ask + 1, count: ask + 2 }
}

export function designMatrix(layout: Layout, sales: readonly Observed[]): DesignMatrix {
  const columns = columnsOf(layout)
  const covariates = [0]
  const covariateAt: number[] = []
  const covariateX: number[] = []
  for (const sale of sales) {
    for (const { index, x } of covariatesOf(layout, columns, sale)) {
      covariateAt.push(index)
      covariateX.push(x)
    }
    covariates.push(covariateAt.length)
  }
  const weight = sales.map((sale) => sale.weight ?? 1)
  const middle = quantile(
    sales.map(({ priceFen }) => Math.log(priceFen)),
    0.5,
    weight,
  )
  return {
    n: sales.length,
    middle,
    y: Float64Array.from(sales, ({ priceFen }) => Math.log(priceFen) - middle),
    at: Float64Array.from(sales, ({ at }) => at),
    asking: Uint8Array.from(sales, (sale) => (sale.kind === 'ASKING' ? 1 : 0)),
    weight: Float64Array.from(weight),
    ...answersOf(layout, sales),
    covariates: Int32Array.from(covariates),
    covariateAt: Int32Array.from(covariateAt),
    covariateX: Float64Array.from(covariateX),
    columns,
  }
}

function answersOf(layout: Layout, sales: readonly Observed[]) {
  const firsts = firstsOf(layout)
  const answers = new Int32Array(sales.length * layout.fields.length)
  const fieldOf: number[] = []
  const known: number[] = []
  const answerWeight: number[] = []
  const entries = [0]
  const entryAt: number[] = []
  const weightAt: number[] = []
  const x: number[] = []
  const details = [0]
  const detailAt: number[] = []
  const detailZ: number[] = []
  const addEntry = (f: number, entry: Entry): number => {
    const { weight, detail } = firsts[f] ?? { weight: 0, detail: 0 }
    x.push(entry.x)
    for (const { index, z } of entry.details) {
      detailAt.push(detail + index)
      detailZ.push(z)
    }
    details.push(detailAt.length)
    return weightAt.push(weight + entry.index) - 1
  }
  for (const [f, { key, encoding }] of layout.fields.entries()) {
    const seen = new Map<unknown, number>()
    const rows = new Map<string, number>()
    const add = (answer: Answer | undefined): number => {
      if (encoding.kind === 'list' && Array.isArray(answer))
        for (const row of answer) {
          const word = typeof row === 'string' ? row : JSON.stringify(row)
          const own = rows.get(word) ?? addEntry(f, listEntry(encoding, row))
          rows.set(word, own)
          entryAt.push(own)
        }
      else if (answer !== undefined) for (const entry of entriesOf(encoding, answer)) entryAt.push(addEntry(f, entry))
      entries.push(entryAt.length)
      known.push(answer === undefined ? 0 : 1)
      answerWeight.push(0)
      return fieldOf.push(f) - 1
    }
    for (const [i, { attributes, weight = 1 }] of sales.entries()) {
      const given = answerOf(attributes, key)
      const answer = isAnswered(encoding, given) ? given : undefined
      const word = typeof answer === 'object' ? JSON.stringify(answer) : answer
      const a = seen.get(word) ?? add(answer)
      seen.set(word, a)
      answers[i * layout.fields.length + f] = a
      answerWeight[a] = (answerWeight[a] ?? 0) + weight
    }
  }
  return {
    answers,
    fieldOf: Int32Array.from(fieldOf),
    known: Uint8Array.from(known),
    answerWeight: Float64Array.from(answerWeight),
    entries: Int32Array.from(entries),
    entryAt: Int32Array.from(entryAt),
    weightAt: Int32Array.from(weightAt),
    x: Float64Array.from(x),
    details: Int32Array.from(details),
    detailAt: Int32Array.from(detailAt),
    detailZ: Float64Array.from(detailZ),
  }
}

/** First weight and first detail of each field. */
export function firstsOf(layout: Layout): { weight: number; detail: number }[] {
  const sizes = layout.fields.map(({ encoding }) => sizeOfCode(encoding))
  const weights = placesOf(sizes.map((size) => size.weights))
  const details = placesOf(sizes.map((size) => size.details))
  return sizes.map((_, f) => ({ weight: weights[f]?.first ?? 0, detail: details[f]?.first ?? 0 }))
}

function covariatesOf(layout: Layout, columns: Columns, sale: Observed): { index: number; x: number }[] {
  const found = layout.factors.flatMap((factor, i) => {
    const { first, count } = columns.factors[i] ?? { first: 0, count: 1 }
    const basis = basisOf(factor, answerOf(sale.attributes, factor.key)) ?? [{ index: count - 1, x: 1 }]
    return basis.map(({ index, x }) => ({ index: first + index, x }))
  })
  // the market as cumulative steps: column k is the elapsed share of the interval between knots k and k + 1
  for (const [k, knot] of layout.knots.slice(1).entries()) {
    const from = layout.knots[k] ?? knot
    const x = knot > from ? clamp((sale.at - from) / (knot - from), 0, 1) : 0
    if (x > 0) found.push({ index: columns.market + k, x })
  }
  found.push({ index: columns.drift, x: (sale.at - (layout.knots[0] ?? 0)) / YEAR })
  if (sale.kind === 'ASKING') found.push({ index: columns.ask, x: 1 })
  return found
}
