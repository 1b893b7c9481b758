import { shortYuan } from '@/contract/format'
import { CHINA_OFFSET_MS, chinaDateTime, HOUR_MS, MINUTE_MS } from '@/contract/time'

/** Formats of money and time at the desk. */

/** fen → `¥1,234.50` or `-¥3`, without the cents when there are none */
export function yuan(fen: number): string {
  return `${fen < 0 ? '-' : ''}${shortYuan(Math.abs(fen))}`
}

/** ms → `11-23 10:05` in China */
export const formatTime = (at: number): string =>
  new Date(at + CHINA_OFFSET_MS).toISOString().slice(5, 16).replace('T', ' ')

/** ms → `2026-11-23` in China */
export const dayOf = (at: number): string => chinaDateTime(at).day

function duration(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS)
  return hours > 0 ? `${hours} 小时 ${Math.floor((ms % HOUR_MS) / MINUTE_MS)} 分` : `${Math.floor(ms / MINUTE_MS)} 分钟`
}

/** Time left until `at`, or that it has passed. */
export const formatRemaining = (at: number, now: number): string =>
  at > now ? `还剩 ${duration(at - now)}` : `已超时 ${duration(now - at)}`

/** How long somebody has waited since `at`. */
export const waited = (at: number, now: number): string => `已等 ${duration(Math.max(0, now - at))}`

/** Parses a price typed in yuan into fen; undefined when invalid. A ¥ and commas between thousands are allowed: 5,50 is not 550. */
export function parseYuanInput(text: string): number | undefined {
  const amount = /^[¥￥]?\s?(\d{1,9}|\d{1,3}(?:[,，]\d{3}){1,2})(?:\.(\d{1,2}))?$/.exec(text.trim())
  const [, whole, cents = ''] = amount ?? []
  return whole === undefined ? undefined : Number(whole.replace(/[,，]/g, '')) * 100 + Number(cents.padEnd(2, '0'))
}

/** Parses a signed amount typed in yuan into fen; undefined when invalid. */
export function parseSignedYuan(text: string): number | undefined {
  const [, sign = '', amount = ''] = /^([-−－+]?)(.*)$/s.exec(text.trim()) ?? []
  const fen = parseYuanInput(amount)
  return fen !== undefined && sign !== '' && sign !== '+' ? -fen : fen
}
