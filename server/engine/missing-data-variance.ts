/** Error variance that a missing answer adds to the price, estimated from the sales that lack it too. */

import type { DesignMatrix } from './design-matrix'
import { sum } from './numbers'

/** residual spread of listings relative to sales */
export const ASKING_SPREAD = 1.3
/** limit of absolute log errors: larger ones come from wrong rows */
const MAX_ERROR = 1.5
/** the largest tenth of the errors is trimmed, since it may come from wrong rows */
const TRIM_QUANTILE = 0.9
/** prior log error of a missing answer, and its weight in sales */
const PRIOR = { sd: 0.2, n: 3 } as const
const ITERATIONS = 3

/** Indices of what each sale lacks: its fields, then its factors. */
export function unansweredIndices(
  table: Pick<DesignMatrix, 'n' | 'answers' | 'known' | 'covariates' | 'covariateAt' | 'columns'>,
): number[][] {
  const { n, answers, known, covariates, covariateAt, columns } = table
  const fieldN = answers.length / Math.max(1, n)
  const unknown = new Map(columns.factors.map(({ first, count }, k) => [first + count - 1, fieldN + k]))
  return Array.from({ length: n }, (_, i) => [
    ...[...answers.subarray(i * fieldN, (i + 1) * fieldN)].flatMap((answer, f) => (known[answer] ? [] : [f])),
    ...[...covariateAt.subarray(covariates[i], covariates[i + 1])].flatMap((at) => unknown.get(at) ?? []),
  ])
}

/**
 * Updates `missingSds` and `missingSd` of the table: the error variance of a sale is the formula's plus that of each of
 * its missing answers.
 */
export function fitMissingDataVariance(table: DesignMatrix, residual: Float64Array, spread: number): void {
  const squares = table.missingSds.map(() => PRIOR.sd ** 2)
  const salesByPlace = table.missingSds.map((_, place) =>
    table.unanswered.flatMap((places, i) => (places.includes(place) ? [i] : [])),
  )
  const ofSale = (i: number) => sum((table.unanswered[i] ?? []).map((place) => squares[place] ?? 0))
  const formula = (i: number) => (spread * (table.asking[i] ? ASKING_SPREAD : 1)) ** 2
  for (let round = 0; round < ITERATIONS; round++) {
    for (const [place, rows] of salesByPlace.entries()) {
      const own = squares[place] ?? 0
      const unexplained = rows
        .map((i) => ({
          square: Math.min(MAX_ERROR, Math.abs(residual[i] ?? 0)) ** 2 - formula(i) - ofSale(i) + own,
          weight: table.weight[i] ?? 1,
        }))
        .sort((a, b) => a.square - b.square)
      const kept = TRIM_QUANTILE * sum(unexplained.map(({ weight }) => weight))
      let [total, n] = [PRIOR.n * PRIOR.sd ** 2, PRIOR.n as number]
      let seen = 0
      for (const { square, weight } of unexplained) {
        seen += weight
        if (seen > kept) break
        total += weight * square
        n += weight
      }
      squares[place] = Math.max(0, total) / n
    }
  }
  table.missingSds = squares.map(Math.sqrt)
  for (let i = 0; i < table.n; i++) table.missingSd[i] = Math.sqrt(ofSale(i))
}
