/** Answers → non-negative columns of the value index, by role and type of the field only. */
import { optionsOf } from '@/contract/form/answers'
import type { Answer, Answers, Field, FormConfig, GradedTag, Option, RosterRow } from '@/contract/form/types'
import { clamp, quantile } from './numbers'
import type { FieldCode } from './types'

/** Sparse row: column numbers and their values. */
export interface Row {
  at: number[]
  x: number[]
  /** by field: false when unanswered */
  known: boolean[]
}

export const isPriced = (field: Field): boolean => field.role.startsWith('value')
export const isFactor = (field: Field): boolean => field.role === 'factor'
const LISTS = ['multi', 'tags', 'tagsGrade', 'roster']
export const isList = (field: Field): boolean => LISTS.includes(field.type)

/** Answers that carry no information count as none. */
export function isKnown(answer: Answer | undefined): answer is Answer {
  return answer !== undefined && answer !== null && answer !== 'unknown' && answer !== ''
}

/** Longest ordered choice that gets one step per option; longer ones get hinges. */
const MOST_STEPS = 14
const HINGES = [0, 0.25, 0.5, 0.75]
/** powers of a number's amount relative to an ordinary one: quickly, moderately, not saturating */
const NUMBER_COLUMNS = 3

/** Fields of the index with their columns, learned from the accounts sold (units, caps, items). */
export function learnCodes(config: FormConfig, accounts: readonly Answers[]): { codes: FieldCode[]; columns: number } {
  let columns = 0
  const codes: FieldCode[] = []
  for (const field of config.fields.filter(isPriced)) {
    const code = learnCode(config, field, accounts)
    if (!code) continue
    // two columns for an unanswered field: a constant, and one that grows with the rest of the account
    codes.push({ ...code, first: columns, missing: columns + code.count })
    columns += code.count + 2
  }
  return { codes, columns }
}

function learnCode(config: FormConfig, field: Field, accounts: readonly Answers[]): FieldCode | undefined {
  const place = { key: field.key, first: 0, missing: 0 }
  if (field.type === 'int' || field.type === 'decimal') return numberCode(place, field, accounts)
  if (field.type === 'bool') return { ...place, kind: 'flag', count: 1 }
  const options = optionsOf(config, field)
  if (isList(field)) return listCode(place, field, options)
  if (field.type !== 'select' && field.type !== 'cascader') return undefined
  const ordered = paths(options).filter((path) => path !== 'unknown')
  const order = Object.fromEntries(ordered.map((path, index) => [path, index / Math.max(1, ordered.length - 1)]))
  const steps = ordered.length <= MOST_STEPS ? ordered.length - 1 : 0
  return { ...place, kind: 'level', order, steps, count: steps || HINGES.length }
}

type Place = { key: string; first: number; missing: number }

function numberCode(place: Place, field: Field, accounts: readonly Answers[]): FieldCode {
  const min = field.rules.min ?? 0
  const seen = accounts.flatMap((answers) => {
    const answer = answers[field.key]
    return typeof answer === 'number' ? [Math.max(0, answer - min)] : []
  })
  const unit = Math.max(
    1e-6,
    quantile(
      seen.filter((x) => x > 0),
      0.5,
    ) || 1,
  )
  // beyond half more than nearly everybody has, the market has shown no price
  const cap = Math.max(unit, 1.5 * quantile(seen, 0.995))
  return { ...place, kind: 'number', min, cap, unit, count: NUMBER_COLUMNS }
}

function listCode(place: Place, field: Field, options: readonly Option[]): FieldCode {
  const items = options.map((option) => option.v)
  const rows = field.type === 'tagsGrade' ? 'grade' : field.type === 'roster' ? 'roster' : 'plain'
  const grades = field.grades ?? []
  // per item; for rosters also per item and copy; then what is shared: number of items, grades or copies and weapons
  const shared = rows === 'grade' ? grades.length - 1 : rows === 'roster' ? 3 : 0
  const count = items.length * (rows === 'roster' ? 2 : 1) + 1 + Math.max(0, shared)
  return { ...place, kind: 'list', items, rows, grades, fullDup: field.roster?.dup[1] ?? 0, count }
}

/** End points of a choice, worst first, a cascader's joined by slashes. */
export function paths(options: readonly Option[], prefix = ''): string[] {
  return options.flatMap((option) =>
    option.children?.length ? paths(option.children, `${prefix}${option.v}/`) : [`${prefix}${option.v}`],
  )
}

/**
 * Columns of one account; what is unanswered is marked in `known` and filled by the caller (`fillMissing`).
 * An empty list cannot be told from one left out (the form drops both), so it counts as owning nothing: naming a first
 * item then never lowers the price.
 */
export function encode(codes: readonly FieldCode[], answers: Answers): Row {
  const row: Row = { at: [], x: [], known: [] }
  for (const code of codes) {
    const answer = answers[code.key]
    row.known.push(isKnown(answer) || code.kind === 'list')
    if (!isKnown(answer)) continue
    const columns = new Map<number, number>()
    columnsOf(code, answer, (offset, x) => columns.set(offset, (columns.get(offset) ?? 0) + x))
    for (const [offset, x] of columns) {
      if (x === 0) continue
      row.at.push(code.first + offset)
      row.x.push(x)
    }
  }
  return row
}

type Put = (offset: number, x: number) => void

export function columnsOf(code: FieldCode, answer: Answer, add: Put): void {
  if (code.kind === 'number') numberColumns(code, Number(answer), add)
  else if (code.kind === 'flag') add(0, answer === true ? 1 : 0)
  else if (code.kind === 'list') listColumns(code, answer, add)
  else levelColumns(code, answer, add)
}

function levelColumns(code: FieldCode & { kind: 'level' }, answer: Answer, add: Put): void {
  const level = code.order[Array.isArray(answer) ? answer.join('/') : String(answer)] ?? 0
  if (code.steps === 0) {
    for (const [index, hinge] of HINGES.entries()) add(index, Math.max(0, level - hinge))
  }
  const step = Math.round(level * code.steps)
  for (let index = 0; index < step; index++) add(index, 1)
}

function numberColumns(code: FieldCode & { kind: 'number' }, value: number, add: Put): void {
  const amount = clamp(value - code.min, 0, code.cap) / code.unit
  add(0, Math.log1p(amount))
  add(1, Math.sqrt(amount))
  add(2, amount)
}

function listColumns(code: FieldCode & { kind: 'list' }, answer: Answer, add: Put): void {
  const rows = Array.isArray(answer) ? answer : []
  const shared = code.items.length * (code.rows === 'roster' ? 2 : 1)
  add(shared, Math.sqrt(rows.length))
  for (const row of rows) {
    const index = code.items.indexOf(typeof row === 'string' ? row : row.v)
    if (index >= 0) add(index, 1)
    if (typeof row !== 'string') detailColumns(code, row, index, shared, add)
  }
}

function detailColumns(
  code: FieldCode & { kind: 'list' },
  row: GradedTag | RosterRow,
  index: number,
  shared: number,
  add: Put,
): void {
  if ('g' in row) {
    // a better grade counts for all the worse ones too, so it can never be worth less
    const place = code.grades.indexOf(row.g)
    if (place >= 0) for (let step = place; step < code.grades.length - 1; step++) add(shared + 1 + step, 1)
    return
  }
  if (index >= 0) add(code.items.length + index, row.dup)
  add(shared + 1, code.fullDup > 0 && row.dup >= code.fullDup ? 1 : 0)
  add(shared + 2, row.sig ? 1 : 0)
  add(shared + 3, row.sig ? Math.max(0, (row.refine ?? 1) - 1) : 0)
}

/** Groups of columns that share a mean: items of a list are drawn towards the ordinary item of that list. */
export function itemGroups(codes: readonly FieldCode[]): { first: number; count: number }[] {
  return codes.flatMap((code) => {
    if (code.kind !== 'list') return []
    const items = { first: code.first, count: code.items.length }
    return code.rows === 'roster'
      ? [items, { first: code.first + code.items.length, count: code.items.length }]
      : [items]
  })
}

/** How much of each field's columns is worth: the field's part of the index (weights of its columns × values). */
export function contributions(codes: readonly FieldCode[], row: Row, weights: readonly number[]): number[] {
  const parts = codes.map(() => 0)
  let field = 0
  for (const [i, column] of row.at.entries()) {
    // columns of a row come field by field
    while (field + 1 < codes.length && column >= (codes[field + 1]?.first ?? 0)) field++
    parts[field] = (parts[field] ?? 0) + (row.x[i] ?? 0) * (weights[column] ?? 0)
  }
  return parts
}

/** How rich the answered part of the account is, 1 for an ordinary one. */
export function richness(row: Row, parts: readonly number[], means: readonly number[]): number {
  let have = 0
  let usual = 0
  for (const [index, known] of row.known.entries()) {
    if (!known) continue
    have += parts[index] ?? 0
    usual += means[index] ?? 0
  }
  return usual > 0 ? clamp(have / usual, 0.1, 10) : 1
}

/** Two columns for each unanswered field: a constant and the richness of the rest. */
export function fillMissing(codes: readonly FieldCode[], row: Row, rich: number): Row {
  const filled: Row = { at: [], x: [], known: row.known }
  let next = 0
  for (const [index, code] of codes.entries()) {
    while (next < row.at.length && (row.at[next] ?? 0) < code.missing) {
      filled.at.push(row.at[next] ?? 0)
      filled.x.push(row.x[next] ?? 0)
      next++
    }
    if (!row.known[index]) {
      filled.at.push(code.missing, code.missing + 1)
      filled.x.push(1, rich)
    }
  }
  return filled
}
