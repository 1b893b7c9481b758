/** Baselines for public tables: textbook learners on the same columns, without tuning. */
import { CholeskyDecomposition, Matrix } from 'ml-matrix'
import type { Field } from '@/contract/form/types'
import { answerKey, answerOf } from '../engine/encode'
import { mean } from '../engine/numbers'
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

/** Ridge regression of the log price. */
function ridge(past: Rows, y: readonly number[], later: Rows): number[] {
  const width = past[0]?.length ?? 0
  const penalties = [1e-6, ...Array.from({ length: width }, () => PENALTY)]
  const beta = ridgeFit(
    past.map((row) => [1, ...row]),
    y,
    y.map(() => 1),
    penalties,
  )
  return later.map((row) => (beta[0] ?? 0) + row.reduce((total, x, k) => total + x * (beta[k + 1] ?? 0), 0))
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

/** Weighted ridge regression; `ridge` is the penalty by column. A column of zeros gets the coefficient 0. */
function ridgeFit(
  rows: readonly (readonly number[])[],
  target: readonly number[],
  weight: readonly number[],
  ridge: readonly number[],
): number[] {
  const p = ridge.length
  const gram = Matrix.zeros(p, p)
  const right = Matrix.zeros(p, 1)
  for (const [i, row] of rows.entries()) {
    const w = weight[i] ?? 0
    if (w === 0) continue
    for (let a = 0; a < p; a++) {
      const xa = (row[a] ?? 0) * w
      if (xa === 0) continue
      right.set(a, 0, right.get(a, 0) + xa * (target[i] ?? 0))
      for (let b = a; b < p; b++) gram.set(a, b, gram.get(a, b) + xa * (row[b] ?? 0))
    }
  }
  for (let a = 0; a < p; a++) {
    gram.set(a, a, gram.get(a, a) + Math.max(1e-9, ridge[a] ?? 0))
    for (let b = 0; b < a; b++) gram.set(a, b, gram.get(b, a))
  }
  return new CholeskyDecomposition(gram).solve(right).to1DArray()
}
