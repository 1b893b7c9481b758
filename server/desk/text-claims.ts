/** What an appraiser's texts claim: amounts, prices to list at, gains from mending, moments. */
import { DAY_MS } from '@/contract/time'
import { chinaDayStart, parseChinaDay } from '../clock'
import { parseYuanInput } from './format'

/** The digits from the first one on: tried from every digit, a long number would take quadratic time. */
const AMOUNT = String.raw`¥\s*[\d,]+(?:\.\d+)?|(?<![\d,])[\d,]+(?:\.\d+)?\s*元`
const ANY_AMOUNT = new RegExp(AMOUNT, 'g')
const LISTED_AT = new RegExp(String.raw`(?:挂牌价?|标价|挂)(?:出|到|在|为|是|写|约)?\s*(${AMOUNT})`, 'g')
/** From the words for mending something before the sale to the end of the sentence. */
const MENDED = /(?:解绑|解除|换绑|换下|改绑|二次实名|实名变更|改好|办好|处理好|补齐|做完)[^。；;\n]*/g
const SOLD_FOR = new RegExp(
  String.raw`(?:多卖|多拿|能卖|可卖|卖到?|涨到?|回到?|愿意按|值)(?:出|到|约|大约)*\s*(${AMOUNT})`,
  'g',
)

const fenOf = (amount: string): number[] => {
  const fen = parseYuanInput(amount.replace(/[¥元\s]/g, ''))
  return fen === undefined ? [] : [fen]
}
const captured = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].flatMap(([, amount = '']) => fenOf(amount))

/** Amounts written in a text, fen. */
export const amountsIn = (text: string): number[] => (text.match(ANY_AMOUNT) ?? []).flatMap(fenOf)

/** Prices at which a text says to list, fen. */
export const listPricesIn = (text: string): number[] => captured(text, LISTED_AT)

/** Gains, or prices, that a text names for the account after something has been mended, fen. */
export const mendedAmountsIn = (text: string): number[] =>
  (text.match(MENDED) ?? []).flatMap((sentence) => captured(sentence, SOLD_FOR))

const DIGITS = '零一二三四五六七八九'
const UNITS: Record<string, number> = { 天: 1, 周: 7, 星期: 7, 个星期: 7, 个月: 30 }
/** “第 9 天”, “两周后”, “10 天没人问”; not “近 30 天” (nor the end of that numeral) or “三个月没登录” */
const WAITS =
  /(?<![近已] ?|已经 ?|[\d半两一二三四五六七八九十])(第?) ?(\d{1,3}|[半两一二三四五六七八九十]{1,3}) ?(天|周|个?星期|个月)(后|没(?![登上玩])|未|还|不|仍|再|内没)?/g
const DATES = /(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]/g
/** Half a year: a date further back is one of the next year. */
const PAST_MS = 183 * DAY_MS

function dateOf(month: string, day: string, now: number): number[] {
  const year = new Date(now).getUTCFullYear()
  const at = [year, year + 1].map((y) => parseChinaDay(`${y}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`))
  const next = at.find((one) => typeof one === 'number' && one > now - PAST_MS)
  return typeof next === 'number' ? [next] : []
}

/** A numeral from a half to 99, in digits or characters. */
function countOf(text: string): number {
  if (/^\d/.test(text)) return Number(text)
  if (text === '半') return 0.5
  if (text === '两') return 2
  const [tens = '', ones = ''] = text.includes('十') ? text.split('十') : ['零', text]
  return 10 * (tens ? DIGITS.indexOf(tens) : 1) + (ones ? DIGITS.indexOf(ones) : 0)
}

/** Days from `now` until the latest moment that a text names; 0: none. */
export function daysNamedIn(text: string, now: number): number {
  // one space for several: to look for all of them before every character would take quadratic time
  const waits = [...text.replace(/\s+/g, ' ').matchAll(WAITS)].flatMap(([, ordinal, count = '', unit = '', then]) =>
    ordinal || then ? [countOf(count) * (UNITS[unit] ?? 1)] : [],
  )
  const dates = [...text.matchAll(DATES)].flatMap(([, month = '', day = '']) => dateOf(month, day, now))
  return Math.max(0, ...waits, ...dates.map((at) => (at - chinaDayStart(now)) / DAY_MS))
}
