/**
 * Gradient-boosted regression trees (Friedman 2001) on histograms of the features (as in LightGBM, Ke et al. 2017),
 * with a Huber loss, a learned direction for missing values (as in XGBoost, Chen and Guestrin 2016) and monotone
 * constraints by bounded leaves. Sampling is seeded: the same rows give the same trees.
 */
import { clamp, countBelow, mixed, quantile, type Random, randomOf, robustSpread } from './numbers'
import type { Forest } from './types'

/** bound once: looking up a global is slow under jest, where each test file has its own realm */
const { max, min, round, floor, ceil } = Math

/** Features by column, NaN where missing, and the monotone constraint of each: 1 rising, -1 falling, 0 none. */
export interface Features {
  n: number
  /** hashes of the rows' ids, by which rows are sampled: adding or removing a row does not change the others */
  ids: Uint32Array
  columns: Float64Array[]
  monotone: number[]
}

/** L2 penalty on leaf values, and minimum row weight of a leaf */
const LAMBDA = 1
const MIN_LEAF = 5
/** shares of rows and features sampled for each tree */
const ROWS = 0.8
const COLUMNS = 0.7
const MAX_BINS = 127
const SEED = 21
/** threshold of the Huber loss, in robust standard deviations of the residuals */
const HUBER_LIMIT = 1
/** rounds after which that standard deviation is estimated again */
const SPREAD_INTERVAL = 20
const MIN_GAIN = 1e-9

/** Each feature in at most `MAX_BINS` quantile bins; bin 0 holds missing values. */
export interface Binned extends Pick<Features, 'n' | 'ids' | 'monotone'> {
  /** by feature, one number per row */
  bins: Uint8Array[]
  /** value of bin k ≤ cuts[k - 1], the last bin is above all cuts */
  cuts: number[][]
}

export function binned({ columns, ...rest }: Features): Binned {
  const cuts = columns.map(cutsOf)
  const bins = columns.map((column, f) => {
    const own = Float64Array.from(cuts[f] ?? [])
    return Uint8Array.from(column, (x) => (Number.isNaN(x) ? 0 : 1 + countBelow(own, x)))
  })
  return { ...rest, bins, cuts }
}

function cutsOf(column: Float64Array): number[] {
  const values = column.filter((x) => !Number.isNaN(x)).sort()
  const cuts: number[] = []
  const step = values.length / MAX_BINS
  const distinct = new Set(values).size
  let next = step
  for (let i = 1; i < values.length; i++) {
    const [a = 0, b = 0] = [values[i - 1], values[i]]
    if (a === b || (distinct > MAX_BINS && i < next)) continue
    // rounding may raise the cut to the upper value, which would then go left
    const cut = Number(((a + b) / 2).toPrecision(7))
    cuts.push(cut >= a && cut < b ? cut : a)
    next = max(next, i) + step
  }
  return cuts.slice(0, MAX_BINS - 1)
}

/** Adds one tree per step; `predicted` is kept up to date for the rows learned from and the others asked for. */
export interface Booster {
  predicted: Float64Array
  step(): void
  /** the trees of the first `rounds` steps */
  forest(rounds: number): Forest
}

/** @param rows the rows to learn from @param others further rows to predict @param rate of learning */
export function createBooster(
  data: Binned,
  target: Float64Array,
  weight: Float64Array,
  rows: Int32Array,
  others: Iterable<number>,
  { depth, rate }: { depth: number; rate: number },
): Booster {
  const random = randomOf(SEED)
  const trust = Array.from(rows, (i) => weight[i] ?? 0)
  const targets = Array.from(rows, (i) => target[i] ?? 0)
  const base = rounded(quantile(targets, 0.5, trust))
  const predicted = new Float64Array(data.n).fill(base)
  const gradient = new Float64Array(data.n)
  const grower = new Grower(data, gradient, predicted, weight, depth, rate)
  const { roots, split, at: values, child } = grower.grown
  const errorOf = (i: number) => (target[i] ?? 0) - (predicted[i] ?? 0)
  let most = 0
  const own = new Set(rows)
  const further = Int32Array.from(new Set(others)).filter((i) => !own.has(i))
  return {
    predicted,
    step() {
      if (roots.length % SPREAD_INTERVAL === 0) most = HUBER_LIMIT * robustSpread(Array.from(rows, errorOf), trust)
      for (const i of rows) gradient[i] = (weight[i] ?? 0) * clamp(errorOf(i), -most, most)
      const [sampled, rest] = sampledRows(rows, data.ids, random)
      const root = grower.grow(sampled, sampledColumns(data.bins.length, random))
      for (const i of rest) predicted[i] = (predicted[i] as number) + valueIn(grower.grown, root, data, i)
      for (const i of further) predicted[i] = (predicted[i] as number) + valueIn(grower.grown, root, data, i)
    },
    forest(rounds) {
      const ofFirst = (nodes: readonly number[]) => nodes.slice(0, roots[rounds])
      return { base, roots: roots.slice(0, rounds), split: ofFirst(split), at: ofFirst(values), child: ofFirst(child) }
    },
  }
}

/** The rows to grow a tree on, and the others. */
function sampledRows(rows: Int32Array, ids: Uint32Array, random: Random): [Int32Array, Int32Array] {
  const salt = floor(random() * 2 ** 32)
  return divided(rows, (i) => mixed((ids[i] as number) ^ salt) < ROWS * 2 ** 32)
}

function sampledColumns(count: number, random: Random): number[] {
  const all = Array.from({ length: count }, (_, f) => f)
  const wanted = ceil(COLUMNS * count)
  for (let k = 0; k < wanted; k++) {
    const other = k + floor(random() * (count - k))
    ;[all[k], all[other]] = [all[other] ?? 0, all[k] ?? 0]
  }
  return all.slice(0, wanted).sort((a, b) => a - b)
}

/** Trees while they grow, with the highest bin that goes left by node. */
type Grown = Omit<Forest, 'base'> & { bin: number[] }

function valueIn({ split, at: values, child, bin }: Grown, root: number, data: Binned, row: number): number {
  let node = root
  for (let own = split[node] as number; own >= 0; own = split[node] as number) {
    const there = data.bins[own >> 1]?.[row] ?? 0
    const left = there === 0 ? (own & 1) === 1 : there <= (bin[node] as number)
    node = (child[node] as number) + (left ? 0 : 1)
  }
  return values[node] as number
}

interface Split {
  gain: number
  feature: number
  bin: number
  missingLeft: boolean
  /** midpoint of the two leaf values; it bounds the leaves below, which keeps the constraint */
  middle: number
}

interface Bounds {
  low: number
  high: number
}

const FREE: Bounds = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }
const WIDTH = MAX_BINS + 1

class Grower {
  private readonly spare: Float64Array[] = []
  /** by feature: number of bins, including the one for missing values */
  private readonly widths: number[]
  readonly grown: Grown = { roots: [], split: [], at: [], child: [], bin: [] }
  private columns: number[] = []

  constructor(
    private readonly data: Binned,
    private readonly gradient: Float64Array,
    private readonly predicted: Float64Array,
    private readonly weight: Float64Array,
    private readonly depth: number,
    private readonly rate: number,
  ) {
    this.widths = data.cuts.map((cuts) => cuts.length + 2)
  }

  /** Adds a tree, and its values to what is predicted of the rows. @returns its root */
  grow(rows: Int32Array, columns: number[]): number {
    this.columns = columns
    const histogram = this.histogramOf(rows, columns.length)
    const root = this.leaf()
    this.grown.roots.push(root)
    this.divide(root, rows, histogram, FREE, 0)
    this.spare.push(histogram)
    return root
  }

  private leaf(): number {
    const { split, at: values, child, bin } = this.grown
    values.push(0)
    child.push(0)
    bin.push(0)
    return split.push(-1) - 1
  }

  /** Sums of gradients and weights by bin, of the first `count` columns. */
  private histogramOf(rows: Int32Array, count: number): Float64Array {
    const { data, gradient, weight, columns, widths } = this
    const sums = this.spare.pop() ?? new Float64Array(2 * WIDTH * data.bins.length)
    for (let k = 0; k < count; k++) {
      const f = columns[k] as number
      const bins = data.bins[f] ?? NO_BINS
      const from = 2 * WIDTH * k
      sums.fill(0, from, from + 2 * (widths[f] as number))
      for (let r = 0; r < rows.length; r++) {
        const i = rows[r] as number
        const cell = from + 2 * (bins[i] as number)
        sums[cell] = (sums[cell] as number) + (gradient[i] as number)
        sums[cell + 1] = (sums[cell + 1] as number) + (weight[i] as number)
      }
    }
    return sums
  }

  /** Splits a node recursively while that reduces the loss. Overwrites `histogram`. */
  private divide(node: number, rows: Int32Array, histogram: Float64Array, bounds: Bounds, level: number): void {
    const { grown, data, columns, widths } = this
    let g = 0
    let h = 0
    for (let b = 0, end = widths[columns[0] ?? 0] ?? 0; b < end; b++) {
      g += histogram[2 * b] as number
      h += histogram[2 * b + 1] as number
    }
    const value = rounded(this.rate * leafValue(g, h, bounds.low, bounds.high))
    grown.at[node] = value
    const split = level < this.depth && h >= 2 * MIN_LEAF ? this.bestSplit(histogram, g, h, bounds) : undefined
    if (!split) {
      for (const i of rows) this.predicted[i] = (this.predicted[i] as number) + value
      return
    }
    const { feature, bin, missingLeft, middle } = split
    const bins = data.bins[feature] ?? NO_BINS
    const [left, right] = divided(rows, (i) => (bins[i] === 0 ? missingLeft : (bins[i] as number) <= bin))
    const child = this.leaf()
    this.leaf()
    grown.split[node] = 2 * feature + (missingLeft ? 1 : 0)
    grown.at[node] = data.cuts[feature]?.[bin - 1] ?? 0
    grown.child[node] = child
    grown.bin[node] = bin
    const monotone = data.monotone[feature] ?? 0
    const below = { low: bounds.low, high: min(bounds.high, middle) }
    const above = { low: max(bounds.low, middle), high: bounds.high }
    const [leftBounds, rightBounds] = monotone > 0 ? [below, above] : monotone < 0 ? [above, below] : [bounds, bounds]
    // histogram of the larger child = that of the parent − that of the smaller child
    const [small, large] = left.length < right.length ? [left, right] : [right, left]
    // a leaf needs only the totals, which any one column contains
    const count = level + 1 < this.depth ? columns.length : 1
    const own = this.histogramOf(small, count)
    this.takeAway(histogram, own, count)
    const [ofLeft, ofRight] = small === left ? [own, histogram] : [histogram, own]
    this.divide(child, small === left ? small : large, ofLeft, leftBounds, level + 1)
    this.divide(child + 1, small === left ? large : small, ofRight, rightBounds, level + 1)
    this.spare.push(own)
  }

  /** Subtracts the first `count` columns of a histogram. */
  private takeAway(from: Float64Array, what: Float64Array, count: number): void {
    for (let k = 0; k < count; k++) {
      const first = 2 * WIDTH * k
      const end = first + 2 * (this.widths[this.columns[k] as number] as number)
      for (let i = first; i < end; i++) from[i] = (from[i] as number) - (what[i] as number)
    }
  }

  private bestSplit(histogram: Float64Array, g: number, h: number, bounds: Bounds): Split | undefined {
    const { low, high } = bounds
    const whole = leafGain(g, h, leafValue(g, h, low, high))
    let best: Split | undefined
    for (const [k, feature] of this.columns.entries()) {
      const from = 2 * WIDTH * k
      const monotone = this.data.monotone[feature] ?? 0
      const last = this.data.cuts[feature]?.length ?? 0
      const [missingG, missingH] = [histogram[from] as number, histogram[from + 1] as number]
      // without missing values in training both directions are equal, and later ones go to the larger side
      for (const missingLeft of missingH > 0 ? BOTH : LEFT) {
        let gl = missingLeft ? missingG : 0
        let hl = missingLeft ? missingH : 0
        for (let bin = 1; bin <= last; bin++) {
          gl += histogram[from + 2 * bin] as number
          hl += histogram[from + 2 * bin + 1] as number
          if (hl < MIN_LEAF) continue
          if (h - hl < MIN_LEAF) break
          const left = leafValue(gl, hl, low, high)
          const right = leafValue(g - gl, h - hl, low, high)
          if (monotone * (right - left) < 0) continue
          const gain = leafGain(gl, hl, left) + leafGain(g - gl, h - hl, right) - whole
          if (gain <= (best?.gain ?? MIN_GAIN)) continue
          const toLeft = missingH > 0 ? missingLeft : hl >= h - hl
          best = { gain, feature, bin, missingLeft: toLeft, middle: (left + right) / 2 }
        }
      }
    }
    return best
  }
}

/** The rows that pass a test and those that do not, each in their order. */
function divided(rows: Int32Array, isFirst: (row: number) => boolean): [Int32Array, Int32Array] {
  const first = new Int32Array(rows.length)
  const second = new Int32Array(rows.length)
  let [firsts, seconds] = [0, 0]
  for (let r = 0; r < rows.length; r++) {
    const i = rows[r] as number
    if (isFirst(i)) first[firsts++] = i
    else second[seconds++] = i
  }
  return [first.subarray(0, firsts), second.subarray(0, seconds)]
}

const NO_BINS = new Uint8Array(0)
const BOTH = [true, false]
const LEFT = [true]

const leafValue = (g: number, h: number, low: number, high: number): number => clamp(g / (h + LAMBDA), low, high)
/** reduction of the loss by a leaf of that value */
const leafGain = (g: number, h: number, value: number): number => g * value - 0.5 * (h + LAMBDA) * value * value

const rounded = (value: number): number => round(value * 1e7) / 1e7

/** Features of one account. `unanswered` marks those without an answer, for which every possible value is considered. */
export interface Point {
  x: Float64Array
  unanswered: Uint8Array
}

/** Prediction for an account. With unanswered features each tree gives the lowest leaf they could lead to. */
export function predictForest(forest: Forest, point: Point): number {
  let total = forest.base
  for (const root of forest.roots) total += lowestLeaf(forest, point, root)
  return total
}

function lowestLeaf(forest: Forest, point: Point, from: number): number {
  let node = from
  for (;;) {
    const split = forest.split[node] as number
    if (split < 0) return forest.at[node] as number
    const child = forest.child[node] as number
    const feature = split >> 1
    if (point.unanswered[feature] === 1)
      return min(lowestLeaf(forest, point, child), lowestLeaf(forest, point, child + 1))
    const x = point.x[feature] as number
    const left = Number.isNaN(x) ? (split & 1) === 1 : x <= (forest.at[node] as number)
    node = left ? child : child + 1
  }
}
