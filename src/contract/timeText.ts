/** Formatting of times, always in China's time zone. */
import { isTime, MISSING } from './format'
import { chinaDateTime, DAY_MS } from './time'

type Maybe = number | null | undefined

/** `10:24` from ms. */
export function timeText(at: Maybe): string {
  return isTime(at) ? chinaDateTime(at).time : MISSING
}

/** `2025-06-07 10:24` from ms. */
export function dateTimeText(at: Maybe): string {
  return isTime(at) ? `${chinaDateTime(at).day} ${chinaDateTime(at).time}` : MISSING
}

/**
 * A time as in everyday language, from ms: `今天 19:58`, `昨天 09:00`, `明天 09:00`, `11月25日 10:24`, with the year if it is
 * another one. Days are China's.
 */
export function momentText(at: Maybe, now: number): string {
  return isTime(at) ? `${dayText(at, now)} ${chinaDateTime(at).time}` : MISSING
}

/** The day of a time, from ms: `今天`, `昨天`, `明天`, `11月25日`, with the year if it is another one. */
export function dayText(at: number, now: number): string {
  const { day } = chinaDateTime(at)
  const apart = (Date.parse(day) - Date.parse(chinaDateTime(now).day)) / DAY_MS
  const named = ['昨天', '今天', '明天'][apart + 1]
  if (named) return named
  const [year, month, date] = day.split('-')
  const plain = `${Number(month)}月${Number(date)}日`
  return year === chinaDateTime(now).day.slice(0, 4) ? plain : `${year}年${plain}`
}

/** The day of a past time, from ms: `今天`, `昨天`, `11月25日`; never shown as future, even if clocks differ. */
export const pastDayText = (at: number, now: number): string => dayText(at, Math.max(now, at))

/** A past time like `momentText`; never shown as future, even if clocks differ. */
export const momentInPastText = (at: Maybe, now: number): string => momentText(at, Math.max(now, at ?? 0))

/** Remaining time, from ms: `14:32`, with hours `23:10:05`; `00:00` if it has passed. */
export function countdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil((Number.isFinite(leftMs) ? leftMs : 0) / 1000))
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const rest = `${two((seconds % 3600) / 60)}:${two(seconds % 60)}`
  return seconds < 3600 ? rest : `${two(seconds / 3600)}:${rest}`
}
