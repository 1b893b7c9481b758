/** Lengths of time in ms, and China's wall clock. */

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** China has one time zone without daylight saving time: add this to UTC and read the UTC fields. */
export const CHINA_OFFSET_MS = 8 * HOUR_MS

/** Day and time in China, whatever time zone the device or server is in: everyone reads the same day on a report. */
export function chinaDateTime(at: number): { day: string; time: string } {
  const text = new Date(at + CHINA_OFFSET_MS).toISOString()
  return { day: text.slice(0, 10), time: text.slice(11, 16) }
}
