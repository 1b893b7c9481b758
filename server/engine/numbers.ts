/** Shared arithmetic functions. */
import { quantileSorted, weightedQuantile } from 'simple-statistics'

/** bound once: looking up a global is slow under jest, where each test file has its own realm */
const { min, max, floor, abs, sign } = Math

export { DAY_MS as DAY } from '@/contract/time'

/** Quantile of unsorted numbers, 0 for none. @param weights of the values; equal if absent */
export function quantile(values: readonly number[], p: number, weights?: readonly number[]): number {
  if (values.length === 0) return 0
  return weights
    ? weightedQuantile(values, weights, p)
    : quantileSorted(
        [...values].sort((a, b) => a - b),
        p,
      )
}

/** How many of the sorted values are below `value`. */
export function countBelow(values: ArrayLike<number>, value: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** First place and number of places of parts that follow each other. */
export function placesOf(counts: readonly number[]): { first: number; count: number }[] {
  let next = 0
  return counts.map((count) => {
    const first = next
    next += count
    return { first, count }
  })
}

/** What is known of a key, made when it is asked for first. */
export function remembered<K, V>(
  known: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make()
  known.set(key, made)
  return made
}

export const clamp = (value: number, low: number, high: number): number => min(high, max(low, value))

/** Rounds to whole fen, half away from zero, so that gains and losses are treated alike. */
export const toFen = (value: number): number => sign(value) * floor(abs(value) + 0.5)

/** Robust standard deviation of residuals by the median absolute deviation. */
export function robustSpread(values: readonly number[], weights: readonly number[]): number {
  if (values.length < 3) return 0.3
  const middle = quantile(values, 0.5, weights)
  const deviations = values.map((value) => abs(value - middle))
  return max(0.02, 1.4826 * quantile(deviations, 0.5, weights))
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Arithmetic mean, 0 for none. */
export const mean = (values: readonly number[]): number => sum(values) / Math.max(1, values.length)

/** Share of the list that passes the test, 0 for none. */
export const share = <T>(list: readonly T[], test: (item: T) => boolean): number =>
  list.filter(test).length / Math.max(1, list.length)

/** Uniform in [0, 1). */
export type Random = () => number

/** mulberry32: the same numbers for the same seed on every machine. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** 32-bit FNV-1a hash: the same on every machine. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}

/** Finaliser of MurmurHash3: a bijection of 32-bit integers whose every bit depends on every bit. */
export function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/** Whole fen that add up to `total` exactly: rounded down, then the largest remainders get one each. */
export function apportion(amounts: readonly number[], total: number): number[] {
  const floors = amounts.map(floor)
  let left = total - sum(floors)
  const order = amounts
    .map((amount, index) => ({ index, remainder: amount - floor(amount) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index)
  for (let turn = 0; left !== 0 && order.length > 0; turn = (turn + 1) % order.length) {
    const index = order[turn]?.index ?? 0
    floors[index] = (floors[index] ?? 0) + sign(left)
    left -= sign(left)
  }
  return floors
}

/** The percentage by which a log ratio changes a price, without its sign: log 1.1 → `10.0%`. */
export const percentOfLog = (log: number, digits = 1): string => `${(100 * Math.abs(Math.expm1(log))).toFixed(digits)}%`
