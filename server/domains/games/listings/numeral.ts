/** Numbers as sellers write them: 1,280, 1.2万, 3亿5, 1w2, 3亿5000万, 2百6. */

/** `n` with the units multiplied out; `times` is the first unit, 1 without one */
export interface Numeral {
  n: number
  times: number
}

const DIGITS = /(?:\d{1,3}(?:,\d{3}){1,4}(?!\d|,\d)|\d{1,20})(?:\.\d{1,6})?/y
const UNIT = /[十百千]?[万亿]|[百千]|[wkme](?![a-z])|\s[万亿](?!\p{Script=Han})/uy
const TIMES: Readonly<Record<string, number>> = {
  十: 10,
  百: 100,
  千: 1e3,
  k: 1e3,
  万: 1e4,
  w: 1e4,
  m: 1e6,
  亿: 1e8,
  e: 1e8,
}
/** What would make the digits read so far only the beginning of a number, e.g. 3亿五, 1万半 or 2❻ */
const CONTINUES_UNIT = /[\d零一二两三四五六七八九十半百千万亿\p{No}\p{Nl}]/uy
const CONTINUES_DIGITS = /[十\p{No}\p{Nl}]/uy
/** In 1w2命 and 1w2x the last digit may belong to what follows. */
const CLAIMS_DIGIT = /[\da-z.+命星魂链精叠把张十百千万亿半\p{No}\p{Nl}]/uy

const matchAt = (pattern: RegExp, text: string, position: number): string | undefined => {
  pattern.lastIndex = position
  return pattern.exec(text)?.[0]
}

const timesOf = (unit: string): number => Array.from(unit).reduce((product, char) => product * (TIMES[char] ?? 1), 1)

/**
 * Value of the digits after a unit, which are often short for the next lower one: 5 in 3亿5, 2000 in 1万2000. Behind a
 * letter more than one digit may be the name of an item: 260k416.
 */
function tailOf(digits: string, unit: number, isLetter: boolean): number | undefined {
  if (!/^\d+$/.test(digits)) return undefined
  if (digits.length === 1) return (Number(digits) * unit) / 10
  return !isLetter && 10 ** digits.length === unit ? Number(digits) : undefined
}

/**
 * The number at a position of a folded text; `value` is undefined where only its beginning could be read. Undefined when
 * there is no digit.
 */
export function numeralAt(text: string, start: number): { value: Numeral | undefined; end: number } | undefined {
  let position = start
  let n = 0
  let times = 1
  let lowest = Number.POSITIVE_INFINITY
  let isReadable = true
  for (;;) {
    const digits = matchAt(DIGITS, text, position)
    if (digits === undefined) break
    position += digits.length
    const unit = matchAt(UNIT, text, position)
    const amount = Number(digits.replaceAll(',', ''))
    if (unit === undefined) {
      const isFirst = lowest === Number.POSITIVE_INFINITY
      const tail = isFirst ? amount : tailOf(digits, lowest, /[a-z]/.test(text[position - digits.length - 1] ?? ''))
      const continues = matchAt(isFirst ? CONTINUES_DIGITS : CLAIMS_DIGIT, text, position) !== undefined
      isReadable &&= tail !== undefined && !continues
      n += tail ?? 0
      break
    }
    position += unit.length
    const scale = timesOf(unit)
    isReadable &&= amount * scale < lowest && !(unit === 'e' && /\d/.test(text[position] ?? ''))
    n += amount * scale
    if (lowest === Number.POSITIVE_INFINITY) times = scale
    lowest = scale
    if (matchAt(DIGITS, text, position) === undefined) {
      isReadable &&= matchAt(CONTINUES_UNIT, text, position) === undefined
      break
    }
  }
  return position === start ? undefined : { value: isReadable ? { n, times } : undefined, end: position }
}
