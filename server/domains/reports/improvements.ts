import type { AppraisalDetails, Report } from '@/contract/types'

type Improvements = NonNullable<Report['raise']>

/**
 * The model's advice on raising the price, as far as the appraisers have not said more about it: none beside their judgement
 * of binding, which names the gain of each step; without its amount where they corrected the line that it would change.
 */
export function improvementsBeside(
  improvements: Improvements,
  appraisals: readonly (Pick<AppraisalDetails, 'notes' | 'binding'> | undefined)[],
): Improvements {
  if (appraisals.some((one) => one?.binding)) return []
  const corrected = appraisals.flatMap((one) =>
    (one?.notes ?? []).filter(({ verdict }) => verdict !== 'AGREE').map(({ label }) => label),
  )
  return improvements.map((one) => {
    const isCorrected = one.about !== undefined && corrected.some((label) => label.startsWith(`${one.about} `))
    return isCorrected ? { ...one, gainFen: 0 } : one
  })
}
