import { sql } from 'kysely'
import { DAY_MS } from '@/contract/time'

/** How long a report stays valid, ms; its order then becomes EXPIRED if a computed report is still locked, otherwise DONE (orders/deadlines.ts). */
export const REPORT_LIFETIME_MS = 7 * DAY_MS

/** When an order's report expires, ms. */
export const reportValidUntil = (reportedAt: number): number => reportedAt + REPORT_LIFETIME_MS

/** Whether an order has a report that is still valid. @param now ms */
export const isReportValid = (reportedAt: number | null, now: number): boolean =>
  reportedAt !== null && reportValidUntil(reportedAt) > now

/** `isReportValid` as SQL over `orders`. */
export const hasValidReport = (now: number) => sql<boolean>`orders.reported_at > ${now - REPORT_LIFETIME_MS}::bigint`
