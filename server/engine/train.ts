/** Sales → model: the formula, how far comparables count, the interval. No randomness: same sales, same model. */
import type { Answers, FormConfig } from '@/contract/form/types'
import { calibrate, type HeldOut } from './conformal'
import { doubtsAbout } from './doubts'
import { answerOf, isFactor, isKnown, isPriced } from './encode'
import { fitHedonic } from './fit'
import { applyHedonic, haze, marketAt, type Parts } from './hedonic'
import {
  CLOSE_DISTANCE,
  correction,
  type Evidence,
  evidence,
  FEWEST_COMPARABLES,
  type Neighbour,
  nearest,
  OLDEST,
  pack,
} from './local'
import { DAY, quantile, sum } from './numbers'
import { type Missed, missedBy, type Temper, tempered, temperOf } from './temper'
import { FORMAT, type Hedonic, type Local, type Model, type Observed, type Sale, type StoredSale } from './types'

/** older sales say nothing about today */
const WINDOW = 2 * OLDEST
/**
 * Folds of the test within the training, and how many of them are run: with few sales each one missing is felt, so little is
 * held back at a time; with many finished sales one fold is plenty.
 */
function foldsOf(seen: readonly Observed[]): { folds: number; run: number } {
  if (seen.length <= 500) return { folds: 10, run: 10 }
  if (seen.length <= 4_000) return { folds: 5, run: 5 }
  return { folds: 3, run: seen.filter(({ kind }) => kind === 'SOLD').length > 3_000 ? 1 : 3 }
}
/** log error from which on a row is just wrong, by whatever much */
const MOST_LOSS = 0.5
const MOST_HELD_OUT = 1_500
const REACHES = [0.15, 0.35, 0.7]
const TRUSTS = [5, 15, 50, 200]

/** Trains on the sales up to `now`, SOLD and ASKING. Throws when there are none. */
export function train(config: FormConfig, sales: readonly Sale[], opts: { now: number }): Model {
  const used = usedOf(sales, opts.now).sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  if (used.length === 0) throw new Error(`no sales of ${config.gameId} to learn from`)
  const seen = used.map(observe)
  const { local, held, temper } = crossFit(config, seen)
  const hedonic = tempered(fitHedonic(config, seen), temper, accountsOf(seen))
  const stored = used.map((sale, i) => store(config, hedonic, sale, seen[i] ?? observe(sale)))
  return {
    format: FORMAT,
    ...names(config, used, opts.now),
    hedonic,
    local,
    conformal: calibrate(held),
    range: rangeOf(hedonic, stored),
    grid: percentiles(hedonic, stored, opts.now),
    sales: stored,
  }
}

const usedOf = (sales: readonly Sale[], now: number): Sale[] =>
  sales.filter((sale) => sale.priceFen > 0 && sale.at <= now && sale.at > now - WINDOW)

/** Version of the model these sales give at that moment. */
export const versionOf = (sales: readonly Sale[], now: number): string =>
  `${new Date(now).toISOString().slice(0, 10).replaceAll('-', '')}.${usedOf(sales, now).length}`

function names(config: FormConfig, used: readonly Sale[], now: number) {
  const date = new Date(now)
  return {
    name: `${config.gameId}-${date.getUTCFullYear()}q${Math.floor(date.getUTCMonth() / 3) + 1}`,
    version: versionOf(used, now),
    gameId: config.gameId,
    schemaVersion: config.schemaVersion,
    trainedAt: now,
    sampleN: used.length,
    soldN: used.filter((sale) => sale.kind === 'SOLD').length,
    newestAt: used.at(-1)?.at ?? now,
  }
}

const observe = (sale: Sale): Observed => ({
  kind: sale.kind,
  logPrice: Math.log(sale.priceFen),
  at: sale.at,
  attributes: sale.attributes,
})

const accountsOf = (sales: readonly Observed[]): Answers[] => sales.map(({ attributes }) => attributes)

/** Log error of the formula: above 0 the sale went for more. */
function residualOf(hedonic: Hedonic, logValue: number, sale: Observed): number {
  const asked = sale.kind === 'ASKING' ? hedonic.ask : 0
  return sale.logPrice - logValue - marketAt(hedonic.market, sale.at) - asked
}

const partsOf = (hedonic: Hedonic, sale: Observed): Parts => applyHedonic(hedonic, sale.attributes, 'expected')

function neighbour(hedonic: Hedonic, sale: Observed): Neighbour {
  const parts = partsOf(hedonic, sale)
  const { c, index, f, logValue } = parts
  return { c, index, f, h: haze(hedonic, parts), kind: sale.kind, at: sale.at, r: residualOf(hedonic, logValue, sale) }
}

const round = (value: number): number => Math.round(value * 1e5) / 1e5

function store(config: FormConfig, hedonic: Hedonic, sale: Sale, seen: Observed): StoredSale {
  const { c, f, r, h } = neighbour(hedonic, seen)
  // only what is compared is kept: no remarks, no ids, no pictures
  const kept = config.fields.filter((field) => isPriced(field) || isFactor(field)).map(({ key }) => key)
  const attributes: Answers = Object.fromEntries(
    kept.flatMap((key) => (Object.hasOwn(sale.attributes, key) ? [[key, sale.attributes[key]]] : [])),
  )
  const { id, kind, priceFen, at } = sale
  return { id, kind, priceFen, at, attributes, c: c.map(round), f: round(f), r: round(r), h: round(h) }
}

/** How many priced and multiplying fields there are, how many of them are left open, and the share of these. */
export function openOf(config: FormConfig, answers: Answers): { asked: number; open: number; share: number } {
  const asked = config.fields.filter((field) => isPriced(field) || isFactor(field))
  const open = asked.filter((field) => !isKnown(answerOf(answers, field.key))).length
  return { asked: asked.length, open, share: open / Math.max(1, asked.length) }
}

export const emptiness = ({ weight }: Evidence): number => 1 / (1 + weight / 3)

interface Tested {
  residual: number
  open: number
  unsure: boolean
  /** by reach */
  around: Evidence[]
}

/** Formulas fitted without one fold each price that fold: honest errors to choose `local` and the interval by. */
function crossFit(config: FormConfig, seen: readonly Observed[]): { local: Local; held: HeldOut[]; temper: Temper } {
  const fallback = { local: { reach: REACHES[0] ?? 0.5, trust: TRUSTS[0] ?? 4 }, held: [], temper: temperOf([]) }
  const { folds, run } = foldsOf(seen)
  if (seen.length < 2 * folds) return fallback
  const chosen = evenly(
    seen.flatMap(({ kind }, i) => (kind === 'SOLD' && i % folds < run ? [i] : [])),
    MOST_HELD_OUT,
  )
  const parts = Array.from({ length: run }, (_, fold) => {
    const inFold = (_: Observed, i: number) => i % folds === fold
    const rest = seen.filter((sale, i) => !inFold(sale, i))
    // fitted as long as the formula that is kept: a correction learned where the minimiser stopped halfway fits no other
    const hedonic = fitHedonic(config, rest)
    const tested = seen.filter((sale, i) => inFold(sale, i) && chosen.has(i))
    return { rest, hedonic, tested, missed: seen.filter(inFold).map((sale) => missOf(hedonic, sale)) }
  })
  const tested = parts.flatMap((part) => {
    // what corrects a fold's formula must not know the fold either, where there is another
    const others = parts.filter((one) => run === 1 || one !== part).flatMap(({ missed }) => missed)
    return testFold(config, part.rest, part.tested, tempered(part.hedonic, temperOf(others), accountsOf(part.rest)))
  })
  if (tested.length === 0) return fallback
  let best = { loss: Number.POSITIVE_INFINITY, reach: 0, at: 0, trust: 0 }
  for (const [at, reach] of REACHES.entries()) {
    for (const trust of TRUSTS) {
      const loss = sum(errors(tested, at, trust).map((error) => Math.min(MOST_LOSS, Math.abs(error))))
      if (loss < best.loss) best = { loss, reach, at, trust }
    }
  }
  const residuals = errors(tested, best.at, best.trust)
  const held = tested.map(({ open, unsure, around }, i) => ({
    residual: residuals[i] ?? 0,
    open,
    unsure,
    empty: emptiness(around[best.at] ?? { weight: 0, sum: 0 }),
  }))
  const temper = temperOf(parts.flatMap(({ missed }) => missed))
  return { local: { reach: best.reach, trust: best.trust }, held, temper }
}

function missOf(hedonic: Hedonic, sale: Observed): Missed {
  return missedBy(hedonic, sale.attributes, residualOf(hedonic, partsOf(hedonic, sale).logValue, sale))
}

function errors(tested: readonly Tested[], at: number, trust: number): number[] {
  return tested.map(({ residual, around }) => residual - correction(around[at] ?? { weight: 0, sum: 0 }, trust))
}

/** At most so many of the list, evenly spread. */
function evenly(list: readonly number[], most: number): ReadonlySet<number> {
  const step = Math.max(1, list.length / most)
  return new Set(Array.from({ length: Math.min(list.length, most) }, (_, k) => list[Math.floor(k * step)] ?? 0))
}

function testFold(
  config: FormConfig,
  rest: readonly Observed[],
  tested: readonly Observed[],
  hedonic: Hedonic,
): Tested[] {
  const neighbours = pack(
    rest.map((sale) => neighbour(hedonic, sale)),
    ({ index }) => index,
  )
  return tested.flatMap((sale) => {
    const place = partsOf(hedonic, sale)
    // as of the newest sale: what a valuation after training would see
    const now = sale.at + 30 * DAY
    const near = nearest(place, neighbours, hedonic.power, now, FEWEST_COMPARABLES)
    // no price would be told
    if (near.length < FEWEST_COMPARABLES) return []
    return {
      residual: residualOf(hedonic, place.logValue, sale),
      open: haze(hedonic, place),
      unsure: near.some(({ d }) => d >= CLOSE_DISTANCE) || doubtsAbout(config, sale.attributes).length > 0,
      around: evidence(place, neighbours, REACHES, hedonic.power, now),
    }
  })
}

function rangeOf(hedonic: Hedonic, stored: readonly StoredSale[]): [number, number] {
  const values = stored.map(({ attributes }) => applyHedonic(hedonic, attributes, 'expected').logValue)
  return [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]
}

/** Percentiles 0–100 of the log price, all sales brought to `now` and to a finished sale. */
function percentiles(hedonic: Hedonic, stored: readonly StoredSale[], now: number): number[] {
  const today = stored.map(
    (sale) =>
      Math.log(sale.priceFen) -
      (sale.kind === 'ASKING' ? hedonic.ask : 0) +
      marketAt(hedonic.market, now) -
      marketAt(hedonic.market, sale.at),
  )
  return Array.from({ length: 101 }, (_, p) => round(quantile(today, p / 100)))
}
