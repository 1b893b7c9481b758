/** The interval: split conformal on held-out log residuals, scaled by how hard the account is to price. */
import { clamp, quantile, sorted } from './numbers'
import { ridgeFit } from './solve'
import type { Conformal } from './types'

/** One held-out sale: the error that was made and what was known about the difficulty beforehand. */
export interface HeldOut {
  residual: number
  /** the confidence would have been LOW, the range wider */
  unsure: boolean
  /** how much harder it is for what is left open, see haze */
  open: number
  /** 1 with nothing comparable around, towards 0 with many */
  empty: number
}

const COVERAGE = 0.8
/** rule 2.4: a LOW confidence widens the range */
const UNSURE_WIDENING = 1.5
/** sales whose median error counts half: a median of few is chance */
const BIAS_TRUST = 250
/** with fewer held-out sales the quantiles are not worth the name: a wide fixed guess instead */
const FEWEST = 20
const GUESS: Conformal = {
  coverage: COVERAGE,
  bias: 0,
  p10: -1.28,
  p25: -0.67,
  p75: 0.67,
  p90: 1.28,
  size: [Math.log(0.4), 0, 0],
  n: 0,
}

/** Quantiles with the finite-sample correction of split conformal: the ends go outwards by one rank. */
export function calibrate(held: readonly HeldOut[]): Conformal {
  if (held.length < FEWEST) return { ...GUESS, n: held.length }
  const rows = held.map(({ open, empty }) => [1, open, empty])
  const residuals = held.map(({ residual }) => residual)
  const bias = (quantile(residuals, 0.5) * held.length) / (held.length + BIAS_TRUST)
  const logs = residuals.map((residual) => Math.log(Math.abs(residual - bias) + 0.02))
  const size = ridgeFit(
    rows,
    logs,
    held.map(() => 1),
    [0, 5, 5],
  )
  const scores = sorted(held.map((one) => (one.residual - bias) / sizeOf({ size }, one)))
  const rank = (place: number) => scores[clamp(place, 0, scores.length - 1)] ?? 0
  const outer = (held.length + 1) * ((1 - COVERAGE) / 2)
  return {
    coverage: COVERAGE,
    bias,
    p10: rank(Math.floor(outer) - 1),
    p25: quantile(scores, 0.25),
    p75: quantile(scores, 0.75),
    p90: rank(Math.ceil(held.length + 1 - outer) - 1),
    size,
    n: held.length,
  }
}

/** Expected size of the log error, at most four times the usual one before the widening. */
export function sizeOf(
  { size }: Pick<Conformal, 'size'>,
  { open, empty, unsure }: Pick<HeldOut, 'open' | 'empty' | 'unsure'>,
): number {
  const [usual = Math.log(0.2), byOpen = 0, byEmpty = 0] = size
  const widening = unsure ? UNSURE_WIDENING : 1
  return widening * Math.exp(usual + clamp(Math.max(0, byOpen) * open + Math.max(0, byEmpty) * empty, 0, Math.log(4)))
}
