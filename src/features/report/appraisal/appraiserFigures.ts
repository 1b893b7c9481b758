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

/** Whose advice on selling is written for the report's own price; undefined: nobody's, the price is a mean. */
function adviserOf(report: Report): ReportAppraiser | undefined {
  const fen = report.price.predictFen
  const people = appraisersOf(report)
  const exact = people.find(({ priceFen }) => priceFen === fen)
  // whoever settled two distant prices wrote the work anew, around the settled one
  const around = people.filter(({ work }) => work && work.quickFen <= fen && fen <= work.listFen)
  return exact ?? (around.length === 1 ? around[0] : undefined)
}

/** For which price each of several appraisers wrote the advice on selling, by the names of `appraiserRecords`. */
export function adviceNotes(report: Report): Map<string, string[]> {
  const main = adviserOf(report)
  const { predictFen } = report.price
  const ownOf = ({ name, priceFen }: ReportAppraiser) =>
    priceFen === undefined ? [] : [humanCopy.adviceOwn(name, priceFen)]
  const people = appraisersOf(report)
  return new Map([
    ...people.map((one): [string, string[]] => [
      one.name,
      one === main
        ? [humanCopy.adviceMain(predictFen)]
        : [...ownOf(one), ...(main || people.length < 2 ? [] : [humanCopy.adviceBetween(predictFen)])],
    ]),
    ...(report.earlier ?? []).map((one): [string, string[]] => [humanCopy.before(one.name), ownOf(one)]),
  ])
}

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
