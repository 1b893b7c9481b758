/**
 * Time to sell: Cox's proportional hazards (1972) by the log ratio of price to market, with Breslow's estimate of the
 * baseline. Unsold listings are right-censored.
 */
import type { SellTime } from '../../../db/columns'
import { clamp } from '../../../engine/numbers'
import { groupBy } from '../../shared/batches'

export interface Spell {
  /** days from listing to sale, or to when it was last seen unsold */
  days: number
  sold: boolean
  /** log of the price over the market's expectation */
  ratio: number
}

interface Day {
  days: number
  ended: Spell[]
  sold: Spell[]
}

const ROUNDS = 30
/** prior standard deviation of the slope, so that few spells cannot give an absurd one */
const PRIOR_SD = 6
const MAX_RATIO = 1
const MAX_DAYS = 365

const exactly = (value: number): number => Math.round(value * 1e5) / 1e5

/** Fits the model; undefined without any sale. */
export function fitSellTime(given: readonly Spell[]): SellTime | undefined {
  const spells = given.map(({ days, sold, ratio }) => ({
    ...{ sold: sold && days <= MAX_DAYS, days: clamp(Math.ceil(days), 1, MAX_DAYS) },
    ratio: clamp(ratio, -MAX_RATIO, MAX_RATIO),
  }))
  // the longest first: at risk on a day are its own spells and those before it
  const days = [...groupBy(spells, ({ days }) => [days])]
    .sort(([a], [b]) => b - a)
    .map(([days, ended]): Day => ({ days, ended, sold: ended.filter(({ sold }) => sold) }))
  if (!spells.some(({ sold }) => sold)) return undefined
  const slope = slopeOf(days)
  let [atRisk, cumulative] = [0, 0]
  const hazard = days
    .map(({ days: day, ended, sold }): [number, number] => {
      for (const { ratio } of ended) atRisk += Math.exp(slope * ratio)
      return [day, sold.length / atRisk]
    })
    .filter(([, risk]) => risk > 0)
    .reverse()
    .map(([day, risk]): [number, number] => {
      cumulative += risk
      return [day, exactly(cumulative)]
    })
  return {
    slope: exactly(slope),
    hazard,
    n: spells.length,
    soldN: spells.filter(({ sold }) => sold).length,
  }
}

/** Newton's method on the partial likelihood, which is concave; a dearer account cannot sell faster. */
function slopeOf(days: readonly Day[]): number {
  let slope = 0
  for (let round = 0; round < ROUNDS; round++) {
    let gradient = -slope / PRIOR_SD ** 2
    let curvature = 1 / PRIOR_SD ** 2
    let [total, first, second] = [0, 0, 0]
    for (const { ended, sold } of days) {
      for (const { ratio } of ended) {
        const weight = Math.exp(slope * ratio)
        total += weight
        first += weight * ratio
        second += weight * ratio * ratio
      }
      const mean = first / total
      for (const { ratio } of sold) gradient += ratio - mean
      curvature += sold.length * (second / total - mean * mean)
    }
    const step = gradient / curvature
    slope += clamp(step, -2, 2)
    if (Math.abs(step) < 1e-6) break
  }
  return Math.min(0, slope)
}

/** Days within which half of such accounts sell; undefined if fewer than half were observed to sell. */
export function medianDays({ slope, hazard }: Pick<SellTime, 'slope' | 'hazard'>, ratio: number): number | undefined {
  const wanted = Math.log(2) / Math.exp(slope * clamp(ratio, -MAX_RATIO, MAX_RATIO))
  return hazard.find(([, cumulative]) => cumulative >= wanted)?.[0]
}
