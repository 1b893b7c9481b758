import { DAY_MS } from '@/contract/time'

/** How long a report stays valid, ms; its order then becomes EXPIRED (AI) or DONE, see orders/deadlines.ts. */
export const REPORT_LIFETIME_MS = 7 * DAY_MS
