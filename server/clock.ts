/** Business time. Real unless the sandbox moved it; signatures and logs always use the real one. */
export interface Clock {
  /** ms since 1970 */
  now(): number
  /** Moves the clock forward (sandbox); lost at a restart. */
  advance(ms: number): void
}

export function createClock(real: () => number = Date.now): Clock {
  let offset = 0
  return {
    now: () => real() + offset,
    advance(ms) {
      offset += ms
    },
  }
}

/** Day and time in China (UTC+8, no summer time), for order numbers and "per day" rules. */
export function chinaTime(at: number): { day: string; time: string; dayStart: number } {
  const shift = 8 * 3_600_000
  const iso = new Date(at + shift).toISOString()
  const day = iso.slice(0, 10)
  return {
    day: day.replaceAll('-', ''),
    time: iso.slice(11, 19).replaceAll(':', ''),
    dayStart: Date.parse(day) - shift,
  }
}
