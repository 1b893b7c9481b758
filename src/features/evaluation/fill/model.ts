import { isEmpty, visibleFields } from '@/contract/form/answers'
import type { Answer, Answers, Field, FieldGroup, FieldType, FormConfig, Mode } from '@/contract/form/types'
import { type FieldIssue, validateAnswers, validateField } from '@/contract/form/validate'
import type { Draft } from '@/session/drafts'

/** What a filled form is made of. `errors` and `warnings` are by field key. */
export interface FormState {
  answers: Answers
  errors: Record<string, string>
  warnings: Record<string, string>
}

export type FormEvent =
  | { type: 'changed'; key: string; answer: Answer | undefined }
  /** The reader left the field. */
  | { type: 'left'; key: string }
  | { type: 'submitted' }
  /** The server named fields. */
  | { type: 'refused'; fields: readonly { path: string; msg: string }[] }

export interface FormContext {
  config: FormConfig
  mode: Mode
}

/** Fields that are answered with one tap or in a sheet: choosing is leaving. */
const chosen: readonly FieldType[] = ['select', 'multi', 'tags', 'tagsGrade', 'roster', 'cascader', 'bool']

const fieldOf = (config: FormConfig, key: string) => config.fields.find((field) => field.key === key)

/** The field a path is about: `chars.2.refine` and the server's `answers.chars` → `chars`. */
export function rootOf(path: string): string {
  const [first = '', second = ''] = path.split('.')
  return first === 'answers' ? second : first
}

function byField(issues: readonly FieldIssue[], level: FieldIssue['level']): Record<string, string> {
  const out: Record<string, string> = {}
  for (const issue of issues) if (issue.level === level) out[rootOf(issue.path)] ??= issue.msg
  return out
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
  const check = key in state.errors || (field !== undefined && chosen.includes(field.type))
  const errors = check ? checked(context, next, key) : state.errors
  const asked = new Set(visibleFields(context.config, answers).map((shown) => shown.key))
  return {
    answers,
    errors: Object.fromEntries(Object.entries(errors).filter(([at]) => asked.has(at))),
    warnings: stillTrue(context, answers, state.warnings),
  }
}

/** A warning leaves as soon as it no longer holds; new ones come only when the reader leaves the field. */
function stillTrue({ config, mode }: FormContext, answers: Answers, warnings: Record<string, string>) {
  if (Object.keys(warnings).length === 0) return warnings
  const current = byField(validateAnswers(config, answers, mode), 'warning')
  return Object.fromEntries(Object.entries(warnings).filter(([at]) => at in current))
}

/** Pure. What is wrong appears on leaving a field and on submitting, and goes while it is put right. */
export function reduceForm(context: FormContext, state: FormState, event: FormEvent): FormState {
  const { config, mode } = context
  switch (event.type) {
    case 'changed':
      return changed(context, state, event.key, event.answer)
    case 'left': {
      const warnings = byField(validateAnswers(config, state.answers, mode), 'warning')
      return { ...state, errors: checked(context, state, event.key), warnings }
    }
    case 'submitted': {
      const issues = validateAnswers(config, state.answers, mode)
      return { ...state, errors: byField(issues, 'error'), warnings: byField(issues, 'warning') }
    }
    case 'refused': {
      const known = event.fields.filter(({ path }) => fieldOf(config, rootOf(path)))
      return { ...state, errors: Object.fromEntries(known.map(({ path, msg }) => [rootOf(path), msg])) }
    }
  }
}

export interface Section {
  group: FieldGroup
  fields: Field[]
}

/** What is asked now, by group. Pictures are left out until they can be uploaded. */
export function sections(config: FormConfig, answers: Answers): Section[] {
  const asked = visibleFields(config, answers).filter((field) => field.type !== 'image')
  return config.groups
    .map((group) => ({ group, fields: asked.filter((field) => field.group === group.key) }))
    .filter((section) => section.fields.length > 0)
}

/** Whether the form would ask for pictures. */
export const asksPictures = (config: FormConfig) => config.fields.some((field) => field.type === 'image')

/** The first field in reading order with an error. */
export function firstError(config: FormConfig, state: FormState): Field | undefined {
  return sections(config, state.answers)
    .flatMap((section) => section.fields)
    .find((field) => field.key in state.errors)
}

/** A draft as the start of a form, and the labels of what the form no longer asks. */
export interface Restored {
  answers: Answers
  dropped: string[]
}

/** Keeps every value whose field still exists and takes values of its kind (product 2.2). */
export function restore(config: FormConfig, draft: Pick<Draft, 'answers' | 'labels'> | undefined): Restored {
  const answers: Answers = {}
  const dropped: string[] = []
  for (const [key, answer] of Object.entries(draft?.answers ?? {})) {
    const field = fieldOf(config, key)
    if (answer === undefined || isEmpty(answer)) continue
    if (field && fits(field, answer)) answers[key] = answer
    else dropped.push(draft?.labels[key] ?? key)
  }
  return { answers, dropped }
}

const isObject = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null
const isRow = (v: unknown) => isObject(v) && typeof v.v === 'string'
const isGraded = (v: unknown) => isObject(v) && typeof v.v === 'string' && typeof v.g === 'string'
const isRosterRow = (v: unknown) => isRow(v) && isObject(v) && typeof v.dup === 'number'
const isText = (v: unknown) => typeof v === 'string'

/** Same kind of value, so that the input can show it; whether it is right is `validateField`'s. */
function fits(field: Field, answer: unknown): boolean {
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
