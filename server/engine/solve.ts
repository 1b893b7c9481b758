/** Small linear least squares. */
import { CholeskyDecomposition, Matrix } from 'ml-matrix'

/** Weighted ridge regression; `ridge` is the penalty by column. A column of zeros gets the coefficient 0. */
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
