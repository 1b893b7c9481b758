/** The two least-squares problems of the hedonic fit: many non-negative weights, and a few free ones. */
import { CholeskyDecomposition, Matrix } from 'ml-matrix'
import type { Row } from './encode'

/** Weighted normal equations of sparse rows: `gram` is p × p row by row, `right` is p. */
export interface Normal {
  gram: Float64Array
  right: Float64Array
  p: number
}

/** Adds Σ weight · x xᵀ and Σ weight · x · target, rows divided by `size` first (relative errors). */
export function normalOf(
  p: number,
  rows: readonly Row[],
  size: readonly number[],
  target: readonly number[],
  weight: readonly number[],
): Normal {
  const gram = new Float64Array(p * p)
  const right = new Float64Array(p)
  for (const [i, row] of rows.entries()) {
    const w = weight[i] ?? 0
    if (w === 0) continue
    const s = size[i] ?? 1
    const wx = w / s
    for (let a = 0; a < row.at.length; a++) {
      const ca = row.at[a] ?? 0
      const xa = (row.x[a] ?? 0) * wx
      right[ca] = (right[ca] ?? 0) + xa * (target[i] ?? 0)
      const base = ca * p
      for (let b = 0; b < row.at.length; b++) {
        const place = base + (row.at[b] ?? 0)
        gram[place] = (gram[place] ?? 0) + (xa * (row.x[b] ?? 0)) / s
      }
    }
  }
  return { gram, right, p }
}

export interface Shrink {
  /** ridge of each column */
  ridge: readonly number[]
  /** columns drawn towards their common mean instead of towards 0 */
  groups: readonly { first: number; count: number }[]
}

const MOST_SWEEPS = 200
const TOLERANCE = 2e-4

/**
 * Minimises ½βᵀGβ − bᵀβ + ½Σ ridge (β − mean of its group)², β ≥ 0, by coordinate descent from `start`.
 * The group means are part of the problem, so it stays convex and the result does not depend on the start.
 */
export function nonNegative({ gram, right, p }: Normal, { ridge, groups }: Shrink, start: readonly number[]): number[] {
  const beta = Float64Array.from({ length: p }, (_, j) => start[j] ?? 0)
  const mean = new Float64Array(p)
  const gradient = gradientOf(gram, right, beta, p)
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    setMeans(mean, beta, groups)
    let moved = 0
    for (let j = 0; j < p; j++) {
      const curve = (gram[j * p + j] ?? 0) + (ridge[j] ?? 0)
      if (curve <= 0) continue
      const old = beta[j] ?? 0
      const slope = (gradient[j] ?? 0) + (ridge[j] ?? 0) * (old - (mean[j] ?? 0))
      const next = Math.max(0, old - slope / curve)
      const step = next - old
      if (step === 0) continue
      beta[j] = next
      moved = Math.max(moved, Math.abs(step) * Math.sqrt(curve))
      const base = j * p
      for (let k = 0; k < p; k++) gradient[k] = (gradient[k] ?? 0) + step * (gram[base + k] ?? 0)
    }
    if (moved < TOLERANCE) break
  }
  return [...beta]
}

function gradientOf(gram: Float64Array, right: Float64Array, beta: Float64Array, p: number): Float64Array {
  const gradient = Float64Array.from(right, (value) => -value)
  for (let j = 0; j < p; j++) {
    const value = beta[j] ?? 0
    if (value !== 0) for (let k = 0; k < p; k++) gradient[k] = (gradient[k] ?? 0) + value * (gram[j * p + k] ?? 0)
  }
  return gradient
}

function setMeans(mean: Float64Array, beta: Float64Array, groups: Shrink['groups']): void {
  for (const { first, count } of groups) {
    let total = 0
    for (let j = first; j < first + count; j++) total += beta[j] ?? 0
    for (let j = first; j < first + count; j++) mean[j] = total / count
  }
}

/** Weighted ridge regression without signs; `ridge` by column. A column nobody has comes out as 0. */
export function ridgeFit(
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
