/** Baselines for public tables: textbook learners on the same columns, without tuning. */
import { Matrix, solve } from 'ml-matrix'
import type { Field } from '@/contract/form/types'
import { answerKey, answerOf } from '../engine/encode'
import { mean, sum } from '../engine/numbers'
import type { Sale } from '../engine/types'

type Rows = readonly (readonly number[])[]

/** Design matrix: standardised numbers (0 where missing), ordered options by rank, others one-hot. */
function designOf(fields: readonly Field[], past: readonly Sale[]): (sale: Sale) => number[] {
  const parts = fields.map((field) => {
    const plain = (sale: Sale): number[] => {
      const answer = answerOf(sale.attributes, field.key)
      if (field.type === 'decimal') return [typeof answer === 'number' ? answer : Number.NaN]
      if (field.type === 'bool') return [typeof answer === 'boolean' ? Number(answer) : Number.NaN]
      const levels = (field.options ?? []).map(({ v }) => v)
      const place = levels.indexOf(answerKey(answer))
      return field.role === 'factor' ? levels.map((_, k) => (k === place ? 1 : 0)) : [place < 0 ? Number.NaN : place]
    }
    const seen = past.map(plain)
    const scales = (seen[0] ?? []).map((_, k) => {
      const values = seen.map((row) => row[k] ?? Number.NaN).filter((value) => !Number.isNaN(value))
      const middle = mean(values)
      const spread = Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
      return { middle, spread: spread > 0 ? spread : 1 }
    })
    return (sale: Sale) =>
      plain(sale).map((value, k) => {
        const { middle, spread } = scales[k] ?? { middle: 0, spread: 1 }
        return Number.isNaN(value) ? 0 : (value - middle) / spread
      })
  })
  return (sale) => parts.flatMap((part) => part(sale))
}

const PENALTY = 1

/** Ridge regression of the log price on standardised columns. */
function ridge(past: Rows, y: readonly number[], later: Rows): number[] {
  const middle = mean(y)
  const rows = new Matrix(past.map((row) => [...row]))
  const gram = rows
    .transpose()
    .mmul(rows)
    .add(Matrix.eye(rows.columns, rows.columns, PENALTY))
  const beta = solve(gram, rows.transpose().mmul(Matrix.columnVector(y.map((value) => value - middle)))).to1DArray()
  return later.map((row) => middle + sum(row.map((x, k) => x * (beta[k] ?? 0))))
}

const NEIGHBOURS = 10

/** Mean log price of the nearest rows. */
function neighbours(past: Rows, y: readonly number[], later: Rows): number[] {
  return later.map((row) => {
    const near = past
      .map((other, i) => ({ i, d: row.reduce((total, x, k) => total + (x - (other[k] ?? 0)) ** 2, 0) }))
      .sort((a, b) => a.d - b.d)
      .slice(0, NEIGHBOURS)
    return mean(near.map(({ i }) => y[i] ?? 0))
  })
}

/** Predicted log prices of the later sales by each baseline. */
export function baselines(
  fields: readonly Field[],
  past: readonly Sale[],
  later: readonly Sale[],
): Record<string, number[]> {
  const design = designOf(fields, past)
  const [rows, queries] = [past.map(design), later.map(design)]
  const y = past.map(({ priceFen }) => Math.log(priceFen))
  return { ridge: ridge(rows, y, queries), knn: neighbours(rows, y, queries) }
}
