/** Converts parts of a listing into answers. Ambiguous parts are skipped: wrong answers are worse than missing ones. */
import { cascaderPath, optionsOf, unitOf } from '@/contract/form/answers'
import type { Answers, Field, FormConfig, Option } from '@/contract/form/types'
import { isRequired, validateField } from '@/contract/form/validate'
import { type Token, tokenize } from './lexer'
import { foldCase, lexiconOf, withoutSeparators } from './lexicon'
import { pairNumbers } from './pair-numbers'
import { readRoster } from './roster'
import { adjacentTokens, isNegated, type MeaningOf, meaningOf, nearer, nextMeaningful } from './token-neighbours'

/** Numbers next to a label: counts, and options named by a number (贵族 8). */
function readNumbers(parts: readonly Token[], answers: Answers, config: FormConfig): void {
  for (const { field, number } of pairNumbers(parts)) {
    if (answers[field.key] !== undefined) continue
    if (field.type === 'int' || field.type === 'decimal') answers[field.key] = amountFor(field, number)
    else if (field.type === 'text') answers[field.key] = number.text
    else if (field.type === 'select') answers[field.key] = optionByNumber(optionsOf(config, field), number.text)
  }
  parts.forEach((part, index) => {
    const label = meaningOf(part, 'label')
    const counts = label?.field.type === 'int' || label?.field.type === 'decimal'
    if (label && counts && answers[label.field.key] === undefined && isNegated(parts, index))
      answers[label.field.key] = 0
  })
}

/** The number in the field's unit: 1500万 is 1500 where the unit is 万. A fraction is no count: 1.200 may be 1200. */
export function amountFor(field: Field, { n, times }: { n: number; times: number }): number | undefined {
  const unit = unitOf(field)
  if (field.type === 'int' && unit === 1 && !Number.isInteger(n)) return undefined
  const own = times === 1 && n <= unit ? n : n / unit
  const scale = field.type === 'int' ? 1 : 10 ** (field.rules.scale ?? 0)
  return Math.floor(own * scale + 1e-6) / scale
}

function optionByNumber(options: readonly Option[], digits: string): string | undefined {
  const same = options.filter((option) => foldCase(option.t).replace(/\D/g, '') === digits)
  const exact = same.filter((option) => withoutSeparators(option.t).replace(/[a-z]/g, '') === digits)
  return (exact.length === 1 ? exact : same.length === 1 ? same : [])[0]?.v
}

/** The label nearest to an option. */
function labelledBy(parts: readonly Token[], index: number): Field | undefined {
  const [left, right] = adjacentTokens(parts, index, (i) => meaningOf(parts[i], 'label') !== undefined)
  return meaningOf(parts[nearer(left, right, () => false)?.i ?? -1], 'label')?.field
}

/** Options: the one next to its label, else the only one in the text. */
function readSelects(parts: readonly Token[], answers: Answers, config: FormConfig): void {
  for (const field of config.fields.filter(({ type }) => type === 'select')) {
    const labelled = new Set<string>()
    const loose = new Set<string>()
    parts.forEach((part, index) => {
      const option =
        part.kind === 'word'
          ? part.meanings.find(
              (meaning): meaning is MeaningOf<'option'> => meaning.kind === 'option' && meaning.field === field,
            )
          : undefined
      if (!option) return
      if (labelledBy(parts, index)?.key === field.key) labelled.add(option.v)
      else if (!option.needsLabel && part.kind === 'word' && part.meanings.length === 1 && !isNegated(parts, index))
        loose.add(option.v)
    })
    const found = labelled.size > 0 ? labelled : loose
    if (found.size === 1) answers[field.key] = [...found][0]
  }
}

const ROMAN: Readonly<Record<string, string>> = {
  一: 'i',
  二: 'ii',
  三: 'iii',
  四: 'iv',
  五: 'v',
  1: 'i',
  2: 'ii',
  3: 'iii',
  4: 'iv',
  5: 'v',
}

/** Whether the part after a root names this child: Ⅲ, 三 or 3; 52 in `50–59 星`, `150 星以上`. */
function isChild(child: Option, part: Token | undefined): boolean {
  if (part?.kind === 'step') return foldCase(child.t) === (ROMAN[part.text] ?? part.text)
  if (part?.kind !== 'number') return false
  const bounds = foldCase(child.t).match(/\d+/g)?.map(Number)
  if (!bounds) return foldCase(child.t) === ROMAN[part.text]
  const [low = 0, high = child.t.includes('以上') ? Number.POSITIVE_INFINITY : low] = bounds
  return part.n >= low && part.n <= high
}

/** Ranks: 星耀二, 荣耀王者52星. Among roots that share a scale the number of stars decides. */
function readCascaders(parts: readonly Token[], answers: Answers, config: FormConfig): void {
  for (const field of config.fields.filter(({ type }) => type === 'cascader')) {
    const options = optionsOf(config, field)
    const found = new Map<string, string[]>()
    parts.forEach((part, index) => {
      const root = meaningOf(part, 'root')
      if (root?.field !== field || isNegated(parts, index)) return
      const path = pathAfter(options, root.option, parts[nextMeaningful(parts, index, 1)])
      if (path) found.set(path.join(), path)
    })
    if (found.size === 1) answers[field.key] = [...found.values()][0]
  }
}

function pathAfter(options: readonly Option[], root: Option, next: Token | undefined): string[] | undefined {
  if (!root.children?.length) return [root.v]
  const scaled = root.children.some((child) => /\d/.test(child.t))
  for (const parent of scaled && next?.kind === 'number' ? options : [root]) {
    const child = parent.children?.find((option) => (!scaled || /\d/.test(option.t)) && isChild(option, next))
    if (child && cascaderPath(options, [parent.v, child.v])) return [parent.v, child.v]
  }
  return undefined
}

/** Dictionary items: owned unless negated; graded ones need a grade. */
function readItems(parts: readonly Token[], answers: Answers, config: FormConfig): void {
  for (const field of config.fields.filter(({ type }) => ['tags', 'multi', 'tagsGrade'].includes(type))) {
    const found = new Map<string, string>()
    parts.forEach((part, index) => {
      const item = meaningOf(part, 'item')
      if (item?.field !== field || item.short || isNegated(parts, index)) return
      const grade = [parts[nextMeaningful(parts, index, 1)], parts[nextMeaningful(parts, index, -1)]].map((neighbour) =>
        meaningOf(neighbour, 'grade'),
      )
      found.set(item.v, grade.find((meaning) => meaning?.field === field)?.g ?? found.get(item.v) ?? '')
    })
    const rows = [...found].slice(0, field.rules.maxItems)
    if (field.type !== 'tagsGrade') answers[field.key] = rows.map(([v]) => v)
    else answers[field.key] = rows.filter(([, g]) => g !== '').map(([v, g]) => ({ v, g }))
  }
}

function readBools(parts: readonly Token[], answers: Answers): void {
  parts.forEach((part, index) => {
    const label = meaningOf(part, 'label')
    if (label?.field.type === 'bool') answers[label.field.key] = !isNegated(parts, index)
  })
}

/**
 * Reads answers from a listing. All returned answers are valid for the form.
 * @param text any text; only the beginning of a very long one is read
 */
export function parseListing(config: FormConfig, text: string): Answers {
  const parts = tokenize(foldCase(text), lexiconOf(config))
  const answers: Answers = {}
  readNumbers(parts, answers, config)
  readSelects(parts, answers, config)
  readCascaders(parts, answers, config)
  readItems(parts, answers, config)
  readBools(parts, answers)
  readRoster(parts, answers, config)
  const kept: Answers = {}
  for (const field of config.fields) {
    const answer = answers[field.key]
    const empty = answer === undefined || answer === '' || (Array.isArray(answer) && answer.length === 0)
    if (!empty && !validateField(config, field, answer, 'MANUAL')) kept[field.key] = answer
  }
  return kept
}

/** Required fields that the listing did not contain. */
export const missingKeys = (config: FormConfig, answers: Answers): string[] =>
  config.fields
    .filter((field) => (isRequired(field, 'AI') || isRequired(field, 'MANUAL')) && answers[field.key] === undefined)
    .map((field) => field.key)
