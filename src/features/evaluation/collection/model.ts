import { isEmpty, visibleFields } from '@/contract/form/answers'
import type { Answers, Field, FormConfig } from '@/contract/form/types'
import { isRequired, type ValidationIssue, validateField } from '@/contract/form/validate'
import type { TaskFail } from '@/contract/types'

const isRequiredForRead = (field: Field) => field.requiredForCollection === true || isRequired(field, 'AI')

/**
 * Fields that the collection or the price needs and that the collection cannot provide; all of them are required here.
 */
export const requiredInputFields = (config: FormConfig, answers: Answers): Field[] =>
  visibleFields(config, answers)
    .filter((f) => !f.autoFill && isRequiredForRead(f))
    .map((f) => ({ ...f, required: true }))

/** Errors of these fields: invalid or missing answers. */
export const inputIssues = (config: FormConfig, answers: Answers): ValidationIssue[] =>
  requiredInputFields(config, answers).flatMap((f) => validateField(config, f, answers[f.key], 'AI') ?? [])

/** Answers typed by the user, without those the collection will provide. */
export const inputAnswers = (config: FormConfig, answers: Answers): Answers =>
  Object.fromEntries(
    visibleFields(config, answers).flatMap((f) =>
      f.autoFill || isEmpty(answers[f.key]) ? [] : [[f.key, answers[f.key]]],
    ),
  )

/** Answers that identify the account. */
export const lookupAnswers = (config: FormConfig, answers: Answers): Answers =>
  Object.fromEntries(
    requiredInputFields(config, answers)
      .filter((f) => f.role === 'lookup' || f.role === 'factor')
      .map((f) => [f.key, answers[f.key]]),
  )

export type NextStep = 'again' | 'fill' | 'human'
/** Recommended next steps for each failure, best first. */
export const nextSteps: Record<TaskFail, readonly [NextStep, NextStep]> = {
  QR_EXPIRED: ['again', 'fill'],
  USER_REFUSED: ['again', 'fill'],
  ROLE_NOT_FOUND: ['again', 'fill'],
  PRIVACY_HIDDEN: ['again', 'fill'],
  SERVER_MAINTAIN: ['fill', 'again'],
  RISK_CONTROL: ['fill', 'again'],
  READ_TIMEOUT: ['again', 'fill'],
  SAMPLE_INSUFFICIENT: ['human', 'fill'],
}
