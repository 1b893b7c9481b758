/**
 * Time to sell: Cox's proportional hazards (1972) by the log ratio of price to market, with Breslow's estimate of the
 * baseline, and the Kaplan–Meier curve (1958) without it. Unsold listings are right-censored.
 */
import { clamp, sorted } from './numbers'

export interface Spell {
  /** days from listing to sale, or to when it was last seen unsold */
  days: number
  sold: boolean
  /** log of the price over the market's expectation */
  ratio: number
}

/** Share still unsold after some days, a step function. */
export interface Step {
  days: number
  unsold: number
}

/** Kaplan–Meier estimate, one step for each day on which something sold. */
export function kaplanMeier(spells: readonly Spell[]): Step[] {
  let unsold = 1
  return eventsOf(spells).map(({ days, events, atRisk }) => {
    unsold *= 1 - events.length / atRisk.length
    return { days, unsold }
  })
}

interface Event {
  days: number
  events: Spell[]
  atRisk: Spell[]
}

/** Days with sales, with the numbers sold and at risk. */
function eventsOf(spells: readonly Spell[]): Event[] {
  const days = [...new Set(spells.filter(({ sold }) => sold).map((one) => one.days))]
  return sorted(days).map((day) => ({
    days: day,
    events: spells.filter((one) => one.sold && one.days === day),
    atRisk: spells.filter((one) => one.days >= day),
  }))
}

export interface SellTime {
  /** change of the log hazard per log of the price ratio; negative: more expensive accounts sell more slowly */
  slope: number
  /** cumulative baseline hazard at a ratio of 0, by days */
  hazard: [days: number, cumulative: number][]
  /** spells, and those that ended in a sale */
  n: number
  soldN: number
}

const ROUNDS = 30
/** prior standard deviation of the slope, so that few spells cannot give an absurd one */
const PRIOR_SD = 6
const MAX_RATIO = 1
const MAX_DAYS = 365
/** points of the stored baseline */
const MAX_POINTS = 60

const exactly = (value: number): number => Math.round(value * 1e5) / 1e5

/** Fits the model; undefined without any sale. */
export function fitSellTime(given: readonly Spell[]): SellTime | undefined {
  const spells = given.map(({ days, sold, ratio }) => ({
    ...{ sold: sold && days <= MAX_DAYS, days: clamp(Math.ceil(days), 1, MAX_DAYS) },
    ratio: clamp(ratio, -MAX_RATIO, MAX_RATIO),
  }))
  const events = eventsOf(spells)
  if (events.length === 0) return undefined
  const slope = slopeOf(events)
  let cumulative = 0
  const hazard = events.map(({ days, events: sold, atRisk }): [number, number] => {
    cumulative += sold.length / atRisk.reduce((total, one) => total + Math.exp(slope * one.ratio), 0)
    return [days, exactly(cumulative)]
  })
  const every = Math.ceil(hazard.length / MAX_POINTS)
  return {
    slope: exactly(slope),
    hazard: hazard.filter((_, i) => i % every === 0 || i === hazard.length - 1),
    n: spells.length,
    soldN: spells.filter(({ sold }) => sold).length,
  }
}

/** Newton's method on the partial likelihood, which is concave; a dearer account cannot sell faster. */
function slopeOf(events: readonly Event[]): number {
  let slope = 0
  for (let round = 0; round < ROUNDS; round++) {
    let gradient = -slope / PRIOR_SD ** 2
    let curvature = 1 / PRIOR_SD ** 2
    for (const { events: sold, atRisk } of events) {
      let [total, first, second] = [0, 0, 0]
      for (const { ratio } of atRisk) {
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
