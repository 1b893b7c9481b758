/**
 * Rules for personal data that users enter. Every `…Issue` returns the message to show, or undefined
 * for a valid value. Pure: the time is passed in.
 */
import { cleanText, emoji } from './cleanText'
import { CHINA_OFFSET_MS, chinaDateTime } from './time'

/** Removes separators, words around the number and a leading +86 or 0086 from a mobile number. */
export function normaliseMobile(text: string): string {
  return trimWords(text).replace(/^(?:\+|00)86/, '')
}

/** Removes separators, and what stands before and behind the letters and digits: a label, a full stop. */
const trimWords = (text: string): string =>
  /\+?[\da-z](?:.*[\da-z])?/i.exec(cleanText(text).replace(/[\s()\-‐-―−]/g, ''))?.[0] ?? ''

/** Accepts any spelling that `normaliseMobile` understands. */
export function mobileIssue(text: string): string | undefined {
  return /^1[3-9]\d{9}$/.test(normaliseMobile(text)) ? undefined : '请输入正确的手机号'
}

export function smsCodeIssue(text: string): string | undefined {
  return /^\d{6}$/.test(text) ? undefined : '请输入 6 位验证码'
}

/** The parts of the password rule, for live check marks. `mobile` is the account's, in any spelling. */
export function passwordTicks(text: string, mobile = ''): { label: string; ok: boolean }[] {
  const number = normaliseMobile(mobile)
  return [
    { label: '8-20 位，不含空格', ok: /^\S{8,20}$/.test(text) },
    { label: '至少一个字母', ok: /[A-Za-z]/.test(text) },
    { label: '至少一个数字', ok: /\d/.test(text) },
    { label: '不包含手机号', ok: text !== '' && (number === '' || !text.includes(number)) },
  ]
}

export function passwordIssue(text: string, mobile = ''): string | undefined {
  return passwordTicks(text, mobile).every((tick) => tick.ok) ? undefined : '密码为 8-20 位字母加数字'
}

/** The name in its stored form: the dots between its parts, of which keyboards have many, are U+00B7. */
export function normaliseName(text: string): string {
  return cleanText(text)
    .trim()
    .replace(/\s?[·•・.‧⋅∙]\s?/g, '·')
}

/** Accepts any spelling that `normaliseName` understands. */
export function realNameIssue(text: string): string | undefined {
  const name = normaliseName(text)
  const ok = name.length <= 30 && /^(?:\p{Script=Han}{2,15}|\p{Script=Han}(?=·))(?:·\p{Script=Han}{1,15})*$/u.test(name)
  return ok ? undefined : '请输入身份证上的姓名'
}

const PROVINCES = /^(?:1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[1-3])/
const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2] as const
const CHECK_DIGITS = '10X98765432'
const MAX_AGE = 120

/** The ID number in its stored form: without separators and words around it, the last letter in upper case. */
export function normaliseIdNo(text: string): string {
  return trimWords(text).toUpperCase()
}

/**
 * GB 11643-1999: 18 characters, province, valid date of birth not in the future, check digit, at most 120 years old.
 */
export function idNoIssue(text: string, now: number): string | undefined {
  const idNo = normaliseIdNo(text)
  const ok = /^\d{17}[\dX]$/.test(idNo) && PROVINCES.test(idNo) && checkDigit(idNo) === idNo[17]
  return ok && isPlausibleBirth(idNo, now) ? undefined : '身份证号有误，请检查'
}

function checkDigit(idNo: string): string | undefined {
  const sum = WEIGHTS.reduce((total, weight, place) => total + weight * Number(idNo[place]), 0)
  return CHECK_DIGITS[sum % 11]
}

/** ms of the owner's birthday at `age`, midnight in China, from a valid number. */
export function birthTimeOf(idNo: string, age = 0): number {
  const [year, month, day] = [Number(idNo.slice(6, 10)), Number(idNo.slice(10, 12)), Number(idNo.slice(12, 14))]
  // a birthday on 29 February falls on 1 March in common years
  return Date.UTC(year + age, month - 1, day) - CHINA_OFFSET_MS
}

/** Whether the date of birth exists, is not in the future and at most `MAX_AGE` full years ago. */
function isPlausibleBirth(idNo: string, now: number): boolean {
  const born = birthTimeOf(idNo)
  const day = `${idNo.slice(6, 10)}-${idNo.slice(10, 12)}-${idNo.slice(12, 14)}`
  return chinaDateTime(born).day === day && born <= now && now < birthTimeOf(idNo, MAX_AGE + 1)
}

/** Invisible characters, and those that change the direction of the text after them. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u

/**
 * What a reader sees of the text: no invisible or control characters, one space for several. A user's text that is
 * required has some of it.
 */
export const visibleText = (text: string): string =>
  Array.from(text, (c) => (INVISIBLE.test(c) ? '' : c))
    .join('')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** Length of a required text: a run of anything but letters and digits counts as one character, at the start as none. */
export const wordedLength = (text: string): number =>
  visibleText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trimStart().length

/** 2–16 visible characters without a link; the server also checks a word list. */
export function nameIssue(text: string, what = '昵称'): string | undefined {
  const shown = text.replace(emoji, '$1')
  if (INVISIBLE.test(shown)) return `${what}不能包含看不见的字符`
  if (Array.from(shown.trim()).length < 2 || Array.from(text.trim()).length > 16) return `${what}为 2-16 个字`
  return /https?:|www\.|\.(?:com|cn|net|top|xyz|vip)\b/i.test(text) ? `${what}不能包含网址` : undefined
}
