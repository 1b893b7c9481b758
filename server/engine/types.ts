/** What goes into the engine and what comes out of it. Money in fen, times in ms, shares and similarities 0–1. */
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
}

/** A sale as the formula sees it. */
export interface Observed {
  kind: SaleKind
  logPrice: number
  at: number
  attributes: Answers
}

/**
 * How one field carries the price. Its score is `Σ weight · x · (1 + Σ detail · z)`; that makes a part of the value index,
 * `scale · score^power`, and lifts the price of all the rest by `lift · log(1 + score)` (log): what two things are worth
 * together may be more than their sum. All of them are positive, so more of it is never worth less.
 */
export type FieldCode = {
  key: string
  scale: number
  power: number
  weights: number[]
  details: number[]
  lift: number
  missing: Missing
  /** mean part where it is answered */
  mean: number
  /** log error that leaving it open makes */
  gap: number
} & Shape

/** What a field is expected to be where a sale leaves it open. */
export interface Missing {
  /** part of the index: constant, and by how much of it accounts with such other answers usually have */
  part: [constant: number, slope: number]
  /** how the other answers tell that (see `usualOf`): constant, and by field */
  alike: number[]
  /** log */
  lift: number
}

/** `down`: the sales say clearly that more is worth less, so the scale is turned round. */
export type Shape =
  | { kind: 'number'; min: number; cap: number; unit: number; knots: number[]; spread: number; down: boolean }
  | { kind: 'level'; ranks: string[]; steps: number }
  | { kind: 'flag'; down: boolean }
  | { kind: 'list'; items: string[]; rows: 'plain' | 'grade' | 'roster'; grades: string[]; dups: number }

/**
 * A multiplier: log effects by answer or, for a number, at its knots; the one sales without a known answer had, and the
 * worst of all, which is what an account without one gets.
 */
export type FactorCode = { key: string; effects: number[]; unknown: number; worst: number; gap: number } & (
  | { kind: 'choice'; answers: string[] }
  | { kind: 'number'; knots: number[] }
)

/**
 * log price = scale + level + power · log(index) + lifts + factors + market(at) [+ ask], where index = base + Σ parts of fields.
 * A power of 1 adds the fields up, a large one multiplies them.
 */
export interface Hedonic {
  scale: number
  level: number
  power: number
  base: number
  fields: FieldCode[]
  factors: FactorCode[]
  /**
   * log of the market from `start` on, one value every `step` ms, straight lines between; flat before, and afterwards
   * the long drift (log per ms) for a while
   */
  market: { start: number; step: number; values: number[]; drift: number }
  /** log of asking over sale price */
  ask: number
  /** usual log error where nothing is left open */
  spread: number
}

/** Gradient-boosted trees, their nodes in arrays; the children of a node stand side by side. */
export interface Forest {
  /** what an account is worth before any tree (log) */
  base: number
  /** first node of each tree */
  roots: number[]
  /** by node: twice the feature, plus one where what is missing goes left; −1 for a leaf */
  split: number[]
  /** highest value that goes left; of a leaf, what it adds */
  at: number[]
  /** left child, the right one comes after it */
  child: number[]
}

/** `trees` price the account itself, `rest` what a part of the formula leaves over. */
export const LEARNERS = ['formula', 'trees', 'rest'] as const
export type Learner = (typeof LEARNERS)[number]

/** Learners and their weights, which are not negative and add up to 1. One without a weight is not kept. */
export interface Stack {
  weights: Record<Learner, number>
  /** median out-of-fold log error; empty where there were too few sales to tell */
  errors: Partial<Record<Learner | 'stack', number>>
  trees?: Forest
  rest?: Forest
}

/** A sale ready to be compared: contributions by field (same order as `fields`), and what the formula left over. */
export interface StoredSale {
  id: string
  kind: SaleKind
  priceFen: number
  at: number
  attributes: Answers
  c: number[]
  f: number
  r: number
  h: number
  /** log value by the combination of learners, before comparables */
  v: number
}

export interface Local {
  /** distance, in log price, over which a comparable loses its say */
  reach: number
  /** weight of the formula against the comparables, in comparables */
  trust: number
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
  /** log of the expected size: constant, haze of what is left open, emptiness of the neighbourhood, learners apart, price level */
  size: number[]
  /** middle and spread of the log prices that levels are told by */
  level: [middle: number, spread: number]
  /** held-out sales the quantiles come from */
  n: number
}

/** raised when a model of before can no longer be read as it was meant */
export const FORMAT = 8

export interface Model {
  /** the engine's own: models of another format cannot be read */
  format: typeof FORMAT
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
  local: Local
  conformal: Conformal
  /** least and most log value (no market) of the sales by the combination: no price is given outside */
  range: [number, number]
  /** log prices of all sales brought to `trainedAt` and SOLD: percentiles 0–100 */
  grid: number[]
  sales: StoredSale[]
}

export type LineType = 'BASE' | 'ASSET' | 'PROGRESS' | 'RESOURCE' | 'FACTOR' | 'MARKET'

export interface Line {
  type: LineType
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
  similarity: number
  diff: string[]
}

export interface Confidence {
  level: 'HIGH' | 'MEDIUM' | 'LOW'
  score: number
  reasons: string[]
  /** those of the reasons that speak against the price */
  doubts: string[]
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
  }
  confidence: Confidence
  /** share of the sales in the model that are worth less */
  percentile: number
  /** absent until sales say how long they took */
  liquidity?: { level: 'FAST' | 'NORMAL' | 'SLOW'; days: [number, number] }
  breakdown: Line[]
  topItems: { name: string; amountFen: number }[]
  comparables: Comparable[]
  raise: { action: string; gainFen: number; cost: 'FREE' }[]
  risk: { level: 'LOW' | 'MEDIUM' | 'HIGH'; facts: string[] }
  model: { name: string; trainedAt: number; sampleN: number; version: string }
}

export type Valuation = Valued | { ok: false; code: 'SAMPLE_INSUFFICIENT'; n: number }
