/** Input and output of the engine. Money in fen, times in ms, shares 0–1. */
import type { Answers } from '@/contract/form/types'

export type SaleKind = 'SOLD' | 'ASKING'
export type AnswerSource = 'AUTH' | 'PUBLIC_ID' | 'TYPED'

export interface Sale {
  id: string
  gameId: string
  kind: SaleKind
  priceFen: number
  at: number
  attributes: Answers
  /** trust in the record, 0 to 1; default 1 */
  weight?: number
}

/** A sale as the regression uses it. */
export type Observed = Omit<Sale, 'id' | 'gameId'>

/**
 * How one field enters the price. Its score is `Σ weight · x · (1 + Σ detail · z)`. It adds `scale · score^power` to the value index and
 * `interaction · log(1 + score)` to the log price: two things together may be worth more than their sum. All coefficients are
 * positive, so that more never lowers the price.
 */
export type FieldCode = {
  key: string
  scale: number
  power: number
  weights: number[]
  details: number[]
  interaction: number
  /** what it adds to the index where the record of a sale lacks it: the average of such sales */
  missing: number
} & Encoding

/** How answers of a field become features. `down`: the sales show that more is worth less, so the scale is reversed. */
export type Encoding =
  | { kind: 'number'; min: number; cap: number; unit: number; down: boolean }
  | { kind: 'level'; ranks: string[] }
  | { kind: 'flag'; down: boolean }
  | { kind: 'list'; items: string[]; rows: 'plain' | 'grade' | 'roster'; grades: string[]; dups: number }

/** Answers with a log effect of their own, items of a list whose effects add up, or knots of a number. */
export type Multiplier = { key: string } & (
  | { kind: 'choice' | 'list'; answers: string[] }
  | { kind: 'number'; knots: number[] }
)

/**
 * `unknown` is the effect estimated for sales without a known answer, `worst` the lowest effect, which an account without
 * a known answer gets; 0 for a list, which is completed (see completions.ts).
 */
export type FactorCode = Multiplier & { effects: number[]; unknown: number; worst: number }

/**
 * log price = level + power · log(index) + interactions + factors + market(at) [+ ask], where index = base + Σ parts of fields.
 * With a power of 1 fields are additive, with a large one nearly multiplicative.
 */
export interface Hedonic {
  level: number
  power: number
  base: number
  fields: FieldCode[]
  factors: FactorCode[]
  /**
   * log market level from `start` on, one value every `step` ms, interpolated linearly; constant before, extrapolated
   * by `drift` (log per ms) for a limited time afterwards
   */
  market: { start: number; step: number; values: number[]; drift: number }
  /** log of asking over sale price */
  ask: number
}

/** Gradient-boosted trees with their nodes in arrays; the two children of a node are adjacent. */
export interface Forest {
  /** initial log prediction, before any tree */
  base: number
  /** first node of each tree */
  roots: number[]
  /** by node: 2 · feature, + 1 if missing values go left; −1 for a leaf */
  split: number[]
  /** threshold: values up to it go left; for a leaf, its output */
  at: number[]
  /** left child; the right one follows it */
  child: number[]
}

/** The formula has the weight 1 − `treeWeight`; its comparables count with it. Trees of weight 0 are not stored. */
export interface Stack {
  treeWeight: number
  trees?: Forest
}

/** A sale ready for comparison: contributions by field (in the order of `fields`) and the formula's residual. */
export interface StoredSale {
  id: string
  kind: SaleKind
  priceFen: number
  at: number
  attributes: Answers
  contributions: number[]
  logTerms: number
  residual: number
  /** log value by the stack, before comparables */
  logValue: number
  /** weight of the sale when it is not 1 */
  weight?: number
}

/** Factors of the lower and of the upper end of a range. */
export interface Ends {
  down: number
  up: number
}

/** Quantiles of the held-out log residual divided by its expected size. */
export interface Conformal {
  coverage: number
  /** median held-out log residual, added to every prediction */
  bias: number
  p10: number
  p25: number
  p75: number
  p90: number
  /** log of the expected size at a usual price */
  size: number
  /**
   * factors for accounts, downwards and upwards: of the quantiles, and of the distance to the completions of what is left open
   * (see completions.ts) by the number of open fields, linear between. `level`: the share of the completions that are worth
   * less than the price
   */
  accounts: { level: number; error: Ends; gaps: (Ends & { open: number })[] }
  /** log factors of the size by price level: medians of the quarters of the estimated log price, linear between them */
  levels: { logPrices: number[]; logFactors: number[] }
  /** number of held-out sales behind the quantiles */
  n: number
}

/** incremented when models stored earlier can no longer be interpreted correctly; a model of another format is not used */
export const FORMAT = 4

export interface Model {
  name: string
  gameId: string
  version: string
  schemaVersion: number
  trainedAt: number
  sampleN: number
  soldN: number
  newestAt: number
  hedonic: Hedonic
  stack: Stack
  conformal: Conformal
  /** lowest and highest stacked log value of the sales (without market); predictions are clamped to it */
  range: [number, number]
  /** percentiles 0–100 of the log prices of all sales, adjusted to `trainedAt` and to SOLD */
  percentiles: number[]
  sales: StoredSale[]
}

export type BreakdownLineType = 'BASE' | 'ASSET' | 'PROGRESS' | 'RESOURCE' | 'FACTOR' | 'MARKET' | 'ASSUMED'

export interface BreakdownLine {
  type: BreakdownLineType
  label: string
  amountFen: number
  why: string
  items: { name: string; amountFen: number }[]
  /** field the line is about; absent for base, market and comparables */
  key?: string
}

export interface Comparable {
  id: string
  kind: SaleKind
  priceFen: number
  adjFen: number
  at: number
  closeness: 'NEAR' | 'CLOSE' | 'REFERENCE'
  /** answers that it shares with the account, and what differs */
  same: string[]
  diff: string[]
}

/** The median price of the comparables shown, and in what the account is better and worse than they are on average. */
export interface PriceGap {
  medianFen: number
  /** names of fields, or the market since those sales */
  better: string[]
  worse: string[]
}

export interface Confidence {
  level: 'HIGH' | 'MEDIUM' | 'LOW'
  score: number
  reasons: string[]
  /** those of the reasons that lower the confidence */
  doubts: string[]
  /** comparable sales, and the fields taken at the usual level for want of an answer */
  sold: number
  assumed: { key: string; label: string }[]
}

export interface Valued {
  ok: true
  price: {
    predictFen: number
    lowFen: number
    highFen: number
    quickFen: number
    listFen: number
    coverage: number
    /** the account is beyond all sales, so that the upper end is open */
    isOpen?: true
  }
  confidence: Confidence
  /** share of the model's sales with a lower price */
  percentile: number
  breakdown: BreakdownLine[]
  topItems: { name: string; amountFen: number }[]
  comparables: Comparable[]
  /** absent where the estimate is close to the comparables' prices */
  gap?: PriceGap
  raise: { action: string; about: string; gainFen: number; cost: 'FREE' }[]
  risk: { level: 'LOW' | 'MEDIUM' | 'HIGH'; facts: string[] }
  model: { name: string; trainedAt: number; sampleN: number; version: string }
}

export type Valuation = Valued | { ok: false; code: 'SAMPLE_INSUFFICIENT'; n: number }
