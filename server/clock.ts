import type { Kysely } from 'kysely'
import { CHINA_OFFSET_MS } from '@/contract/time'
import { databaseNow } from './db/now'
import type { Tables } from './db/tables'

/**
 * Business time: the database's, so that all processes agree whatever their machines' clocks say. Between two
 * measurements it advances with the process's monotonic clock, which changes of the wall clock do not affect.
 */
export interface Clock {
  /** ms since 1970 (integer), including the sandbox's offset */
  now(): number
  /** the same without the sandbox's offset: for signatures and for times exchanged with other systems */
  realNow(): number
  /** Moves `now` forward (sandbox); not persistent. */
  advance(ms: number): void
  /**
   * Measures the database's time. Differences within the measurement's accuracy are ignored, so that time does not
   * jitter; before the first measurement the machine's clock is used.
   * @returns ms by which the clock was corrected, 0 for none
   */
  sync(db: Kysely<Tables>): Promise<number>
}

/** ms: smaller differences are ignored, and those that the round trip may explain */
const TOLERANCE = 250

/** @param real a clock used instead of the database's (tests): `sync` then changes nothing */
export function createClock(real?: () => number): Clock {
  let advanced = 0
  /** time at which the monotonic clock was 0 */
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

/** Date and time in China (UTC+8, no daylight saving time), for order numbers and limits per day. */
export function chinaTime(at: number): { day: string; time: string; dayStart: number } {
  const iso = new Date(at + CHINA_OFFSET_MS).toISOString()
  const day = iso.slice(0, 10)
  return {
    day: day.replaceAll('-', ''),
    time: iso.slice(11, 19).replaceAll(':', ''),
    dayStart: Date.parse(day) - CHINA_OFFSET_MS,
  }
}

/** `2026-11-21` → start of that day in China, ms; null for an empty text, undefined for an invalid date. */
export function dayStartOf(text: string): number | null | undefined {
  if (text === '') return null
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00+08:00`) : Number.NaN
  // 30 February would become 2 March
  return Number.isNaN(at) || chinaTime(at).day !== text.replaceAll('-', '') ? undefined : at
}
