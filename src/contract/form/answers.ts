/** Interprets answers by their form config: dictionaries, visibility, texts. Pure; used by form, server and report. */
import type {
  Answer,
  Answers,
  CrossCheck,
  Field,
  FieldType,
  FormConfig,
  GradedTag,
  Option,
  RosterRow,
  RosterWords,
} from './types'

/** The choices of a field: its own options or its dictionary. */
export function optionsOf(config: FormConfig, field: Field): readonly Option[] {
  return field.options ?? (field.dict === undefined ? undefined : config.dicts[field.dict]) ?? []
}

/** The first answer that excludes an automatic price, and why (a permanently banned account has no market). */
export function disqualifyingAnswer(config: FormConfig, answers: Answers): { path: string; msg: string } | undefined {
  for (const field of config.fields) {
    const msg = field.type === 'select' && optionsOf(config, field).find((o) => o.v === answers[field.key])?.stop
    if (msg) return { path: field.key, msg }
  }
  return undefined
}

/** Whether there is no answer: undefined, null, blank text or an empty list. `false` and `0` are answers. */
export function isEmpty(answer: Answer | null | undefined): boolean {
  if (answer === undefined || answer === null) return true
  if (typeof answer === 'string') return answer.trim() === ''
  return Array.isArray(answer) && answer.length === 0
}

/** Whether the answer says that the account has none of a list's items; an empty list of another field is no answer. */
export const saysNone = ({ type, role }: Field, answer: Answer | null | undefined): boolean =>
  Array.isArray(answer) && answer.length === 0 && listTypes.includes(type) && role.startsWith('value')

const listTypes: readonly FieldType[] = ['multi', 'tags', 'tagsGrade', 'roster']

/** Whether the field's own condition holds. Conditions on hidden fields are handled by `visibleFields`. */
export function isVisible(field: Field, answers: Answers): boolean {
  const when = field.visibleWhen
  if (!when) return true
  const given = answers[when.field]
  if (given === undefined || given === null) return false
  const values: readonly unknown[] = Array.isArray(given) ? given : [given]
  // the input is unvalidated: converting an object to a string may throw
  return values.some((value) => typeof value !== 'object' && when.in.includes(String(value)))
}

/** Visible fields in the order of `sort`; a condition on a hidden field does not hold. */
export function visibleFields(config: FormConfig, answers: Answers): Field[] {
  const byKey = new Map(config.fields.map((field) => [field.key, field]))
  const shown = (field: Field, depth: number): boolean => {
    if (!isVisible(field, answers)) return false
    const parent = field.visibleWhen && byKey.get(field.visibleWhen.field)
    return parent === undefined || (depth < byKey.size && shown(parent, depth + 1))
  }
  return config.fields.filter((field) => shown(field, 0)).sort((a, b) => a.sort - b.sort)
}

/** Answers to send and store: those of visible fields that are not empty, with text trimmed. */
export function cleanAnswers(config: FormConfig, answers: Answers): Answers {
  const clean: Answers = {}
  for (const field of visibleFields(config, answers)) {
    const answer = answers[field.key]
    if (!isEmpty(answer) || saysNone(field, answer))
      clean[field.key] = typeof answer === 'string' ? answer.trim() : answer
  }
  return clean
}

const UNITS: Readonly<Record<string, number>> = { 万: 1e4, M: 1e6, 亿: 1e8 }

/** Factor of a field's unit: 1,000,000 for M; 1 for other units. */
export const unitOf = (field: Field | undefined): number => UNITS[field?.unit ?? ''] ?? 1

/** Amount of an answer: a number times its unit, or the rows of a list with their copies; 0 for other types. */
export function quantityOf(field: Field | undefined, answer: Answer | undefined): number {
  if (typeof answer === 'number') return answer * unitOf(field)
  if (!Array.isArray(answer)) return 0
  return answer.reduce((sum: number, row) => sum + 1 + (typeof row === 'object' && 'dup' in row ? row.dup : 0), 0)
}

const headings = new WeakMap<readonly Option[], Map<string, string | undefined>>()

/** Heading of each option, cached by list. */
function headingsOf(options: readonly Option[]): Map<string, string | undefined> {
  const known = headings.get(options) ?? new Map(options.map(({ v, group }) => [v, group]))
  headings.set(options, known)
  return known
}

/** Sum of the parts of a check, and the most that its whole allows; the latter is undefined without an answer. */
export function checkedAmounts(config: FormConfig, { parts, heading, times = 1, whole }: CrossCheck, answers: Answers) {
  const fieldOf = (key: string) => config.fields.find((field) => field.key === key)
  const counted = (key: string): Answer | undefined => {
    const field = fieldOf(key)
    const answer = answers[key]
    if (!field || heading === undefined || !Array.isArray(answer)) return answer
    const ofItems = headingsOf(optionsOf(config, field))
    return (answer as (string | RosterRow)[]).filter(
      (row) => ofItems.get(typeof row === 'string' ? row : row.v) === heading,
    ) as Answer
  }
  const sum = parts.reduce((total, key) => total + quantityOf(fieldOf(key), counted(key)), 0)
  return { sum, most: answers[whole] === undefined ? undefined : times * quantityOf(fieldOf(whole), answers[whole]) }
}

/** Options along a cascader path; undefined if a step does not exist. */
export function cascaderPath(tree: readonly Option[], path: readonly string[]): Option[] | undefined {
  const found: Option[] = []
  let level: readonly Option[] = tree
  for (const value of path) {
    const option = level.find((candidate) => candidate.v === value)
    if (!option) return undefined
    found.push(option)
    level = option.children ?? []
  }
  return found
}

/** Text of an answer, `未填` if empty; a value the config no longer contains is shown unchanged. */
export function labelOf(config: FormConfig, field: Field, answer: Answer | undefined): string {
  if (saysNone(field, answer)) return '没有'
  if (answer === undefined || isEmpty(answer)) return '未填'
  if (typeof answer === 'boolean') return answer ? '是' : '否'
  if (typeof answer === 'number') return `${answer}${field.unit ?? ''}`
  const options = optionsOf(config, field)
  const name = (value: string) => options.find((option) => option.v === value)?.t ?? value
  if (typeof answer === 'string') return field.type === 'select' ? name(answer) : answer.trim()
  if (field.type === 'image') return `${answer.length} 张`
  if (field.type === 'cascader') {
    const path = answer as string[]
    return (
      cascaderPath(options, path)
        ?.map((option) => option.t)
        .join(' / ') ?? path.join(' / ')
    )
  }
  return (answer as (string | GradedTag | RosterRow)[])
    .map((item) => itemLabel(item, name, field.roster?.words))
    .join('、')
}

/** Default terms of roster games; a config can define its own. */
export const usualRosterWords: RosterWords = {
  dup: '命座',
  sig: '专武',
  refine: '精炼',
  dupUnit: '命',
  refineUnit: '精',
}

/** A row in players' terms: `菈乌玛 1命 · 专武精1`, without a weapon `菈乌玛 1命`. */
export function rosterText(name: string, { dup, sig, refine }: RosterRow, words = usualRosterWords): string {
  const copies = words.dupUnit ? `${dup}${words.dupUnit}` : `${words.dup}${dup}`
  const weapon = sig ? ` · ${words.sig}${words.refineUnit ?? words.refine}${refine ?? 1}` : ''
  return `${name} ${copies}${weapon}`
}

function itemLabel(item: string | GradedTag | RosterRow, name: (value: string) => string, words?: RosterWords): string {
  if (typeof item === 'string') return name(item)
  if ('g' in item) return `${name(item.v)}(${item.g})`
  return rosterText(name(item.v), item, words)
}
