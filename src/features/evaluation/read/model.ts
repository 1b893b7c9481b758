import { isEmpty, visibleFields } from '@/contract/form/answers'
import type { Answers, Field, FormConfig } from '@/contract/form/types'
import { isRequired, validateField } from '@/contract/form/validate'
import type { TaskFail } from '@/contract/types'

/** What a read cannot give and a price needs. */
export const requiredInputFields = (config: FormConfig, answers: Answers): Field[] =>
  visibleFields(config, answers).filter((f) => !f.autoFill && isRequired(f, 'AI'))

/** Fields among them that are not right yet. */
export const invalidFields = (config: FormConfig, answers: Answers): Field[] =>
  requiredInputFields(config, answers).filter((f) => validateField(config, f, answers[f.key], 'AI'))

/** What the user said, without what the read will give. */
export const typedAnswers = (config: FormConfig, answers: Answers): Answers =>
  Object.fromEntries(
    visibleFields(config, answers).flatMap((f) =>
      f.autoFill || isEmpty(answers[f.key]) ? [] : [[f.key, answers[f.key]]],
    ),
  )

/** What finds the account. */
export const lookupAnswers = (config: FormConfig, answers: Answers): Answers =>
  Object.fromEntries(
    requiredInputFields(config, answers)
      .filter((f) => f.role === 'lookup' || f.role === 'factor')
      .map((f) => [f.key, answers[f.key]]),
  )

export type NextStep = 'again' | 'fill' | 'human'
/** The best next step of each failure, then the second best. */
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
