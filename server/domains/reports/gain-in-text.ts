import { estimate, roundToYuan } from '@/contract/format'

const AMOUNT = /¥\s*[\d,]+(?:\.\d+)?|(?<![\d,])[\d,]+(?:\.\d+)?\s*元/g
const GAINED = /(?:多卖|多拿|多得|多赚|高|涨|增值|增加)(?:出|到|约|大约|了)*\s*$/
const SPENT = /(?:花|付|交|要|费|费用|成本|押金)(?:约|大约|了|掉|是|为)*\s*$/
const SPENT_ON = /^\s*(?:的)?(?:定金|订金|押金|尾款|手续费|费用)/
/** characters before or behind an amount that say what it is */
const WORDS = 20
const before = (text: string, index: number) => text.slice(Math.max(0, index - WORDS), index)

/**
 * A text about what to do first, with the gain that the report has instead of the one of the own price. That is the last
 * equal amount after a word of gain, or else the only equal one that is not spent; a text with several others stays as it is.
 */
export function withGain(text: string, ownFen: number, gainFen: number): string {
  const equal = [...text.matchAll(AMOUNT)].filter(
    (one) =>
      Number(one[0].replace(/[^\d.]/g, '')) === roundToYuan(ownFen) / 100 &&
      !SPENT.test(before(text, one.index)) &&
      !SPENT_ON.test(text.slice(one.index + one[0].length, one.index + one[0].length + WORDS)),
  )
  const own =
    equal.findLast(({ index }) => GAINED.test(before(text, index))) ?? (equal.length === 1 ? equal[0] : undefined)
  if (!own) return text
  return text.slice(0, own.index) + estimate(gainFen) + text.slice(own.index + own[0].length)
}
