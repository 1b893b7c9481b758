/** Tests only: any account a form allows, and the shipped games with generated sales. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { optionsOf } from '@/contract/form/answers'
import type { Answer, Answers, Field, FormConfig, GradedTag, RosterRow } from '@/contract/form/types'
import { type Fit, restoreModel } from '../engine/train'
import type { Model, Sale } from '../engine/types'
import { generateSales } from '../fixtures/synthetic/generate'
import { leaves } from '../fixtures/synthetic/world'

const folder = path.join(__dirname, '..', 'fixtures', 'games')
export const games: FormConfig[] = readdirSync(folder).map((file) =>
  JSON.parse(readFileSync(path.join(folder, file), 'utf8')),
)

export function game(id: string): FormConfig {
  const found = games.find((config) => config.gameId === id)
  if (!found) throw new Error(`no game ${id}`)
  return found
}

/** How much a test does, as the runs of a property; the larger amount with DEEP=1 (npm run test:deep). */
export const runs = <T>(usual: T, deep: T): T => (process.env.DEEP === '1' ? deep : usual)

export const SALES_UNTIL = Date.UTC(2026, 10, 20)

/** a quarter of those of which the shipped models are made */
const SHIPPED_SALES = 600

export function salesOf(config: FormConfig, n: number, seed = 1): Sale[] {
  return [...generateSales(config, { n, seed, until: SALES_UNTIL })].map((sale) => ({ ...sale, id: sale.externalId }))
}

const models = new Map<string, Model>()

const fitOf = (gameId: string): Fit => {
  const file = path.join(__dirname, '..', 'fixtures', 'models', `${gameId}.json`)
  return (JSON.parse(readFileSync(file, 'utf8')) as { fit: Fit }).fit
}

/** The model that ships with a game, as of a time; training one takes seconds. @param now ms */
export const shippedModel = (config: FormConfig, now: number): Model =>
  restoreModel(config, salesOf(config, SHIPPED_SALES), fitOf(config.gameId), now)

/** The same as of the newest sales, restored once in a test file. */
export function modelOf(config: FormConfig): Model {
  const known = models.get(config.gameId) ?? shippedModel(config, SALES_UNTIL)
  models.set(config.gameId, known)
  return known
}

/** Answers to every kind of field, including unlikely ones; optional ones are sometimes omitted. */
export function accountArb(config: FormConfig): fc.Arbitrary<Answers> {
  const shape: Record<string, fc.Arbitrary<Answer | undefined>> = {}
  for (const field of config.fields) {
    const answer = answerArb(config, field)
    if (answer) shape[field.key] = field.required === true ? answer : fc.option(answer, { nil: undefined })
  }
  return fc.record(shape)
}

function answerArb(config: FormConfig, field: Field): fc.Arbitrary<Answer> | undefined {
  const options = optionsOf(config, field)
  const ids = options.map((option) => option.v)
  const most = field.rules.maxItems ?? ids.length
  const { min = 0, max = 1_000 } = field.rules
  switch (field.type) {
    case 'select':
      return fc.constantFrom(...ids)
    case 'cascader':
      return fc.constantFrom(...leaves(options).map(({ path: steps }) => steps))
    case 'bool':
      return fc.boolean()
    case 'int':
      return fc.oneof(fc.integer({ min, max }), fc.integer({ min, max: Math.min(max, min + 30) }))
    case 'decimal':
      return fc.integer({ min: min * 10, max: max * 10 }).map((tenths) => tenths / 10)
    case 'multi':
    case 'tags':
      return fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1, maxLength: Math.min(most, 25) })
    case 'tagsGrade':
      return fc.uniqueArray(fc.record({ v: fc.constantFrom(...ids), g: fc.constantFrom(...(field.grades ?? [''])) }), {
        selector: ({ v }) => v,
        minLength: 1,
        maxLength: Math.min(most, ids.length),
      })
    case 'roster':
      return fc.uniqueArray(
        fc.record({ v: fc.constantFrom(...ids), dup: fc.integer({ min: 0, max: 6 }), sig: fc.boolean() }),
        { selector: ({ v }) => v, minLength: 1, maxLength: Math.min(most, 30) },
      )
    default:
      return undefined
  }
}

/** The account at one extreme of every field: nothing owned and the worst choices, or everything at its best. */
export function extremeAccount(config: FormConfig, end: 'least' | 'most'): Answers {
  return Object.fromEntries(
    config.fields.flatMap((field) => {
      const answer = extremeAnswer(config, field, end)
      return answer === undefined ? [] : [[field.key, answer]]
    }),
  )
}

function extremeAnswer(config: FormConfig, field: Field, end: 'least' | 'most'): Answer | undefined {
  const { min = 0, max = 1_000_000, maxItems } = field.rules
  const options = optionsOf(config, field).filter(({ v }) => v !== 'unknown')
  const all = end === 'least' ? [] : options.slice(0, maxItems).map(({ v }) => v)
  const { grades: [best = ''] = [], roster } = field
  const [dup = 0, refine = 1] = [roster?.dup[1], roster?.refine[1]]
  switch (field.type) {
    case 'int':
    case 'decimal':
      return end === 'least' ? min : max
    case 'bool':
      return end === 'most'
    case 'select':
    case 'cascader': {
      const way = leaves(options).at(end === 'least' ? 0 : -1)
      return field.type === 'select' ? way?.v : way?.path
    }
    case 'multi':
    case 'tags':
      return all
    case 'tagsGrade':
      return all.map((v) => ({ v, g: best }))
    case 'roster':
      return all.map((v) => ({ v, dup, sig: true, refine }))
    default:
      return undefined
  }
}

/**
 * The answer with more of it: a larger number, a better option, one more item, a better grade, one more copy, a signature
 * weapon or its refinement; undefined if there is none.
 */
export function raised(
  config: FormConfig,
  field: Field,
  answer: Answer | undefined,
  chance: number,
): Answer | undefined {
  const { min = 0, max = 1_000 } = field.rules
  if (field.type === 'int' || field.type === 'decimal')
    return Math.min(max, (typeof answer === 'number' ? answer : min) + 1 + (chance % 40))
  if (field.type === 'bool') return true
  const options = optionsOf(config, field)
  if (field.type === 'select' || field.type === 'cascader') {
    const paths = leaves(options).flatMap(({ path: steps }) => (steps[0] === 'unknown' ? [] : [steps]))
    const place = answer === undefined ? -1 : paths.findIndex((steps) => steps.join() === String(answer))
    const better = paths.slice(place + 1)
    const chosen = better[chance % better.length]
    return field.type === 'select' ? chosen?.[0] : chosen
  }
  const rows = (answer ?? []) as string[] | GradedTag[] | RosterRow[]
  const own = rows.map((row) => (typeof row === 'string' ? row : row.v))
  const left = options.filter(({ v }) => !own.includes(v))
  const added = left[chance % left.length]?.v
  const { grades = [], roster } = field
  if (field.type === 'tags' || field.type === 'multi') return added === undefined ? undefined : [...own, added]
  const index = chance % Math.max(1, rows.length)
  const isOneMore = rows.length === 0 || (chance % 3 === 0 && added !== undefined)
  if (field.type === 'tagsGrade') {
    const graded = rows as GradedTag[]
    if (isOneMore) return [...graded, { v: added ?? '', g: grades.at(-1) ?? '' }]
    return graded.map((row, i) =>
      i === index ? { ...row, g: grades[Math.max(0, grades.indexOf(row.g) - 1)] ?? '' } : row,
    )
  }
  if (!roster) return undefined
  const owned = rows as RosterRow[]
  if (isOneMore) return [...owned, { v: added ?? '', dup: roster.dup[0] }]
  const better = ({ v, dup, sig = false, refine = roster.refine[0] }: RosterRow): RosterRow => {
    if (chance % 3 === 1) return { v, sig, refine, dup: Math.min(roster.dup[1], dup + 1) }
    return { v, dup, sig: true, refine: sig ? Math.min(roster.refine[1], refine + 1) : refine }
  }
  return owned.map((row, i) => (i === index ? better(row) : row))
}
