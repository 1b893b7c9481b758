/** Tests only: generated markets of other goods than game accounts, with known true prices. */
import type { Answer, Answers, Field, FieldRole, FormConfig, Option } from '@/contract/form/types'
import type { Sale } from '../engine/types'
import { createRng, type Rng, seedOf } from '../fixtures/synthetic/random'

const DAY = 86_400_000

export interface BenchmarkMarket {
  config: FormConfig
  sales: Sale[]
  /** log of the true price before noise, by sale */
  truth: number[]
}

interface Draw {
  answers: Answers
  log: number
}

interface Plan {
  id: string
  fields: Field[]
  dicts?: FormConfig['dicts']
  n: number
  until: number
  draw: (rng: Rng) => Draw
  noise: (rng: Rng) => number
  /** share of rows whose price belongs to another account */
  wrong?: number
  asking?: number
  seed?: number
}

const field = (key: string, type: Field['type'], role: FieldRole, more: Partial<Field> = {}): Field => ({
  key,
  label: key,
  group: 'base',
  type,
  role,
  required: true,
  rules: {},
  sort: 1,
  ...more,
})
const options = (names: readonly string[]): Option[] => names.map((v) => ({ v, t: v }))

function build({
  id,
  fields,
  dicts = {},
  n,
  until,
  draw,
  noise,
  wrong = 0,
  asking = 0,
  seed = 1,
}: Plan): BenchmarkMarket {
  const rng = createRng(seedOf('world', id, seed))
  const config: FormConfig = {
    gameId: id,
    name: id,
    schemaVersion: 1,
    status: 'ONLINE',
    aiMode: 'MANUAL_FORM',
    modes: ['AI'],
    estSeconds: 10,
    readList: [],
    groups: [{ key: 'base', title: 'base' }],
    fields,
    dicts,
  }
  const truth: number[] = []
  const sales = Array.from({ length: n }, (_, i): Sale => {
    const { answers, log } = draw(rng)
    truth.push(log)
    const isAsking = rng.next() < asking
    const shown = rng.next() < wrong ? draw(rng).answers : answers
    const price = Math.exp(log + noise(rng) + (isAsking ? 0.12 : 0))
    const at = Math.round(until - rng.next() * 300 * DAY)
    return {
      id: `${id}${i}`,
      gameId: id,
      kind: isAsking ? 'ASKING' : 'SOLD',
      priceFen: Math.max(100, Math.round(price * 100)),
      at,
      attributes: shown,
    }
  })
  return { config, sales, truth }
}

const BRANDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l']

/** Used cars: price-lowering fields also have value roles, brands are unordered, all effects are multiplicative. */
export function carSales(n: number, until: number, wrong = 0): BenchmarkMarket {
  const of = [0.1, -0.2, 0.35, 0, 0.6, -0.3, 0.2, 0.05, -0.1, 0.45, -0.4, 0.25]
  return build({
    id: 'cars',
    n,
    until,
    wrong,
    asking: 0.3,
    fields: [
      field('brand', 'select', 'value*', { options: options(BRANDS) }),
      field('year', 'int', 'value*', { rules: { min: 1980, max: 2030 } }),
      field('km', 'int', 'value', { rules: { min: 0, max: 900_000 } }),
      field('kw', 'int', 'value', { rules: { min: 0, max: 900 } }),
      field('fuel', 'select', 'factor', { options: options(['petrol', 'diesel', 'electric']) }),
      field('owners', 'int', 'factor', { rules: { min: 1, max: 9 } }),
    ],
    draw: (rng) => {
      const brand = Math.floor(rng.next() * BRANDS.length)
      const age = Math.floor(rng.next() * 18)
      const km = Math.round(age * 14_000 * Math.exp(0.35 * rng.normal()) + 500)
      const kw = Math.round(85 * Math.exp(0.35 * rng.normal()))
      const fuel = Math.floor(rng.next() * 3)
      const owners = 1 + rng.poisson(age / 6)
      const log =
        9.6 + (of[brand] ?? 0) - 0.11 * age - 0.25 * (km / 100_000) + 0.75 * Math.log(kw / 85) - 0.05 * (owners - 1)
      return {
        answers: {
          brand: BRANDS[brand],
          year: 2026 - age,
          km,
          kw,
          fuel: ['petrol', 'diesel', 'electric'][fuel],
          owners,
        },
        log: log + [0, 0.06, 0.18].reduce((found, x, k) => (k === fuel ? x : found), 0),
      }
    },
    noise: (rng) => 0.1 * rng.normal(),
  })
}

/** Houses: numbers and levels only, high prices, heavy tails. */
export function houses(n: number, until: number): BenchmarkMarket {
  return build({
    id: 'houses',
    n,
    until,
    fields: [
      field('area', 'decimal', 'value*', { rules: { min: 0, max: 1_000, scale: 1 } }),
      field('rooms', 'int', 'value', { rules: { min: 0, max: 20 } }),
      field('floor', 'int', 'value-', { rules: { min: -2, max: 60 } }),
      field('state', 'select', 'value', { options: options(['bad', 'fair', 'good', 'new']) }),
      field('lat', 'decimal', 'factor'),
      field('lift', 'bool', 'value'),
    ],
    draw: (rng) => {
      const area = Math.round(10 * 80 * Math.exp(0.4 * rng.normal())) / 10
      const rooms = Math.max(1, Math.round(area / 30 + 0.7 * rng.normal()))
      const floor = Math.floor(rng.next() * 20)
      const state = Math.floor(rng.next() * 4)
      const lat = 30 + rng.next()
      const lift = floor > 4 || rng.next() < 0.3
      const log =
        8.5 +
        0.9 * Math.log(area) +
        0.03 * rooms +
        0.1 * state +
        0.4 * Math.sin(5 * (lat - 30)) +
        (lift ? 0.06 : 0) +
        0.004 * floor
      return {
        answers: { area, rooms, floor, state: ['bad', 'fair', 'good', 'new'][state], lat, lift },
        log,
      }
    },
    noise: (rng) => 0.07 * rng.student(3),
  })
}

/** Cards: only a list of named items; the price is their sum. */
export function cards(n: number, until: number, wrong = 0): BenchmarkMarket {
  const names = Array.from({ length: 60 }, (_, i) => `card${i}`)
  const rng0 = createRng(7)
  const worth = names.map(() => 20 * Math.exp(1 * rng0.normal()))
  return build({
    id: 'cards',
    n,
    until,
    wrong,
    asking: 0.2,
    fields: [field('deck', 'tags', 'value*', { dict: 'cards' })],
    dicts: { cards: options(names) },
    draw: (rng) => {
      const count = 1 + rng.poisson(7)
      const deck = new Set<number>()
      while (deck.size < count) deck.add(Math.floor(60 * rng.next() ** 1.5))
      const total = [...deck].reduce((sum, i) => sum + (worth[i] ?? 0), 5)
      return { answers: { deck: [...deck].map((i): string => names[i] ?? '') as Answer }, log: Math.log(total) }
    },
    noise: (rng) => 0.1 * rng.normal(),
  })
}

/**
 * Flats with traits that multiply the price: every other one lowers it by 6 to 26 %, or none does.
 * @param role of the list of traits
 */
export function flats(
  n: number,
  until: number,
  { falling, role, seed = 1 }: { falling: boolean; role: FieldRole; seed?: number },
): BenchmarkMarket {
  const rng0 = createRng(8)
  const traits = Array.from({ length: 30 }, (_, i) => {
    const [share, size] = [0.03 + 0.4 * rng0.next() ** 2, rng0.next()]
    return { v: `trait${i}`, share, log: falling && i % 2 === 1 ? Math.log(0.8) * (0.3 + size) : 0.06 * size }
  })
  return build({
    ...{ id: 'flats', n, until, seed },
    fields: [
      field('area', 'decimal', 'value*', { rules: { min: 0, max: 1_000, scale: 1 } }),
      field('state', 'select', 'value', { options: options(['bad', 'fair', 'good']) }),
      field('traits', 'tags', role, { dict: 'traits', required: false }),
    ],
    dicts: { traits: options(traits.map(({ v }) => v)) },
    draw: (rng) => {
      const area = Math.round(10 * 80 * Math.exp(0.4 * rng.normal())) / 10
      const state = Math.floor(3 * rng.next())
      const own = traits.filter(({ share }) => rng.next() < share)
      const log = 4 + 0.9 * Math.log(area) + 0.15 * state
      return {
        answers: { area, state: ['bad', 'fair', 'good'][state], traits: own.map(({ v }) => v) },
        log: own.reduce((total, trait) => total + trait.log, log),
      }
    },
    noise: (rng) => 0.08 * rng.normal(),
  })
}

const KINDS = ['int', 'decimal', 'select', 'bool', 'tags', 'tagsGrade', 'roster', 'cascader'] as const
const ROLES: readonly FieldRole[] = ['value*', 'value', 'value-', 'factor']

/** An arbitrary form: random field types and roles, and a price that depends on some answers in random ways. */
export function oddMarket(n: number, until: number, seed: number): BenchmarkMarket {
  const rng = createRng(seedOf('odd', seed))
  const lot = <T>(list: readonly T[]): T => list[Math.floor(rng.next() * list.length)] as T
  const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`)
  const fields = Array.from({ length: 3 + Math.floor(rng.next() * 6) }, (_, i): Field => {
    const type = i === 0 ? 'int' : lot(KINDS)
    const some = options(words(2 + Math.floor(rng.next() * 12)))
    return field(`f${i}`, type, i === 0 ? 'value*' : lot(ROLES), {
      required: rng.next() < 0.4,
      rules: type === 'int' || type === 'decimal' ? { min: lot([-5, 0, 1]), max: lot([10, 900, 1e7]) } : {},
      options: type === 'cascader' ? some.map((option) => ({ ...option, children: options(words(3)) })) : some,
      ...(type === 'tagsGrade' && { grades: ['s', 'a', 'b'] }),
      ...(type === 'roster' && { roster: { dup: [0, 6], sig: true, refine: [1, 5] } }),
    })
  })
  const pulls = fields.map(() => 0.6 * rng.normal())
  const drawn = (f: Field, r: Rng): { answer: Answer; level: number } => {
    const level = r.next()
    const { min = 0, max = 1 } = f.rules
    const list = f.options ?? []
    const place = Math.min(list.length - 1, Math.floor(level * list.length))
    const names = list.filter(() => r.next() < level).map(({ v }) => v)
    if (f.type === 'int' || f.type === 'decimal') return { answer: Math.round(min + level ** 4 * (max - min)), level }
    if (f.type === 'bool') return { answer: level > 0.5, level }
    if (f.type === 'select') return { answer: list[place]?.v ?? '', level }
    if (f.type === 'cascader') return { answer: [list[place]?.v ?? '', `w${Math.floor(r.next() * 3)}`], level }
    if (f.type === 'tagsGrade') return { answer: names.map((v) => ({ v, g: level > 0.5 ? 's' : 'b' })), level }
    if (f.type === 'roster')
      return { answer: names.map((v) => ({ v, dup: Math.floor(7 * r.next()), sig: true })), level }
    return { answer: names, level }
  }
  return build({
    ...{ id: `odd${seed}`, fields, n, until, seed, wrong: 0.05, asking: 0.2 },
    draw: (r) => {
      const all = fields.map((f) => drawn(f, r))
      const answers: Answers = {}
      for (const [i, f] of fields.entries()) if (f.required === true || r.next() < 0.8) answers[f.key] = all[i]?.answer
      return { answers, log: all.reduce((total, { level }, i) => total + (pulls[i] ?? 0) * level, 6) }
    },
    noise: (r) => 0.12 * r.student(4),
  })
}
