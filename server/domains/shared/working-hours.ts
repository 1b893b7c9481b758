import { SERVICE_OPENS_HOUR } from '@/contract/appraisal'
import { CHINA_OFFSET_MS, DAY_MS, HOUR_MS } from '@/contract/time'

/** Appraisers work from 09:00 to 24:00 China time. */
const OPENS = SERVICE_OPENS_HOUR * HOUR_MS

/**
 * The time at which `work` ms of working time (09:00–24:00, China) have passed since `from`.
 * @example paid at 23:30, two hours of work: due at 10:30 the next day
 */
export function workingTimeFrom(from: number, work: number): number {
  const dayStart = Math.floor((from + CHINA_OFFSET_MS) / DAY_MS) * DAY_MS - CHINA_OFFSET_MS
  const start = Math.max(from, dayStart + OPENS)
  const left = dayStart + DAY_MS - start
  return work <= left ? start + work : workingTimeFrom(dayStart + DAY_MS, work - left)
}

/** ms of working time (09:00–24:00, China) between two times; 0 when `to` is not after `from`. */
export function workingTimeBetween(from: number, to: number): number {
  if (to <= from) return 0
  const dayStart = Math.floor((from + CHINA_OFFSET_MS) / DAY_MS) * DAY_MS - CHINA_OFFSET_MS
  const start = Math.max(from, dayStart + OPENS)
  const end = Math.min(to, dayStart + DAY_MS)
  return Math.max(0, end - start) + workingTimeBetween(dayStart + DAY_MS, to)
}

/** Whether it is working time. */
export const isWithinWorkingHours = (now: number): boolean => (now + CHINA_OFFSET_MS) % DAY_MS >= OPENS
