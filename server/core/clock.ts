import type { Kysely } from 'kysely'
import { CHINA_OFFSET_MS, chinaDateTime } from '@/contract/time'
import { databaseNow } from '../db/now'
import type { DB } from '../db/tables'
import type { Logger } from './log'

/**
 * ms by which the clocks of processes may differ. What a limit has counted at a time further ahead was counted while a
 * clock was wrong, and must not refuse until that time comes.
 */
export const CLOCK_TOLERANCE_MS = 60_000

/** ms: smaller differences are ignored, and those that the round trip may explain */
const TOLERANCE = 250
/** ms: a deviation of the machine's clock that the operator should check */
const ALARM_FROM = 60_000

export type Clock = ReturnType<typeof createClock>

/**
 * Business time: the database's, so that all processes agree whatever their machines' clocks say. Between two
 * measurements it advances with the process's monotonic clock, which changes of the wall clock do not affect.
 * @param real a clock used instead of the database's (tests): `sync` then changes nothing
 */
export function createClock(real?: () => number) {
  let advanced = 0
  /** time at which the monotonic clock was 0 */
  let zero = Date.now() - performance.now()
  const realNow = real ?? (() => Math.round(zero + performance.now()))
  return {
    /** ms since 1970 (integer), including the sandbox's offset */
    now: () => realNow() + advanced,
    /** ms since 1970 without the sandbox's offset: for signatures and for times exchanged with other systems */
    realNow,
    /** Moves `now` forward (sandbox); not persistent. */
    advance(ms: number) {
      advanced += ms
    },
    /**
     * Measures the database's time. Differences within the measurement's accuracy are ignored, so that time does not
     * jitter; others are logged. Nothing may be decided before the first measurement, and nothing that depends on the time
     * after one that failed: the machine's clock may be wrong.
     * @throws the database's error
     */
    async sync(db: Kysely<DB>, log: Pick<Logger, 'warn' | 'error'>): Promise<void> {
      if (real) return
      const sentAt = performance.now()
      const there = await databaseNow(db)
      const answered = performance.now()
      const measured = there - (sentAt + answered) / 2
      const difference = measured - zero
      if (Math.abs(difference) <= Math.max(TOLERANCE, answered - sentAt)) return
      zero = measured
      // the machine's clock is wrong, or the database's has jumped
      const alarm = Math.abs(difference) >= ALARM_FROM
      const correctedMs = Math.round(difference)
      log[alarm ? 'error' : 'warn']({ correctedMs, alarm }, 'the clock was set by the database')
    },
  }
}

/** Start of a moment's day in China, ms: for limits per day. */
export const chinaDayStart = (at: number): number => Date.parse(chinaDateTime(at).day) - CHINA_OFFSET_MS

/** `20261121` and `195800`, a moment in China without separators: for numbers of orders and names of files. */
export function compactChinaTime(at: number): { day: string; time: string } {
  const digits = new Date(at + CHINA_OFFSET_MS).toISOString().replace(/\D/g, '')
  return { day: digits.slice(0, 8), time: digits.slice(8, 14) }
}

/** `2026-11-21` → start of that day in China, ms; null for an empty text, undefined for an invalid date. */
export function parseChinaDay(text: string): number | null | undefined {
  if (text === '') return null
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00+08:00`) : Number.NaN
  // 30 February would become 2 March
  return Number.isNaN(at) || chinaDateTime(at).day !== text ? undefined : at
}
