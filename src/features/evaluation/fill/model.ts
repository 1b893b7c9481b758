import { isEmpty, visibleFields } from '@/contract/form/answers'
import type { Answer, Answers, Field, FieldGroup, FieldType, FormConfig, Mode } from '@/contract/form/types'
import { type FieldIssue, validateAnswers, validateField } from '@/contract/form/validate'
import type { AnswerOrigin, Draft, PrefilledAnswers } from '@/session/drafts'
import { unnamedItemWarnings } from './unnamedItems'

/** What a filled form is made of. `errors` and `warnings` are by field key. */
export interface FormState {
  answers: Answers
  errors: Record<string, string>
  warnings: Record<string, string>
  /** what was filled in for the user */
  filled: PrefilledAnswers
  /** the newest filling, as long as it can be taken back */
  fresh?: LastPrefill
}

/** One filling: from where, which fields, and what stood there before. */
export interface LastPrefill {
  from: AnswerOrigin
  keys: string[]
  before: Answers
}

export type FormEvent =
  | { type: 'changed'; key: string; answer: Answer | undefined }
  /** The reader left the field. */
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

/** Fields that are answered with one tap or in a sheet: choosing is leaving. */
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

/** Whether an answer is complete with this event: typing goes on, a choice does not. */
export function completesAnswer(config: FormConfig, event: FormEvent): boolean {
  if (event.type !== 'changed') return true
  const field = fieldOf(config, event.key)
  return field !== undefined && choiceTypes.includes(field.type)
}

/** The field a path is about: `chars.2.refine` and the server's `answers.chars` → `chars`. */
export function fieldKeyOf(path: string): string {
  const [first = '', second = ''] = path.split('.')
  return first === 'answers' ? second : first
}

function byField(issues: readonly FieldIssue[], level: FieldIssue['level']): Record<string, string> {
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
  const asked = new Set(visibleFields(context.config, answers).map((shown) => shown.key))
  return {
    answers,
    errors: Object.fromEntries(Object.entries(errors).filter(([at]) => asked.has(at))),
    warnings: keepValidWarnings(context, answers, state.warnings),
    filled: state.filled,
    fresh: state.fresh,
  }
}

/** Only what is right and not answered yet: nothing the user has typed is replaced. */
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

/** Takes the newest filling back; what the user has corrected since is his and stays. */
function undoPrefill(state: FormState): FormState {
  const { fresh, answers, filled } = state
  const back = new Set(fresh?.keys.filter((key) => answers[key] === filled[key]?.answer))
  const keep = <T>(record: Record<string, T>) =>
    Object.fromEntries(Object.entries(record).filter(([key]) => !back.has(key)))
  return { ...state, answers: keep(answers), filled: keep(filled), fresh: undefined }
}

/** What a mark at a field says of where its answer comes from; `was` when the user has corrected it. */
export function originOf(state: FormState, key: string): { from: AnswerOrigin; was?: Answer } | undefined {
  const given = state.filled[key]
  if (!given) return undefined
  return same(given.answer, state.answers[key]) ? { from: given.from } : { from: given.from, was: given.answer }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** A warning leaves as soon as it no longer holds; new ones come only when the reader leaves the field. */
function keepValidWarnings(context: FormContext, answers: Answers, warnings: Record<string, string>) {
  if (Object.keys(warnings).length === 0) return warnings
  const current = warningsOf(context, answers)
  return Object.fromEntries(Object.entries(current).filter(([at]) => at in warnings))
}

/** Pure. What is wrong appears on leaving a field and on submitting, and goes while it is put right. */
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
      const known = event.fields.filter(({ path }) => fieldOf(config, fieldKeyOf(path)))
      return { ...state, errors: Object.fromEntries(known.map(({ path, msg }) => [fieldKeyOf(path), msg])) }
    }
  }
}

export interface Section {
  group: FieldGroup
  fields: Field[]
}

/** What is asked now, by group. */
export function visibleSections(config: FormConfig, answers: Answers): Section[] {
  const asked = visibleFields(config, answers)
  return config.groups
    .map((group) => ({ group, fields: asked.filter((field) => field.group === group.key) }))
    .filter((section) => section.fields.length > 0)
}

/** The first field in reading order with an error. */
export function firstError(config: FormConfig, state: FormState): Field | undefined {
  return visibleSections(config, state.answers)
    .flatMap((section) => section.fields)
    .find((field) => field.key in state.errors)
}

/** A draft as the start of a form, and the labels of what the form no longer asks. */
export interface RestoredForm {
  answers: Answers
  filled: PrefilledAnswers
  dropped: string[]
}

/** Keeps every value whose field still exists and takes values of its kind (product 2.2). */
export function restoreForm(config: FormConfig, draft?: Pick<Draft, 'answers' | 'labels' | 'filled'>): RestoredForm {
  const answers: Answers = {}
  const dropped: string[] = []
  for (const [key, answer] of Object.entries(draft?.answers ?? {})) {
    const field = fieldOf(config, key)
    if (answer === undefined || isEmpty(answer)) continue
    if (field && hasValidType(field, answer)) answers[key] = answer
    else dropped.push(draft?.labels[key] ?? key)
  }
  const filled = Object.entries(draft?.filled ?? {}).filter(([key]) => fieldOf(config, key) && !dropped.includes(key))
  return { answers, filled: Object.fromEntries(filled), dropped }
}

const isObject = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null
const isRow = (v: unknown) => isObject(v) && typeof v.v === 'string'
const isGraded = (v: unknown) => isObject(v) && typeof v.v === 'string' && typeof v.g === 'string'
const isRosterRow = (v: unknown) => isRow(v) && isObject(v) && typeof v.dup === 'number'
const isText = (v: unknown) => typeof v === 'string'

/** Same kind of value, so that the input can show it; whether it is right is `validateField`'s. */
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

/** Labels of what is answered, kept with the draft. */
export function labelsOf(config: FormConfig, answers: Answers): Record<string, string> {
  return Object.fromEntries(
    config.fields.filter(({ key }) => !isEmpty(answers[key])).map(({ key, label }) => [key, label]),
  )
}
