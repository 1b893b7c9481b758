/** Durations in ms, and China's local time. */

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Offset of China's only time zone, which has no daylight saving time: add it to UTC and read the UTC fields. */
export const CHINA_OFFSET_MS = 8 * HOUR_MS

/**
 * Date and time in China, independent of the time zone of device or server, so that everyone reads the same date on a
 * report.
 */
export function chinaDateTime(at: number): { day: string; time: string } {
  const text = new Date(at + CHINA_OFFSET_MS).toISOString()
  return { day: text.slice(0, 10), time: text.slice(11, 16) }
}
