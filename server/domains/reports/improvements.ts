import type { Report } from '@/contract/types'
import type { Person } from './store'

type Improvements = NonNullable<Report['raise']>

/** Endings of field names that texts leave out: 邮箱状态 is called 邮箱. */
const FIELD_ENDING = /(?:状态|情况)$/

/**
 * The model's advice on raising the price, as far as the appraisers have not said more about it: none beside their judgement
 * of binding, which names the gain of each step; without its amount where they corrected the line that it would change or
 * write about it in their comment, which says what they think it brings.
 */
export function improvementsBeside(
  improvements: Improvements,
  appraisers: readonly (Pick<Person, 'comment' | 'work'> | undefined)[],
): Improvements {
  if (appraisers.some((one) => one?.work?.binding)) return []
  const corrected = appraisers.flatMap((one) =>
    (one?.work?.notes ?? []).filter(({ verdict }) => verdict !== 'AGREE').map(({ label }) => label),
  )
  const comments = appraisers.map((one) => one?.comment ?? '').join('')
  return improvements.map((one) => {
    const { about } = one
    const isJudged =
      about !== undefined &&
      (comments.includes(about.replace(FIELD_ENDING, '')) || corrected.some((label) => label.startsWith(`${about} `)))
    return isJudged ? { ...one, gainFen: 0 } : one
  })
}
