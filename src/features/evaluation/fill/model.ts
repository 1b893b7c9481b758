import { cleanAnswers, isEmpty, saysNone, visibleFields } from '@/contract/form/answers'
import type { Answer, Answers, Field, FieldGroup, FieldType, FormConfig, Mode } from '@/contract/form/types'
import {
  acceptedAnswers,
  isRequired,
  pricedProgress,
  unansweredFields,
  type ValidationIssue,
  validateAnswers,
  validateField,
} from '@/contract/form/validate'
import type { AnswerOrigin, Draft, PrefilledAnswers } from '@/session/drafts'
import { readNumber } from './fields/numberText'
import { unnamedItemWarnings } from './unnamedItems'

/** State of the form. `errors` and `warnings` are keyed by field. */
export interface FormState {
  answers: Answers
  errors: Record<string, string>
  warnings: Record<string, string>
  filled: PrefilledAnswers
  /** the last prefill, while it can be undone */
  fresh?: LastPrefill
}

/** A prefill: its origin, its fields and their previous answers. */
export interface LastPrefill {
  from: AnswerOrigin
  keys: string[]
  before: Answers
}

export type FormEvent =
  | { type: 'changed'; key: string; answer: Answer | undefined }
  /** The user left the field. */
  | { type: 'left'; key: string }
  | { type: 'submitted' }
  /** Answers from elsewhere, for fields that are still empty. */
  | { type: 'filled'; answers: Answers; from: AnswerOrigin }
  | { type: 'unfilled' }
  /** The server named fields. */
  | { type: 'refused'; fields: readonly { path: string; msg: string }[] }

export interface FormContext {
  config: FormConfig
  mode: Mode
}

/** Field types answered by one choice, which are validated immediately instead of on blur. */
const choiceTypes: readonly FieldType[] = [
  'select',
  'multi',
  'tags',
  'tagsGrade',
  'roster',
  'cascader',
  'bool',
  'image',
]

const fieldOf = (config: FormConfig, key: string) => config.fields.find((field) => field.key === key)

/** Whether the event completes an answer, as choices do and typing does not. */
export function completesAnswer(config: FormConfig, event: FormEvent): boolean {
  if (event.type !== 'changed') return true
  const field = fieldOf(config, event.key)
  return field !== undefined && choiceTypes.includes(field.type)
}

/** Field key of an error path: `chars.2.refine` and the server's `answers.chars` → `chars`. */
export function fieldKeyOf(path: string): string {
  const [first = '', second = ''] = path.split('.')
  return first === 'answers' ? second : first
}

function byField(issues: readonly ValidationIssue[], level: ValidationIssue['level']): Record<string, string> {
  const out: Record<string, string> = {}
  for (const issue of issues) if (issue.level === level) out[fieldKeyOf(issue.path)] ??= issue.msg
  return out
}

function warningsOf({ config, mode }: FormContext, answers: Answers): Record<string, string> {
  return { ...unnamedItemWarnings(config, answers), ...byField(validateAnswers(config, answers, mode), 'warning') }
}

function without(record: Record<string, string>, key: string): Record<string, string> {
  const { [key]: _gone, ...rest } = record
  return rest
}

function checked({ config, mode }: FormContext, state: FormState, key: string): Record<string, string> {
  const field = fieldOf(config, key)
  const issue = field && validateField(config, field, state.answers[key], mode)
  return issue ? { ...state.errors, [key]: issue.msg } : without(state.errors, key)
}

function changed(context: FormContext, state: FormState, key: string, answer: Answer | undefined): FormState {
  const answers = { ...state.answers }
  if (answer === undefined) delete answers[key]
  else answers[key] = answer
  const next = { ...state, answers }
  const field = fieldOf(context.config, key)
  const check = key in state.errors || (field !== undefined && choiceTypes.includes(field.type))
  const errors = check ? checked(context, next, key) : state.errors
  const shownKeys = new Set(visibleFields(context.config, answers).map((shown) => shown.key))
  return {
    answers,
    errors: Object.fromEntries(Object.entries(errors).filter(([key]) => shownKeys.has(key))),
    warnings: keepValidWarnings(context, answers, state.warnings),
    filled: state.filled,
    fresh: state.fresh,
  }
}

/** Fills only unanswered fields with valid values; never overwrites the user's input. */
function prefill({ config, mode }: FormContext, state: FormState, given: Answers, from: AnswerOrigin): FormState {
  const good = config.fields.flatMap((field): [string, Answer][] => {
    const answer = given[field.key]
    const usable = !isEmpty(answer) && answer !== undefined && hasValidType(field, answer)
    if (!usable || !isEmpty(state.answers[field.key]) || validateField(config, field, answer, mode)) return []
    return [[field.key, answer]]
  })
  const keys = good.map(([key]) => key)
  return {
    ...state,
    answers: { ...state.answers, ...Object.fromEntries(good) },
    errors: Object.fromEntries(Object.entries(state.errors).filter(([key]) => !keys.includes(key))),
    filled: { ...state.filled, ...Object.fromEntries(good.map(([key, answer]) => [key, { from, answer }])) },
    fresh: { from, keys, before: state.answers },
  }
}

/** Undoes the last prefill except for answers the user has changed since. */
function undoPrefill(state: FormState): FormState {
  const { fresh, answers, filled } = state
  const back = new Set(fresh?.keys.filter((key) => answers[key] === filled[key]?.answer))
  const keep = <T>(record: Record<string, T>) =>
    Object.fromEntries(Object.entries(record).filter(([key]) => !back.has(key)))
  return { ...state, answers: keep(answers), filled: keep(filled), fresh: undefined }
}

/** Origin of a field's answer; undefined if the user has given or changed it. */
export function answerOriginOf({ filled, answers }: FormState, key: string): AnswerOrigin | undefined {
  const given = filled[key]
  return given && JSON.stringify(given.answer) === JSON.stringify(answers[key]) ? given.from : undefined
}

/** Removes warnings that no longer apply; new ones appear only on blur. */
function keepValidWarnings(context: FormContext, answers: Answers, warnings: Record<string, string>) {
  if (Object.keys(warnings).length === 0) return warnings
  const current = warningsOf(context, answers)
  return Object.fromEntries(Object.entries(current).filter(([key]) => key in warnings))
}

/** Pure. Errors appear on blur and on submit, and disappear while they are being corrected. */
export function reduceForm(context: FormContext, state: FormState, event: FormEvent): FormState {
  const { config, mode } = context
  switch (event.type) {
    case 'changed':
      return changed(context, state, event.key, event.answer)
    case 'left':
      return { ...state, errors: checked(context, state, event.key), warnings: warningsOf(context, state.answers) }
    case 'filled':
      return prefill(context, state, event.answers, event.from)
    case 'unfilled':
      return undoPrefill(state)
    case 'submitted': {
      const issues = validateAnswers(config, state.answers, mode)
      return { ...state, errors: byField(issues, 'error'), warnings: warningsOf(context, state.answers) }
    }
    case 'refused': {
      const shown = event.fields.filter(({ path }) => fieldOf(config, fieldKeyOf(path)))
      return { ...state, errors: Object.fromEntries(shown.map(({ path, msg }) => [fieldKeyOf(path), msg])) }
    }
  }
}

export interface Section {
  group: FieldGroup
  fields: Field[]
}

/**
 * Whether the form asks for the field. The id of an account serves a collection and an appraiser; a valuation of
 * typed answers does not use it, so it only shows there if it came with pasted text.
 */
const isShown = ({ key, role }: Field, answers: Answers, mode: Mode) =>
  role !== 'lookup' || mode === 'MANUAL' || !isEmpty(answers[key])

/** Fields the form asks for, by group. */
export function visibleSections(config: FormConfig, answers: Answers, mode: Mode): Section[] {
  const shown = visibleFields(config, answers).filter((field) => isShown(field, answers, mode))
  return config.groups
    .map((group) => ({ group, fields: shown.filter((field) => field.group === group.key) }))
    .filter((section) => section.fields.length > 0)
}

const inReadingOrder = (config: FormConfig, answers: Answers, mode: Mode) =>
  visibleSections(config, answers, mode).flatMap((section) => section.fields)

/**
 * The next field worth answering: the first required one without an answer, then the first that affects the price.
 * undefined: nothing is missing.
 */
export function nextMissing(config: FormConfig, answers: Answers, mode: Mode): Field | undefined {
  const unanswered = new Set(unansweredFields(config, answers, mode))
  const missing = inReadingOrder(config, answers, mode).filter((field) => unanswered.has(field))
  return missing.find((field) => isRequired(field, mode)) ?? missing[0]
}

/** Nothing of the section is required, moves the price, is answered, wrong or `wanted`: pictures for reference, the remark. */
export const isUnusedAside = (fields: readonly Field[], { answers, errors }: FormState, wanted: string | undefined) =>
  fields.every(
    ({ key, role, required }) =>
      ['evidence', 'weak', 'none'].includes(role) &&
      !required &&
      isEmpty(answers[key]) &&
      !(key in errors) &&
      key !== wanted,
  )

const isNumber = ({ type }: Field) => type === 'int' || type === 'decimal'

/** Fields by row: neighbouring numbers share one, every other field has its own. */
export function fieldRows(fields: readonly Field[]): Field[][] {
  const rows: Field[][] = []
  for (const field of fields) {
    const last = rows[rows.length - 1]
    if (isNumber(field) && last?.every(isNumber)) last.push(field)
    else rows.push([field])
  }
  return rows
}

/**
 * Answers for a price range while the form is being filled: those that the server would accept and that affect the
 * price. undefined while there are none.
 */
export function previewAnswers(config: FormConfig, answers: Answers): Answers | undefined {
  const accepted = acceptedAnswers(config, cleanAnswers(config, answers), 'AI')
  const { total, unanswered } = pricedProgress(config, accepted)
  if (unanswered === total) return undefined
  const usable = ({ key, type, role }: Field) =>
    type !== 'image' && !['none', 'evidence', 'lookup'].includes(role) && key in accepted
  return Object.fromEntries(config.fields.filter(usable).map(({ key }) => [key, accepted[key]]))
}

/** The first field in reading order with an error. */
export function firstError(config: FormConfig, state: FormState, mode: Mode): Field | undefined {
  return inReadingOrder(config, state.answers, mode).find((field) => field.key in state.errors)
}

/** A form restored from a draft, and the labels of answers whose fields no longer exist. */
export interface RestoredForm {
  answers: Answers
  filled: PrefilledAnswers
  dropped: string[]
}

/** Keeps every answer whose field still exists with a compatible type. */
export function restoreForm(config: FormConfig, draft?: Pick<Draft, 'answers' | 'labels' | 'filled'>): RestoredForm {
  const answers: Answers = {}
  const dropped: string[] = []
  for (const [key, answer] of Object.entries(draft?.answers ?? {})) {
    const field = fieldOf(config, key)
    if (answer === undefined || (isEmpty(answer) && !(field && saysNone(field, answer)))) continue
    if (field && hasValidType(field, answer)) answers[key] = answer
    // typed text that is no number is shown again, and refused with the reason
    else if (field && isNumber(field) && isText(answer)) answers[key] = readNumber(answer, field.unit)
    else dropped.push(draft?.labels[key] ?? key)
  }
  const filled = Object.entries(draft?.filled ?? {}).filter(([key]) => fieldOf(config, key) && !dropped.includes(key))
  return { answers, filled: Object.fromEntries(filled), dropped }
}

const isObject = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null
const isRow = (v: unknown) => isObject(v) && typeof v.v === 'string'
const isGraded = (v: unknown) => isObject(v) && typeof v.v === 'string' && typeof v.g === 'string'
const isRosterRow = (v: unknown) => isRow(v) && isObject(v) && typeof v.dup === 'number'
const isText = (v: unknown): v is string => typeof v === 'string'

/** Whether the input can show the value; `validateField` decides whether it is valid. */
function hasValidType(field: Field, answer: unknown): boolean {
  const all = (test: (v: unknown) => boolean) => Array.isArray(answer) && answer.every(test)
  switch (field.type) {
    case 'int':
    case 'decimal':
      return typeof answer === 'number' && Number.isFinite(answer)
    case 'bool':
      return typeof answer === 'boolean'
    case 'multi':
    case 'tags':
    case 'cascader':
    case 'image':
      return all(isText)
    case 'tagsGrade':
      return all(isGraded)
    case 'roster':
      return all(isRosterRow)
    default:
      return isText(answer)
  }
}

/** Labels of the answered fields, stored with the draft. */
export function labelsOf(config: FormConfig, answers: Answers): Record<string, string> {
  return Object.fromEntries(
    config.fields.filter(({ key }) => !isEmpty(answers[key])).map(({ key, label }) => [key, label]),
  )
}
