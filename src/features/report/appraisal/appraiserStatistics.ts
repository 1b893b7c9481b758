import { areApart, BARGAIN_PREFIX } from '@/contract/appraisal'
import type { AppraisalDetails, Report } from '@/contract/types'
import { humanCopy } from './copy'

export type ReportAppraiser = NonNullable<Report['appraiser']>

/** The one to three appraisers of a manual report. */
export const appraisersOf = ({ appraiser, second, third }: Report): ReportAppraiser[] =>
  [appraiser, second, third].filter((one) => one !== undefined)

/** Details of the appraisals of this version, and of those that the previous one still shows. */
export const appraisalsOf = (report: Report): { name: string; details: AppraisalDetails }[] => [
  ...appraisersOf(report).flatMap(({ name, work }) => (work ? [{ name, details: work }] : [])),
  ...(report.earlier ?? []).flatMap(({ name, work }) =>
    work ? [{ name: humanCopy.before(name), details: work }] : [],
  ),
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

const spans = ({ work }: ReportAppraiser, fen: number): boolean =>
  work !== undefined && work.quickFen <= fen && fen <= work.listFen

/** Whose advice on selling is written for the report's own price: nobody's, if that is the mean of two. */
function advisersOf(report: Report): ReadonlySet<ReportAppraiser> {
  const fen = report.price.predictFen
  const people = appraisersOf(report)
  const own = people.map(({ priceFen }) => priceFen)
  const exact = people.filter(({ priceFen }) => priceFen === fen)
  // the appraiser who decides between two distant prices writes a new appraisal for the decided one
  const rewritten = people.filter((one) => one.work && one.priceFen !== undefined && !spans(one, one.priceFen))
  const [first, second] = own
  const isMean = people.length === 2 && first !== undefined && second !== undefined && !areApart(first, second)
  const around = isMean || exact.length > 0 ? [] : people.filter((one) => spans(one, fen))
  return new Set([...exact, ...rewritten, ...(around.length === 1 ? around : [])])
}

/** For which price each of several appraisers wrote the advice on selling, by the names of `appraisalsOf`. */
export function adviceNotes(report: Report): Map<string, string[]> {
  const main = advisersOf(report)
  const { predictFen } = report.price
  const ownOf = ({ name, priceFen }: ReportAppraiser) =>
    priceFen === undefined ? [] : [humanCopy.adviceOwn(name, priceFen)]
  const people = appraisersOf(report)
  return new Map([
    ...people.map((one): [string, string[]] => [
      one.name,
      main.has(one)
        ? [humanCopy.adviceMain(predictFen)]
        : [...ownOf(one), ...(main.size > 0 || people.length < 2 ? [] : [humanCopy.adviceBetween(predictFen)])],
    ]),
    // advice with a structured plan names the amounts of the report's own price
    ...(report.earlier ?? []).map((one): [string, string[]] => [
      humanCopy.before(one.name),
      one.work?.floorFen === undefined ? ownOf(one) : [],
    ]),
  ])
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
