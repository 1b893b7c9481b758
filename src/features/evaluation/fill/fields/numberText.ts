/** Parses the text of a number box. Nothing typed is dropped: anything but a number stays text. */
import { cleanText } from '@/contract/cleanText'

/** powers of ten of the suffixes users write */
const POWERS: Readonly<Record<string, number>> = { 千: 3, k: 3, 万: 4, w: 4, m: 6, 亿: 8 }
/** 3亿5 is 3.5亿 */
const COLLOQUIAL = /(\d)([千万亿kwm])(\d)$/i
/** maximum of digits that can be represented exactly */
const MAX_DIGITS = 15

/**
 * The number in `raw`, in the field's unit. Accepts full-width digits, thousands separators, a leading ¥, the unit
 * itself and the suffixes 千/k, 万/w, m, 亿 (`1.5万` and `1万5` are 15000, or 1.5 in a field that counts in 万). Text that
 * is not a number is returned as typed, so that the form can reject it; undefined if it is empty.
 */
export function readNumber(raw: string, unit = ''): number | string | undefined {
  const typed = cleanText(raw).replace(/[−–]/g, '-').trim()
  if (typed === '') return undefined
  const tail = typed.replace(/^¥\s*/, '')
  const bare = unit !== '' && tail.endsWith(unit) ? tail.slice(0, -unit.length).trim() : tail
  const match = /^(-?)(\d{1,3}(?:[, ]\d{3})+|\d+)?(\.\d*)?\s*([千万亿kwm]?)$/i.exec(bare.replace(COLLOQUIAL, '$1.$3$2'))
  const [, sign = '', whole = '', fraction = '', word = ''] = match ?? []
  const digits = whole.replace(/[, ]/g, '') + fraction
  if (!match || !/\d/.test(digits) || digits.length > MAX_DIGITS) return raw
  const power = POWERS[word.toLowerCase()]
  const shift = power === undefined ? 0 : power - (POWERS[unit.toLowerCase()] ?? 0)
  const n = Number(`${sign}${digits}e${shift}`)
  return n === 0 ? 0 : n
}
