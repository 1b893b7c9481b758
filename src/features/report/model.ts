import type { Report } from '@/contract/types'
import type { PageMeta } from '@/platform/meta/port'
import { buildUrl } from '@/router/params'
import { appraisersOf } from './appraisal/appraiserStatistics'
import { copy } from './copy'

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

/** Whether its 7 days are over. The server's EXPIRED wins over this device's clock, which may be wrong. */
export const isExpired = ({ status, validUntil }: Pick<Report, 'status' | 'validUntil'>, now: number) =>
  status === 'EXPIRED' || validUntil <= now

/** Whether the owner may share it; an expired or withdrawn report is not shared any more. */
export const canShare = (report: Pick<Report, 'status' | 'validUntil'>, now: number) =>
  !isExpired(report, now) && report.status !== 'REVOKED'

/** The comparables drawn on the band: of a manual report those that its appraisers let stand. */
export function shownComparables(report: Report): NonNullable<Report['comparables']> {
  const appraisers = appraisersOf(report)
  if (appraisers.length === 0) return report.comparables ?? []
  const struck = new Set(appraisers.flatMap(({ work }) => work.struck.map(({ id }) => id)))
  return report.ai?.comparables.filter(({ id }) => !struck.has(id)) ?? []
}

/** Why the price departs from the comparables', in one sentence. */
export function gapText({ medianFen, better, worse }: NonNullable<Report['gap']>, predictFen: number): string {
  const higher = predictFen > medianFen
  const [why] = higher ? better : worse
  return copy.gap(higher, why?.replace(/（(.+)）/, '$1'))
}
