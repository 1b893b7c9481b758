import { DAY_MS } from '@/contract/time'

/**
 * ms that records of orders and payments are kept (events, providers' messages, the desk's log): five years; the
 * E-Commerce Law (art. 31) requires three from the end of a transaction.
 */
export const RECORDS_KEPT_MS = 5 * 366 * DAY_MS
