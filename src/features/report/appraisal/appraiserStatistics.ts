import { BARGAIN_PREFIX } from '@/contract/appraisal'
import type { AppraisalDetails, Report } from '@/contract/types'
import { humanCopy } from './copy'

export type ReportAppraiser = NonNullable<Report['appraiser']>

/** The one to three appraisers of a manual report. */
export const appraisersOf = ({ appraiser, second, third }: Report): ReportAppraiser[] =>
  [appraiser, second, third].filter((one) => one !== undefined)

/** Details of the appraisals of this version, and of those that the previous one still shows. */
export const appraisalsOf = (report: Report): { name: string; details: AppraisalDetails }[] => [
  ...appraisersOf(report).map(({ name, work }) => ({ name, details: work })),
  ...(report.earlier ?? []).map(({ name, work }) => ({ name: humanCopy.before(name), details: work })),
]

/** An answer to a buyer who offers less. */
export const isBargain = ({ channel }: { channel: string }) => channel.startsWith(BARGAIN_PREFIX)

type Advice = AppraisalDetails['advice'][number]

/** What appraisers wrote under one name. */
export interface ChannelAdvice {
  channel: string
  ways: (Advice & { name: string })[]
}

const isSame = (a: Advice, b: Advice) => a.how === b.how && a.feeBp === b.feeBp

/** How much less is left than through the best channel; the largest number where nothing is known. */
const lessOf = ({ ways }: ChannelAdvice) =>
  Math.min(...ways.map(({ netFen, lessFen = 0 }) => (netFen === undefined ? Number.MAX_SAFE_INTEGER : lessFen)))

/**
 * Advice of all appraisers together by channel or argument: channels first, the one that leaves most at the top; what two
 * wrote in the same words is there once.
 */
export function combinedAdvice(
  appraisals: readonly { name: string; details: Pick<AppraisalDetails, 'advice'> }[],
): ChannelAdvice[] {
  const all = appraisals.flatMap(({ name, details }) => details.advice.map((one) => ({ ...one, name })))
  return [...new Set(all.map(({ channel }) => channel))]
    .map((channel) => {
      const written = all.filter((one) => one.channel === channel)
      return { channel, ways: written.filter((one, i) => written.findIndex((other) => isSame(other, one)) === i) }
    })
    .sort((a, b) => lessOf(a) - lessOf(b) || Number(isBargain(a)) - Number(isBargain(b)))
}

/** Years, number of valuations, accuracy; unknown figures are omitted, except that missing sales are mentioned. */
export function statisticsOf({ years, delivered, sales = 0, medianGap }: ReportAppraiser): string[] {
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
