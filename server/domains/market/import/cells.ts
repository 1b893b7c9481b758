/** Numbers and dates as spreadsheets and Chinese systems write them in CSV. */
import { DAY_MS, HOUR_MS } from '@/contract/time'

/** full-width digits, commas and signs are the same as ASCII ones */
const plain = (text: string): string => text.normalize('NFKC').trim()

const AMOUNT = /^([¥￥]|RMB|CNY)?\s*(\d+(?:,\d{3})*|\d+)(\.\d+)?\s*(万)?\s*(元)?$/i
const FEN = 100

/** A price in fen: a plain number is fen already, one with ¥, 万 or 元 is yuan. undefined: no such number. */
export function fenOf(text: string): number | undefined {
  const [, sign, whole = '', part = '', tenThousand, yuan] = AMOUNT.exec(plain(text)) ?? []
  if (whole === '') return undefined
  const isYuan = [sign, tenThousand, yuan].some((part) => part !== undefined)
  const value = Number(whole.replaceAll(',', '') + part) * (tenThousand ? 10_000 : 1) * (isYuan ? FEN : 1)
  // the product of a decimal number is off by less than this
  const rounded = Math.round(value)
  return Math.abs(value - rounded) < 1e-6 ? rounded : undefined
}

/** China's offset from UTC; it has no summer time */
const OFFSET = 8 * HOUR_MS
/** day 0 of Excel, and the days of 1982 to 2119: other numbers are no dates */
const EXCEL_START = Date.UTC(1899, 11, 30)
const EXCEL_DAYS = { from: 30_000, until: 80_000 } as const
const DATE = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

/** A time in ms: itself, a date with or without a time of day in China, or a serial number of Excel. undefined: no time. */
export function timeOf(text: string): number | undefined {
  const given = plain(text)
  if (/^\d+(\.\d+)?$/.test(given)) {
    const number = Number(given)
    const isSerial = number >= EXCEL_DAYS.from && number < EXCEL_DAYS.until
    if (isSerial) return Math.round((EXCEL_START + number * DAY_MS - OFFSET) / 1000) * 1000
    return Number.isInteger(number) ? number : undefined
  }
  const found = DATE.exec(given)
  if (!found) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0))
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && date.getUTCHours() === hour
  return isReal ? date.getTime() - OFFSET : undefined
}

/** A number that Excel has cut to a few digits. */
export const isScientific = (text: string): boolean => /^\d(\.\d+)?E[+-]?\d+$/i.test(plain(text))
