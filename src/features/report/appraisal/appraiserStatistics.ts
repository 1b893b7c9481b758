import type { Report } from '@/contract/types'
import { humanCopy } from './copy'

export type ReportAppraiser = NonNullable<Report['appraiser']>

/** The appraisers of a manual report, first the one whose price it is. */
export const appraisersOf = ({ appraiser, others = [] }: Report): ReportAppraiser[] =>
  appraiser ? [appraiser, ...others] : []

/** Years, number of valuations, accuracy; unknown figures are omitted. */
export function statisticsOf({ years, delivered, sales = 0, medianGap }: ReportAppraiser): string[] {
  const head = [years > 0 && humanCopy.years(years), delivered !== undefined && humanCopy.delivered(delivered)]
  return [head.filter(Boolean).join(' · '), medianGap === undefined ? '' : humanCopy.gap(medianGap, sales)].filter(
    (line) => line !== '',
  )
}

/** The model's valuation included in a manual report, as a read-only `Report` for the components of computed reports. */
export function includedAiReport(report: Report): Report | undefined {
  const { ai, appraiser: _, others: __, other: ___, ...rest } = report
  if (!ai) return undefined
  const { breakdown, comparables, raise } = ai
  const counts = {
    breakdown: breakdown.length,
    comparables: comparables.length,
    history: 0,
    raise: raise.length,
  }
  return { ...rest, ...ai, mode: 'AI', status: 'UNLOCKED', mine: false, counts, history: [] }
}
