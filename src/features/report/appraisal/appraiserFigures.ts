import type { Report } from '@/contract/types'
import { humanCopy } from './copy'

export type ReportAppraiser = NonNullable<Report['appraiser']>
export type AppraiserRecord = NonNullable<ReportAppraiser['work']>

/** The one to three appraisers of a manual report. */
export const appraisersOf = ({ appraiser, second, third }: Report): ReportAppraiser[] =>
  [appraiser, second, third].filter((one) => one !== undefined)

/** Work records of these appraisers and of those of the previous version, where one was required. */
export const appraiserRecords = (report: Report): { name: string; work: AppraiserRecord }[] => [
  ...appraisersOf(report).flatMap(({ name, work }) => (work ? [{ name, work }] : [])),
  ...(report.earlier ?? []).flatMap(({ name, work }) => (work ? [{ name: humanCopy.before(name), work }] : [])),
]

/** Years, number of valuations, accuracy; unknown figures are omitted, except that missing sales are mentioned. */
export function figuresOf({ years, delivered, sales = 0, medianGap }: ReportAppraiser): string[] {
  const head = [years > 0 && humanCopy.years(years), delivered !== undefined && humanCopy.delivered(delivered)]
  return [
    head.filter(Boolean).join(' · '),
    medianGap === undefined ? humanCopy.noSales : humanCopy.gap(medianGap, sales),
  ].filter((line) => line !== '')
}

/** The model's valuation included in a manual report, as a read-only `Report` for the components of computed reports. */
export function includedAiReport(report: Report): Report | undefined {
  const { ai, appraiser: _, second: __, third: ___, earlier: ____, other: _____, ...rest } = report
  if (!ai) return undefined
  const { breakdown, topItems, comparables, raise } = ai
  const counts = {
    breakdown: breakdown.length,
    topItems: topItems.length,
    comparables: comparables.length,
    history: 0,
    raise: raise.length,
  }
  return { ...rest, ...ai, mode: 'AI', status: 'UNLOCKED', mine: false, counts, history: [] }
}
