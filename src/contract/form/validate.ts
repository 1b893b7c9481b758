/** Validates answers by a form config, identically on client and server. Pure, no dependencies. */
import { cascaderPath, checkedAmounts, isEmpty, optionsOf, saysNone, visibleFields } from './answers'
import type { Answers, Field, FieldType, FormConfig, Mode } from './types'

export { isVisible, labelOf } from './answers'

/**
 * `path` is the field's key, or `key.row.part` for a row of a list (`chars.2.refine`). A warning does not block
 * submitting.
 */
export interface ValidationIssue {
  path: string
  msg: string
  level: 'error' | 'warning'
}

/** Default limits for configs without any, so that no answer is unbounded. */
const DEFAULT_MAX_LEN = 500
const DEFAULT_MAX_ITEMS = 100
const DEFAULT_MAX_IMAGES = 9
const IMAGE_KEY = /^[\w./-]{1,200}$/

/** Result of a check: the error, with its place inside the field. */
type FieldIssue = { msg: string; place?: string } | undefined
type Check = (config: FormConfig, field: Field, answer: unknown) => FieldIssue

/** At most one error per field, unknown keys, then the warnings. */
export function validateAnswers(config: FormConfig, answers: Answers, mode: Mode): ValidationIssue[] {
  const keys = new Set(config.fields.map((field) => field.key))
  const unknown = Object.keys(answers)
    .filter((key) => answers[key] !== undefined && !keys.has(key))
    .map((key): ValidationIssue => ({ path: key, msg: `表单里没有“${key}”这一项`, level: 'error' }))
  const errors = visibleFields(config, answers).flatMap(
    (field) => validateField(config, field, answers[field.key], mode) ?? [],
  )
  return [...unknown, ...errors, ...crossCheck(config, answers)]
}

/** The first error of one answer. Accepts `unknown`, since the server calls it with unvalidated input. */
export function validateField(
  config: FormConfig,
  field: Field,
  answer: unknown,
  mode: Mode,
): ValidationIssue | undefined {
  if (isEmpty(answer as Parameters<typeof isEmpty>[0])) {
    return isRequired(field, mode) ? { path: field.key, msg: missing(field), level: 'error' } : undefined
  }
  const issue = checks[field.type](config, field, answer)
  return issue && { path: issue.place ? `${field.key}.${issue.place}` : field.key, msg: issue.msg, level: 'error' }
}

/** Whether the field is required in this mode. */
export function isRequired(field: Field, mode: Mode): boolean {
  return field.required === true || field.required === mode
}

/** Whether the field has an answer that it accepts. */
const isAnswered = (config: FormConfig, answers: Answers, mode: Mode) => (field: Field) =>
  (!isEmpty(answers[field.key]) || saysNone(field, answers[field.key])) &&
  !validateField(config, field, answers[field.key], mode)

/** The answers that their fields accept. */
export function acceptedAnswers(config: FormConfig, answers: Answers, mode: Mode): Answers {
  const accepted = config.fields.filter(isAnswered(config, answers, mode))
  return Object.fromEntries(accepted.map(({ key }) => [key, answers[key]]))
}

/**
 * The fields that the form counts, in its order: visible ones that are required or affect the price, and for an appraiser
 * all facts. Progress and the next field use this rule.
 */
const countedFields = (config: FormConfig, answers: Answers, mode: Mode): Field[] =>
  visibleFields(config, answers).filter(
    (field) =>
      isRequired(field, mode) ||
      affectsPrice(field) ||
      (mode === 'MANUAL' && !['image', 'textarea'].includes(field.type)),
  )

/** Number of counted fields, or of the required or optional of them, with a valid answer and in all. */
export function progress(config: FormConfig, answers: Answers, mode: Mode, part?: 'required' | 'optional') {
  const counted = countedFields(config, answers, mode).filter(
    (field) => part === undefined || isRequired(field, mode) === (part === 'required'),
  )
  return { done: counted.filter(isAnswered(config, answers, mode)).length, total: counted.length }
}

/** Counted fields without an answer; 不清楚 is one. */
export const unansweredFields = (config: FormConfig, answers: Answers, mode: Mode): Field[] =>
  countedFields(config, answers, mode).filter(
    (field) => isEmpty(answers[field.key]) && !saysNone(field, answers[field.key]),
  )

/**
 * Number of visible fields that affect the price, and of those without an answer that says anything about it, as counted
 * by the confidence of a report (`9 项未填`): 不清楚 counts as none.
 */
export function pricedProgress(config: FormConfig, answers: Answers): { total: number; unanswered: number } {
  const priced = visibleFields(config, answers).filter(affectsPrice)
  return { total: priced.length, unanswered: priced.filter(isUnanswered(answers)).length }
}

/** Whether the answer affects the price. */
export const affectsPrice = ({ role }: Field) => role.startsWith('value') || role === 'factor'
const isUnanswered = (answers: Answers) => (field: Field) =>
  (isEmpty(answers[field.key]) && !saysNone(field, answers[field.key])) || answers[field.key] === 'unknown'

function missing(field: Field): string {
  const verbs: Partial<Record<FieldType, string>> = {
    int: '填写',
    decimal: '填写',
    text: '填写',
    textarea: '填写',
    image: '上传',
  }
  return `请${verbs[field.type] ?? '选择'}${field.label}`
}

function crossCheck(config: FormConfig, answers: Answers): ValidationIssue[] {
  // the input is unvalidated: values that the field would refuse are not counted
  const valid = config.fields.filter(
    (field) => answers[field.key] !== undefined && !validateField(config, field, answers[field.key], 'MANUAL'),
  )
  const counted = Object.fromEntries(valid.map(({ key }) => [key, answers[key]]))
  return (config.crossChecks ?? []).flatMap((check) => {
    const { sum, most } = checkedAmounts(config, check, counted)
    return most !== undefined && sum > most ? [{ path: check.whole, msg: check.msg, level: 'warning' as const }] : []
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasOnly(row: Record<string, unknown>, keys: readonly string[]): boolean {
  return Object.keys(row).every((key) => keys.includes(key))
}

function invalid(field: Field, place?: string): FieldIssue {
  return { msg: `${field.label}的选项无效，请重新选择`, place }
}

function inOptions(config: FormConfig, field: Field, value: unknown): boolean {
  return optionsOf(config, field).some((option) => option.v === value)
}

function outOfRange({ label, rules: { min, max } }: Field): FieldIssue {
  if (min !== undefined && max !== undefined) return { msg: `${label}需在 ${min}–${max} 之间` }
  if (max !== undefined) return { msg: `${label}不能大于 ${max}` }
  return min === undefined ? undefined : { msg: `${label}不能小于 ${min}` }
}

const number: Check = (_config, field, answer) => {
  const { min, max, scale = 0 } = field.rules
  const whole = field.type === 'int' || scale === 0
  // one text names form and range: typed text may break both, as a number with too many digits does
  const kind = `${min === undefined || max === undefined ? '' : ` ${min}–${max} 的`}${whole ? '整数' : '数字'}`
  if (typeof answer !== 'number' || !Number.isFinite(answer) || (whole && !Number.isInteger(answer)))
    return { msg: `${field.label}需填${kind}` }
  if (!whole && decimals(answer) > scale) return { msg: `${field.label}最多 ${scale} 位小数` }
  if ((min === undefined || answer >= min) && (max === undefined || answer <= max)) return undefined
  return outOfRange(field)
}

/** Decimal places as written; exponent notation counts as more than any form allows. */
function decimals(value: number): number {
  const text = String(value)
  return text.includes('e-') ? Number.POSITIVE_INFINITY : (text.split('.')[1]?.length ?? 0)
}

/** `^\d{6,12}$` as text; empty for patterns other than a run of digits. */
function wanted(pattern: string): string {
  const [, from, to] = /^\^\\d\{(\d+),(\d+)\}\$$/.exec(pattern) ?? []
  return from ? `，应为 ${from}–${to} 位数字` : ''
}

const text: Check = (_config, field, answer) => {
  if (typeof answer !== 'string') return { msg: `${field.label}格式不对` }
  const { maxLen = DEFAULT_MAX_LEN, pattern } = field.rules
  if (Array.from(answer.trim()).length > maxLen) return { msg: `${field.label}最多 ${maxLen} 字` }
  return pattern !== undefined && !new RegExp(pattern).test(answer.trim())
    ? { msg: `${field.label}格式不对${wanted(pattern)}` }
    : undefined
}

/** Checks a list for duplicates, and each item by `item`; `keyOf` gives the key that must be unique. */
function list(
  unit: string,
  fallbackMax: number,
  item: (config: FormConfig, field: Field, value: unknown, place: string) => FieldIssue,
): Check {
  return (config, field, answer) => {
    if (!Array.isArray(answer)) return invalid(field)
    const max = field.rules.maxItems ?? fallbackMax
    if (answer.length > max) return { msg: `${field.label}最多 ${max} ${unit}` }
    const keys = answer.map((value: unknown) => (isRecord(value) ? value.v : value))
    if (new Set(keys).size < keys.length) return { msg: `${field.label}里有重复的选项` }
    for (const [index, value] of answer.entries()) {
      const issue = item(config, field, value, String(index))
      if (issue) return issue
    }
    return undefined
  }
}

const choices = list('项', DEFAULT_MAX_ITEMS, (config, field, value, place) =>
  inOptions(config, field, value) ? undefined : invalid(field, place),
)

const graded = list('项', DEFAULT_MAX_ITEMS, (config, field, value, place) => {
  if (!isRecord(value) || !hasOnly(value, ['v', 'g']) || !inOptions(config, field, value.v))
    return invalid(field, place)
  return field.grades?.some((grade) => grade === value.g)
    ? undefined
    : { msg: `请选择${nameOf(config, field, value.v)}的品质`, place: `${place}.g` }
})

const roster = list('个', DEFAULT_MAX_ITEMS, (config, field, value, place) => {
  if (!isRecord(value) || !hasOnly(value, ['v', 'dup', 'sig', 'refine']) || !inOptions(config, field, value.v))
    return invalid(field, place)
  const rule = field.roster
  if (!rule) return invalid(field, place)
  const name = nameOf(config, field, value.v)
  if (!within(value.dup, rule.dup))
    return { msg: `${name}的重复数需在 ${rule.dup[0]}–${rule.dup[1]} 之间`, place: `${place}.dup` }
  if (value.sig !== undefined && (typeof value.sig !== 'boolean' || (value.sig && !rule.sig)))
    return invalid(field, `${place}.sig`)
  if (value.refine === undefined) return undefined
  if (!value.sig) return { msg: `${name}没有专武，不需要填精炼`, place: `${place}.refine` }
  return within(value.refine, rule.refine)
    ? undefined
    : { msg: `${name}的精炼需在 ${rule.refine[0]}–${rule.refine[1]} 之间`, place: `${place}.refine` }
})

const images = list('张', DEFAULT_MAX_IMAGES, (_config, field, value, place) =>
  typeof value === 'string' && IMAGE_KEY.test(value)
    ? undefined
    : { msg: `${field.label}有一张没有上传成功，请重新上传`, place },
)

function within(value: unknown, [min, max]: readonly [number, number]): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
}

function nameOf(config: FormConfig, field: Field, value: unknown): string {
  return optionsOf(config, field).find((option) => option.v === value)?.t ?? field.label
}

const cascader: Check = (config, field, answer) => {
  if (!Array.isArray(answer) || !answer.every((value) => typeof value === 'string')) return invalid(field)
  const path = cascaderPath(optionsOf(config, field), answer)
  if (!path) return invalid(field)
  return path[path.length - 1]?.children?.length ? { msg: `请把${field.label}选完整` } : undefined
}

const checks: Record<FieldType, Check> = {
  select: (config, field, answer) => (inOptions(config, field, answer) ? undefined : invalid(field)),
  multi: choices,
  tags: choices,
  tagsGrade: graded,
  roster,
  cascader,
  int: number,
  decimal: number,
  text,
  textarea: text,
  bool: (_config, field, answer) => (typeof answer === 'boolean' ? undefined : invalid(field)),
  image: images,
}
