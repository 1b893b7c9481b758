import { cascaderPath, cleanAnswers, disqualifyingAnswer, isEmpty, optionsOf, saysNone } from '@/contract/form/answers'
import type { Answers, Field, FieldType, FormConfig, Mode } from '@/contract/form/types'
import { labelOf, validateAnswers } from '@/contract/form/validate'
import type { PrefilledForm, Req } from '@/contract/types'
import { AppError, invalid } from '../../core/app-error'

/** Sort key of a list's entries: the tag itself, or the item of a row. */
const entryName = (entry: unknown) => (typeof entry === 'string' ? entry : String((entry as { v?: unknown }).v))
const byEntryName = (a: unknown, b: unknown) => (entryName(a) < entryName(b) ? -1 : 1)
/** Lists whose order is irrelevant: the same tags in another order are the same answer. */
const unordered: readonly FieldType[] = ['multi', 'tags', 'tagsGrade', 'roster']

const sortedKeys = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) as T

/** Normalises answers, so that equal ones serialise equally. */
export function canonicalAnswers(config: FormConfig, answers: Answers): Answers {
  const lists = new Set(config.fields.filter(({ type }) => unordered.includes(type)).map(({ key }) => key))
  const entries = Object.entries(answers).map(([key, answer]) => {
    if (!lists.has(key) || !Array.isArray(answer)) return [key, answer]
    const rows: unknown[] = answer.map((row) => (typeof row === 'string' ? row : sortedKeys(row)))
    return [key, rows.sort(byEntryName)]
  })
  return sortedKeys(Object.fromEntries(entries) as Answers)
}

type Given = Pick<Req<'evaluation', 'submitAi'>, 'schemaVersion' | 'answers'>

/** Validated answers in canonical form, for comparing and storing. @throws AppError FORM_CHANGED, VALIDATION_FAILED */
export const requireValidAnswers = (config: FormConfig, given: Given, mode: Mode = 'AI'): Answers =>
  checkedAnswers(config, given, mode, () => true)

/** Whether a path of options ends above the last level: 安卓 is chosen, its server not yet. */
function isHalfChosen(config: FormConfig, field: Field, answer: unknown): boolean {
  if (field.type !== 'cascader' || !Array.isArray(answer)) return false
  return (cascaderPath(optionsOf(config, field), answer as string[])?.at(-1)?.children?.length ?? 0) > 0
}

/** Whether more characters could make the text match; only patterns of a run of digits are understood. */
function isHalfTyped({ rules: { pattern } }: Field, answer: unknown): boolean {
  if (pattern === undefined || typeof answer !== 'string') return false
  const text = answer.trim()
  const [, from] = /^\^\\d\{(\d+),\d+\}\$$/.exec(pattern) ?? []
  return from === undefined ? !new RegExp(pattern).test(text) : /^\d+$/.test(text) && text.length < Number(from)
}

/** What a row of these lists has to say beside its item. */
const rowParts: Partial<Record<FieldType, 'g' | 'dup'>> = { tagsGrade: 'g', roster: 'dup' }

/** The answer without rows whose item is chosen and its grade or number of copies is not. */
function withoutHalfRows(config: FormConfig, field: Field, answer: Answers[string]): Answers[string] {
  const part = rowParts[field.type]
  if (!part || !Array.isArray(answer)) return answer
  const allowed = new Set<unknown>(optionsOf(config, field).map(({ v }) => v))
  const isHalf = (row: unknown) => {
    const { v, [part]: value = '' } = Object(row) as Record<string, unknown>
    return value === '' && (v === undefined || allowed.has(v))
  }
  return (answer as unknown[]).filter((row) => !isHalf(row)) as Answers[string]
}

/** Like `requireValidAnswers` for a form that is still being filled: what is missing or unfinished is left out. */
export function requirePossibleAnswers(config: FormConfig, { schemaVersion, answers: raw }: Given): Answers {
  const lists = config.fields.filter(({ key, type }) => rowParts[type] && raw[key] !== undefined)
  const answers = {
    ...raw,
    ...Object.fromEntries(lists.map((field) => [field.key, withoutHalfRows(config, field, raw[field.key] ?? [])])),
  }
  const deferred = config.fields.filter((field) => {
    const answer = answers[field.key]
    const isNone = saysNone(field, raw[field.key])
    return (isEmpty(answer) && !isNone) || isHalfChosen(config, field, answer) || isHalfTyped(field, answer)
  })
  return requireAnswersWithout(config, { schemaVersion, answers }, new Set(deferred.map(({ key }) => key)))
}

/** Like `requireValidAnswers` without some fields: their answers are dropped, their errors do not count. */
export function requireAnswersWithout(
  config: FormConfig,
  { schemaVersion, answers }: Given,
  fields: ReadonlySet<string>,
): Answers {
  const given = Object.fromEntries(Object.entries(answers).filter(([key]) => !fields.has(key)))
  return checkedAnswers(config, { schemaVersion, answers: given }, 'AI', (path) => !fields.has(path))
}

/** @param isChecked whether an error of the field at this path counts */
function checkedAnswers(
  config: FormConfig,
  { schemaVersion, answers }: Given,
  mode: Mode,
  isChecked: (path: string) => boolean,
): Answers {
  if (schemaVersion !== config.schemaVersion)
    throw new AppError('FORM_CHANGED', { data: { schemaVersion: config.schemaVersion } })
  const issues = validateAnswers(config, answers, mode)
  const errors = issues.filter(({ level, path }) => level === 'error' && isChecked(path))
  if (errors.length > 0) throw invalid(errors.map(({ path, msg }) => ({ path: `answers.${path}`, msg })))
  const stop = mode === 'AI' && disqualifyingAnswer(config, answers)
  if (stop) throw invalid([{ path: `answers.${stop.path}`, msg: stop.msg }])
  return canonicalAnswers(config, cleanAnswers(config, answers))
}

/** `王者荣耀 · 安卓微信`: the game and its first price factor. */
export function titleOf(config: FormConfig, answers: Answers): string {
  const field = config.fields.find((f) => f.role === 'factor' && answers[f.key] !== undefined)
  return field ? `${config.name} · ${labelOf(config, field, answers[field.key])}` : config.name
}

/** Pictures are not reused: they show the account as it was. */
export function withoutPictures(fields: PrefilledForm['fields'], answers: Answers): Answers {
  const pictures = new Set(fields.filter(({ type }) => type === 'image').map(({ key }) => key))
  return Object.fromEntries(Object.entries(answers).filter(([key]) => !pictures.has(key)))
}
