import { count, dateText } from '@/contract/format'
import { DAY_MS } from '@/contract/time'
import type { Report } from '@/contract/types'
import type { PageMeta } from '@/platform/meta/port'
import { buildUrl } from '@/router/params'
import { appraisersOf } from './appraisal/appraiserStatistics'
import { copy } from './copy'

/** ms by which the server's time, known from its Date header, may be wrong here */
const CLOCK_TOLERANCE = 60_000

/** Names of the locked parts of a report, without empty ones. */
export function lockedParts({ status, counts }: Pick<Report, 'status' | 'counts'>): string[] {
  if (status !== 'LOCKED') return []
  const parts: [number, (n: number) => string][] = [
    [counts.breakdown, copy.lockedBreakdown],
    [counts.comparables, copy.lockedComparables],
    [counts.raise, copy.lockedRaise],
    [counts.history, copy.lockedHistory],
  ]
  return [...parts.filter(([n]) => n > 0).map(([n, say]) => say(n)), copy.risk]
}

/** Breakdown lines that are counted but not in the response. */
export const hiddenLines = ({ breakdown, counts }: Pick<Report, 'breakdown' | 'counts'>) =>
  Math.max(0, counts.breakdown - breakdown.length)

/**
 * Preview of a shared report (spec §1). Only the owner has a token; without one the share links to the product.
 */
export const shareMeta = ({ reportNo, shareToken, title }: Report, image: string | undefined): PageMeta => ({
  title: copy.title,
  shareTitle: copy.shareTitle,
  description: title,
  image,
  url: shareToken && buildUrl('reportWxIframe', { reportNo, shareToken }),
})

/**
 * Validity of 7 days. The server's EXPIRED wins over this device's clock, which may be wrong.
 */
export function validity({ status, validUntil }: Pick<Report, 'status' | 'validUntil'>, now: number) {
  const expired = status === 'EXPIRED' || validUntil <= now
  const days = (validUntil - now - CLOCK_TOLERANCE) / DAY_MS
  return { expired, text: expired ? copy.expired : days <= 1 ? copy.lastDay : copy.daysLeft(Math.ceil(days)) }
}

/** Whether the owner may share it; an expired or withdrawn report is not shared any more. */
export const canShare = (report: Pick<Report, 'status' | 'validUntil'>, now: number) =>
  !validity(report, now).expired && report.status !== 'REVOKED'

/** Facts about the model, one per line. */
export function modelLines({ model }: Pick<Report, 'model'>): string[] {
  if (!model) return []
  return [copy.modelName(model.name, count(model.sampleN)), copy.modelTrained(dateText(model.trainedAt))]
}

/** Label of computed reports (AI-generated content). */
export function originLabel({ mode, aiGenerated }: Pick<Report, 'mode' | 'aiGenerated'>): string {
  if (mode === 'MANUAL') return copy.manualLabel
  return aiGenerated ? copy.aiLabel : copy.modelLabel
}

/** The comparables that the appraisers of a manual report let stand; undefined for a computed one. */
export function adoptedComparables(report: Report): Report['comparables'] {
  const appraisers = appraisersOf(report)
  if (appraisers.length === 0) return undefined
  const struck = new Set(appraisers.flatMap(({ work }) => work.struck.map(({ id }) => id)))
  return report.ai?.comparables.filter(({ id }) => !struck.has(id)) ?? []
}

/** names of fields for and against the difference; more would fill the card */
const MAX_GAP_LABELS = 2

/** Why the price departs from the comparables', in one sentence: what speaks for the difference, then what against it. */
export function gapText(
  { medianFen, better, worse }: NonNullable<Report['gap']>,
  predictFen: number,
  mine: boolean,
): string {
  const share = predictFen / medianFen - 1
  const listed = (labels: readonly string[]) => labels.slice(0, MAX_GAP_LABELS).join('、')
  const [main, less] = (share > 0 ? [better, worse] : [worse, better]).map(listed)
  if (!main) return `${copy.gap(medianFen, share)}${copy.gapAll}。`
  const why = (share > 0 ? copy.gapBetter : copy.gapWorse)(mine, main)
  return `${copy.gap(medianFen, share)}${why}${less ? copy.gapBut(less, share < 0) : ''}。`
}

type BreakdownLine = Report['breakdown'][number]

/** Lines by the size of their effect, whether they add or take away; equal ones keep the server's order. */
export const largestFirst = (lines: readonly BreakdownLine[]): BreakdownLine[] =>
  [...lines].sort((a, b) => Math.abs(b.amountFen) - Math.abs(a.amountFen))

/** a reason that this many lines share is shown once for all of them */
const MIN_SHARED_REASONS = 3

export function sharedReason(lines: readonly BreakdownLine[]): string | undefined {
  const lists = lines.map(({ why }) => lines.filter((line) => line.why && line.why === why))
  return lists.find((same) => same.length >= MIN_SHARED_REASONS)?.[0]?.why
}
