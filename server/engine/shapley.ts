/**
 * Contribution of each field to the price of an account: starting from an empty one, its answers are filled in one by one, in
 * the order of the form and in reverse, and the two differences averaged. This is the Shapley value over two orders
 * instead of all, which would need 2^n prices: the contributions add up exactly, a field that never lowers the price never has
 * a negative one, and effects of single fields and of pairs get their exact Shapley values (antithetic sampling).
 */
import type { Answers } from '@/contract/form/types'
import { columnsOf, featureVector } from './features'
import type { HedonicValue } from './hedonic'
import { sum } from './numbers'
import { combined } from './stack'
import type { Model } from './types'

export interface Contributions {
  /** unrounded fen without market and comparables: of the empty account, and what each field adds */
  base: number
  added: number[]
  /** log effect of each multiplier on the price, in the order of the formula's factors */
  effects: number[]
}

/** @param hedonicValue of the account, with missing answers as `worst` */
export function shapleyContributions(
  { hedonic, stack }: Model,
  hedonicValue: HedonicValue,
  answers: Answers,
): Contributions {
  const { scale, level, power, base, fields, factors } = hedonic
  const whole = featureVector(hedonic, hedonic, answers, 'worst')
  const columns = columnsOf(hedonic)
  // fields first, then multipliers; one that is not filled in yet counts as nothing, a multiplier as unknown
  const point = { x: whole.x.slice(), unanswered: whole.unanswered.slice() }
  const isFilled = new Uint8Array(fields.length + factors.length)
  const set = (player: number, filled: boolean): void => {
    isFilled[player] = filled ? 1 : 0
    const { first, count } = columns[player] ?? { first: 0, count: 0 }
    for (let f = first; f < first + count; f++) {
      point.x[f] = filled ? (whole.x[f] ?? Number.NaN) : Number.NaN
      point.unanswered[f] = filled ? (whole.unanswered[f] ?? 0) : player < fields.length ? 1 : 0
    }
  }
  const logNow = (): number => {
    const ifFilled = (value: number, player: number) => (isFilled[player] === 1 ? value : 0)
    const log =
      scale +
      level +
      power * Math.log(base + sum(hedonicValue.contributions.map(ifFilled))) +
      sum(hedonicValue.interactions.map(ifFilled)) +
      sum(hedonicValue.factors.map(({ effect }, k) => ifFilled(effect, fields.length + k)))
    return combined(stack, log, log, point)
  }
  const steps = (players: readonly number[], scaleOf: (log: number) => number): Map<number, number> => {
    let before = scaleOf(logNow())
    return new Map(
      players.map((player) => {
        set(player, true)
        const after = scaleOf(logNow())
        const step = after - before
        before = after
        return [player, step]
      }),
    )
  }
  const both = (players: readonly number[], scaleOf: (log: number) => number): number[] => {
    const forwards = steps(players, scaleOf)
    for (const player of players) set(player, false)
    const backwards = steps([...players].reverse(), scaleOf)
    return players.map((player) => ((forwards.get(player) ?? 0) + (backwards.get(player) ?? 0)) / 2)
  }
  const all = [...isFilled.keys()]
  for (const player of all) set(player, false)
  const nothing = Math.exp(logNow())
  const added = both(all.slice(0, fields.length), Math.exp).map((step) => Math.max(0, step))
  const effects = both(all.slice(fields.length), (log) => log)
  return { base: nothing, added, effects }
}
