/** Formatting of numbers and times. Pure, except for a warning about invalid values. */
import { chinaDateTime } from './time'

export const MISSING = '—'

type Maybe = number | null | undefined

/** Whether a value can be shown; others are logged, so that the bug is found before users notice it. */
function isShowable(value: Maybe, what: string): value is number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return true
  console.warn(`format: ${what} got ${String(value)}`)
  return false
}

/** A number ≥ 0 with its thousands separated: `1,234`, `1,234.50`. */
function grouped(number: number | string): string {
  return String(number).replace(/\B(?=(?:\d{3})+\b)/g, ',')
}

/** Rounds an amount ≥ 0 half up. */
function roundTo(value: number, step: number): number {
  return Math.floor(value / step + 0.5) * step
}

/** Whole fen in yuan as payment providers expect it: `1234.50`. */
export const decimalYuan = (fen: number): string => (fen / 100).toFixed(2)

/** The value of an input field in yuan, without decimals if they are 0; empty without an amount. */
export const yuanInput = (fen: Maybe): string => (typeof fen === 'number' ? decimalYuan(fen).replace(/\.00$/, '') : '')

/** Fen rounded to whole yuan, still in fen. */
export const roundToYuan = (fen: number): number => 100 * Math.round(fen / 100)

const exactYuan = (fen: number): string => `¥${grouped(decimalYuan(Math.round(fen)))}`

/** A price to pay, from fen: `¥19.90`; `—` if missing. */
export function yuan(fen: Maybe): string {
  return isShowable(fen, 'yuan') ? exactYuan(fen) : MISSING
}

/** The lowest of several prices, from fen: `¥19.90 起`. */
export const fromYuan = (fen: Maybe): string => `${yuan(fen)} 起`

/** An exact amount, from fen, without decimals if they are 0: `¥3`, `¥19.90`. */
export function shortYuan(fen: Maybe): string {
  return yuan(fen).replace(/\.00$/, '')
}

/** The price on a button or label: `免费` for zero, else as `yuan`. */
export function priceOrFree(fen: Maybe): string {
  return fen === 0 ? '免费' : yuan(fen)
}

/** A signed part of a price: `+¥45.54`, `−¥141.00`. Negative amounts are valid here. */
export function signedYuan(fen: Maybe): string {
  if (typeof fen !== 'number' || !Number.isFinite(fen)) return yuan(Number.NaN)
  return `${fen < 0 ? '−' : '+'}${exactYuan(Math.abs(fen))}`
}

/** A signed amount in running text, without decimals if they are 0: `+¥45.54`, `−¥141`. Columns keep them. */
export const signedShortYuan = (fen: Maybe): string => signedYuan(fen).replace(/\.00$/, '')

/** Yuan rounded as in an estimate: to ¥1, from 1 万 to ¥10, from 10 万 to ¥100. */
function shownYuan(fen: number): number {
  const value = fen / 100
  return roundTo(value, value >= 100_000 ? 100 : value >= 10_000 ? 10 : 1)
}

/** An estimate, from fen: rounded to ¥1, from 1 万 to ¥10, from 10 万 to ¥100. */
export function estimate(fen: Maybe): string {
  return isShowable(fen, 'estimate') ? `¥${grouped(shownYuan(fen))}` : MISSING
}

/** Difference of two estimates, computed from the rounded amounts as shown, so that readers get the same result. */
export function estimateGap(a: number, b: number): string {
  return `¥${grouped(Math.abs(shownYuan(a) - shownYuan(b)))}`
}

/** `¥1,930 – ¥2,790`; `—` if an end is missing or they are in the wrong order. */
export function estimateRange(lowFen: Maybe, highFen: Maybe): string {
  if (!isShowable(lowFen, 'range') || !isShowable(highFen, 'range') || lowFen > highFen) return MISSING
  return `${estimate(lowFen)} – ${estimate(highFen)}`
}

/** A fraction as per cent: 0.064 → `6.4%`, 0.8 → `80.0%`, without digits `80%`. */
export function percent(fraction: Maybe, digits = 1): string {
  if (!isShowable(fraction, 'percent')) return MISSING
  const scale = 10 ** digits
  // fixed number of decimals, so that figures in a column align
  return `${(roundTo(fraction * 100 * scale, 1) / scale).toFixed(digits)}%`
}

/** A share in tenths if it is a multiple of one: 0.8 → `八成`; else as `percent` without decimals. */
export function tenthsText(fraction: Maybe): string {
  const n = typeof fraction === 'number' ? Math.round(fraction * 1000) / 100 : 0
  return Number.isInteger(n) && n >= 1 && n <= 9 ? `${'一二三四五六七八九'[n - 1]}成` : percent(fraction, 0)
}

/** The game's name, with which the title of a report or order begins (`王者荣耀 · 安卓微信 · V8`). */
export const gameOfTitle = (title: string): string => title.split(' · ')[0] ?? title

/** Rank among sold accounts: `超过 93% 的王者荣耀账号`. */
export const percentileText = (share: number, title: string): string =>
  `超过 ${percent(share, 0)} 的${gameOfTitle(title)}账号`

/** A count with thousands separators. */
export function count(value: Maybe): string {
  return isShowable(value, 'count') ? grouped(Math.round(value)) : MISSING
}

/** Whether a time is given and within the limits of `Date`. */
export function isTime(at: Maybe): at is number {
  return isShowable(at, 'time') && at <= 8e15
}

/** `2025-06-07` from ms. */
export function dateText(at: Maybe): string {
  return isTime(at) ? chinaDateTime(at).day : MISSING
}

/** Elapsed minutes as text: `刚刚`, `5分钟前`, `3小时前`, `2天前`. */
export function minutesAgo(minutes: Maybe): string {
  if (!isShowable(minutes, 'minutes')) return MISSING
  if (minutes < 1) return '刚刚'
  if (minutes < 60) return `${Math.floor(minutes)}分钟前`
  return minutes < 1440 ? `${Math.floor(minutes / 60)}小时前` : `${Math.floor(minutes / 1440)}天前`
}

/** A duration as text, from seconds: `约 40 秒`, `约 1 分钟`. */
export function aboutSeconds(seconds: Maybe): string {
  if (!isShowable(seconds, 'seconds')) return MISSING
  return seconds < 60 ? `约 ${Math.ceil(seconds)} 秒` : `约 ${Math.round(seconds / 60)} 分钟`
}

/** maximum seconds of an AI report for any game; where the game is known its own `estSeconds` is shown */
const AI_SECONDS = 60
/** Time until an AI report, before a game has been chosen. */
export const aiTimeText = aboutSeconds(AI_SECONDS)

const TILE_COLOURS = 10

/** Tile colour of a game, the same in the app and in pictures drawn by the server; chosen by us, not by the game. */
export function tileColour(gameId: string): number {
  let h = 16
  for (const c of gameId) h = (h * 3 + c.charCodeAt(0)) % 9973
  return h % TILE_COLOURS
}
