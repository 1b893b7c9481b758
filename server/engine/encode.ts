/** Encodes answers as entries of the value index, by role and type of the field only. */
import type { Answer, Answers, Field, GradedTag, Option, RosterRow } from '@/contract/form/types'
import { clamp, remembered } from './numbers'
import type { Encoding, FieldCode } from './types'

/** bound once: looking up a global is slow under jest, where each test file has its own realm */
const { log, log1p, sqrt } = Math
const { isArray } = Array
const { hasOwn } = Object

export const isPriced = (field: Field): boolean => field.role.startsWith('value')
export const isFactor = (field: Field): boolean => field.role === 'factor'
const LISTS = ['multi', 'tags', 'tagsGrade', 'roster']
export const isList = (field: Field): boolean => LISTS.includes(field.type)
export const isNumber = (field: Field): boolean => field.type === 'int' || field.type === 'decimal'

/** The account's own answer; keys come from configs and may be named like `constructor`. */
export const answerOf = (answers: Answers, key: string): Answer | undefined =>
  hasOwn(answers, key) ? answers[key] : undefined

/** False for answers without information, which count as missing. */
export function isKnown(answer: Answer | undefined): answer is Answer {
  return answer !== undefined && answer !== null && answer !== 'unknown' && answer !== ''
}

/** An answer as a string for comparison; a cascader's path is joined by slashes. */
export const answerKey = (answer: Answer | undefined): string =>
  isKnown(answer) ? (isArray(answer) ? answer.join('/') : String(answer)) : 'unknown'

/** Entries of a list, or the chosen option; numbers have too many values to be items. */
export function itemsIn(answer: Answer | undefined, field: Field): string[] {
  if (!isKnown(answer) || typeof answer === 'number') return []
  return isList(field) ? namesIn(answer) : [answerKey(answer)]
}

/** Names of the items of a list, none if the answer is another one. */
export const namesIn = (answer: Answer | undefined): string[] =>
  (isArray(answer) ? answer : []).map((entry) => (typeof entry === 'string' ? entry : entry.v))

/** Leaf options of a choice, worst first; a cascader's paths are joined by slashes. */
export function leafOptions(options: readonly Option[], prefix = ''): string[] {
  return options.flatMap((option) =>
    option.children?.length ? leafOptions(option.children, `${prefix}${option.v}/`) : [`${prefix}${option.v}`],
  )
}

/** One owned item: index of its weight, its amount, and the details that raise its value. */
export interface Entry {
  index: number
  x: number
  details: readonly { index: number; z: number }[]
}

/** basis functions of an amount: strongly concave, concave, linear */
const CURVES = 3
const curvesOf = (share: number): number[] => [log1p(4 * share) / log(5), sqrt(share), share]

/** How many weights and details a field needs. A list's last weight is for items unknown to the model. */
export function sizeOfCode(encoding: Encoding): { weights: number; details: number } {
  if (encoding.kind === 'number') return { weights: CURVES, details: 0 }
  if (encoding.kind === 'flag') return { weights: 1, details: 0 }
  if (encoding.kind === 'level') return { weights: Math.max(0, encoding.ranks.length - 1), details: 0 }
  const details =
    encoding.rows === 'grade'
      ? Math.max(0, encoding.grades.length - 1)
      : encoding.rows === 'roster'
        ? encoding.dups + 2
        : 0
  return { weights: encoding.items.length + 1, details }
}

/** An absent list may be empty or unanswered (the form omits both); its meaning is learned from the sales. */
export function isAnswered(encoding: Encoding, answer: Answer | undefined): boolean {
  if (encoding.kind === 'list') return isArray(answer)
  if (encoding.kind === 'number') return typeof answer === 'number' && Number.isFinite(answer)
  if (encoding.kind === 'flag') return typeof answer === 'boolean'
  return isKnown(answer) && indexByWord(encoding.ranks).has(answerKey(answer))
}

export function entriesOf(encoding: Encoding, answer: Answer | undefined): Entry[] {
  if (encoding.kind === 'list') return isArray(answer) ? answer.map((row) => listEntry(encoding, row)) : []
  return amountsOf(encoding, answer).flatMap((x, index) => (x > 0 ? [{ index, x, details: [] }] : []))
}

/** Amount of each weight of a field that is not a list. */
function amountsOf(encoding: Exclude<Encoding, { kind: 'list' }>, answer: Answer | undefined): number[] {
  if (encoding.kind === 'number') {
    const { min, cap, unit, down } = encoding
    const inside = clamp(Number(answer), min, cap)
    return curvesOf((down ? cap - inside : inside - min) / unit)
  }
  if (encoding.kind === 'flag') return [(answer === true) !== encoding.down ? 1 : 0]
  return new Array(indexByWord(encoding.ranks).get(answerKey(answer)) ?? 0).fill(1)
}

export function listEntry(encoding: Encoding & { kind: 'list' }, row: string | GradedTag | RosterRow): Entry {
  const name = typeof row === 'string' ? row : row.v
  const index = indexByWord(encoding.items).get(name) ?? encoding.items.length
  return { index, x: 1, details: typeof row === 'string' ? [] : detailsOf(encoding, row) }
}

function detailsOf(encoding: Encoding & { kind: 'list' }, row: GradedTag | RosterRow): Entry['details'] {
  if ('g' in row) {
    // a grade includes the steps of all lower grades, so a better one is never worth less
    const place = encoding.grades.indexOf(row.g)
    const steps = place < 0 ? 0 : encoding.grades.length - 1 - place
    return Array.from({ length: steps }, (_, k) => ({ index: k, z: 1 }))
  }
  const copies = clamp(Math.floor(Number(row.dup) || 0), 0, encoding.dups)
  const details = Array.from({ length: copies }, (_, k) => ({ index: k, z: 1 }))
  if (!row.sig) return details
  const refine = clamp((Number(row.refine) || 1) - 1, 0, 10)
  return [...details, { index: encoding.dups, z: 1 }, ...(refine > 0 ? [{ index: encoding.dups + 1, z: refine }] : [])]
}

const maps = new WeakMap<readonly string[], Map<string, number>>()

/** Index of each string, cached per list. */
export const indexByWord = (words: readonly string[]): Map<string, number> =>
  remembered(maps, words, () => new Map(words.map((word, i) => [word, i])))

/** Weighted amount of the entries of a field. */
export function scoreOf(code: FieldCode, entries: readonly Entry[]): number {
  let score = 0
  for (const { index, x, details } of entries) {
    let more = 1
    for (const detail of details) more += (code.details[detail.index] ?? 0) * detail.z
    score += (code.weights[index] ?? 0) * x * more
  }
  return score
}

/** The field's score; undefined when it is unanswered. */
export function scoreIn(answers: Answers, code: FieldCode): number | undefined {
  const answer = answerOf(answers, code.key)
  if (!isAnswered(code, answer)) return undefined
  return scoreOf(code, entriesOf(code, answer))
}
