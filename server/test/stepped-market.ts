/** Tests only: a form with every kind of field, and prices with steps and exceptions that the formula cannot express. */
import type { Answers, Field, FieldRole, FormConfig, GradedTag, RosterRow } from '@/contract/form/types'
import { DAY, randomOf } from '../engine/numbers'
import type { Sale } from '../engine/types'
import { game, SALES_UNTIL } from './arbitrary'

const options = (count: number, children: Field['options'] = undefined) =>
  Array.from({ length: count }, (_, i) => ({ v: `w${i}`, t: `w${i}`, ...(children && { children }) }))

const field = (key: string, type: Field['type'], role: FieldRole, more: Partial<Field> = {}): Field => ({
  ...{ key, label: key, group: 'asset', type, role, required: false, rules: {}, sort: 1 },
  ...more,
})

export const steppedForm: FormConfig = {
  ...game('hok'),
  gameId: 'stepped',
  crossChecks: [],
  dicts: {},
  fields: [
    field('skins', 'int', 'value*', { rules: { min: 0, max: 100 } }),
    field('hours', 'decimal', 'value', { rules: { min: 0, max: 100, scale: 1 } }),
    field('rank', 'select', 'value', { options: options(6) }),
    field('star', 'cascader', 'value', { options: options(3, options(3)) }),
    field('vip', 'bool', 'value*'),
    field('tags', 'tags', 'value*', { options: options(20) }),
    field('pets', 'multi', 'value', { options: options(5) }),
    field('graded', 'tagsGrade', 'value*', { options: options(10), grades: ['s', 'a', 'b'] }),
    field('roster', 'roster', 'value*', {
      options: options(12),
      roster: { dup: [0, 6], sig: true, refine: [1, 5] },
    }),
    field('age', 'int', 'value-', { rules: { min: 0, max: 100 } }),
    field('colour', 'select', 'factor', { options: options(3) }),
    field('ping', 'int', 'factor', { rules: { min: 0, max: 100 } }),
  ],
}

/** @param steepness how much of the price lies in the steps @param open share of the answers left out */
export function steppedSales(n: number, seed: number, steepness: number, open = 0.03): Sale[] {
  const random = randomOf(seed)
  const below = (count: number) => Math.floor(count * random())
  return Array.from({ length: n }, (_, i): Sale => {
    const rich = random()
    const some = (count: number) => options(count).flatMap(({ v }) => (random() < 0.6 * rich ** 2 + 0.1 ? [v] : []))
    const mixed = () => Math.min(0.99, 0.4 * rich + 0.6 * random())
    const skins = Math.floor(101 * mixed())
    const hours = Math.floor(1000 * mixed()) / 10
    const [rank, star, vip] = [Math.floor(6 * mixed()), Math.floor(9 * mixed()), random() < 0.5]
    const [tags, pets] = [some(20), some(5)]
    const graded = some(10).map((v): GradedTag => ({ v, g: ['s', 'a', 'b'][below(3)] ?? 'b' }))
    const roster = some(12).map((v): RosterRow => ({ v, dup: below(7), sig: random() < 0.4, refine: 1 + below(5) }))
    const [age, colour, ping] = [below(101), below(3), below(101)]
    const best = graded.filter(({ g }) => g === 's').length
    const steps =
      (skins > 60 ? 0.9 : skins > 30 ? 0.3 : 0) +
      (skins > 30 && rank > 2 ? 0.6 : 0) +
      (best > 1 ? 0.4 : 0) +
      (roster.length > 5 ? 0.4 : 0) +
      (colour === 0 && hours > 50 ? 0.4 : 0) -
      (Math.abs(age - 50) < 15 ? 0.4 : 0)
    const owned = roster.reduce((total, { dup, sig = false }) => total + 1 + 0.2 * dup + (sig ? 0.5 : 0), 0)
    const smooth =
      0.01 * skins + 0.004 * hours + 0.05 * star + (vip ? 0.15 : 0) + 0.03 * (tags.length + pets.length + owned)
    const noise = 0.1 * (random() + random() - 1)
    const log = 9 + steepness * steps + Math.log1p(smooth) - 0.001 * ping + noise
    const whole: Answers = {
      ...{ skins, hours, rank: `w${rank}`, star: [`w${Math.floor(star / 3)}`, `w${star % 3}`], vip },
      ...{ tags, pets, graded, roster, age, colour: `w${colour}`, ping },
    }
    const attributes = Object.fromEntries(Object.entries(whole).filter(() => random() >= open))
    const at = SALES_UNTIL - below(200) * DAY
    return { id: `s${i}`, gameId: 'stepped', kind: 'SOLD', priceFen: Math.round(Math.exp(log)), at, attributes }
  })
}
