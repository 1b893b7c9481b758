import type { Kysely } from 'kysely'
import { CHINA_OFFSET_MS } from '@/contract/time'
import { databaseNow } from './db/now'
import type { Tables } from './db/tables'

/**
 * Business time: the database's, so that all processes agree whatever their machines' clocks say. Between two
 * measurements it goes on with the process's monotonic clock, which a wrong or corrected wall clock does not move.
 */
export interface Clock {
  /** ms since 1970 (integer), with what the sandbox added */
  now(): number
  /** the same without what the sandbox added: for signatures and for times told to or by others */
  realNow(): number
  /** Moves `now` forward (sandbox); lost at a restart. */
  advance(ms: number): void
  /**
   * Measures the database's time anew. Differences within the accuracy of a measurement change nothing, so time does not
   * jitter; before the first measurement the machine's clock counts.
   * @returns ms by which the clock was corrected, 0 for none
   */
  sync(db: Kysely<Tables>): Promise<number>
}

/** ms: smaller differences are left alone, and those that the answer's delay may explain */
const TOLERANCE = 250

/** @param real a clock of the caller's own instead of the database's (tests): `sync` changes nothing then */
export function createClock(real?: () => number): Clock {
  let advanced = 0
  /** what the time was when the monotonic clock stood at 0 */
  let zero = Date.now() - performance.now()
  const realNow = real ?? (() => Math.round(zero + performance.now()))
  return {
    now: () => realNow() + advanced,
    realNow,
    advance(ms) {
      advanced += ms
    },
    async sync(db) {
      if (real) return 0
      const asked = performance.now()
      const there = await databaseNow(db)
      const answered = performance.now()
      const measured = there - (asked + answered) / 2
      const difference = measured - zero
      if (Math.abs(difference) <= Math.max(TOLERANCE, answered - asked)) return 0
      zero = measured
      return Math.round(difference)
    },
  }
}

/** Day and time in China (UTC+8, no summer time), for order numbers and "per day" rules. */
export function chinaTime(at: number): { day: string; time: string; dayStart: number } {
  const iso = new Date(at + CHINA_OFFSET_MS).toISOString()
  const day = iso.slice(0, 10)
  return {
    day: day.replaceAll('-', ''),
    time: iso.slice(11, 19).replaceAll(':', ''),
    dayStart: Date.parse(day) - CHINA_OFFSET_MS,
  }
}

/** `2026-11-21` → its first ms in China; null for nothing, undefined for what is no day. */
export function dayStartOf(text: string): number | null | undefined {
  if (text === '') return null
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00+08:00`) : Number.NaN
  // 30 February would be 2 March
  return Number.isNaN(at) || chinaTime(at).day !== text.replaceAll('-', '') ? undefined : at
}
