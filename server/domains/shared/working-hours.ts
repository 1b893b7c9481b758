const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Appraisers work from 09:00 to 24:00 China time. */
const OPENS = 9 * HOUR
const CHINA = 8 * HOUR

/**
 * The moment by which `work` ms of working time (09:00–24:00, China) have passed since `from`.
 * @example paid at 23:30, two hours of work: due at 10:30 the next day
 */
export function workingTimeFrom(from: number, work: number): number {
  const dayStart = Math.floor((from + CHINA) / DAY) * DAY - CHINA
  const start = Math.max(from, dayStart + OPENS)
  const left = dayStart + DAY - start
  return work <= left ? start + work : workingTimeFrom(dayStart + DAY, work - left)
}

/** Whether people work at this moment. */
export const isOpen = (now: number): boolean => (now + CHINA) % DAY >= OPENS
