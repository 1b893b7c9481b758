/** Roman numerals of upright strokes behind a Chinese word (白银Ⅱ), which the model miscounts: counted by their pixels. */
import type { Pixels } from './pixels'

/** A character that was read from a line. */
export interface ReadChar {
  char: string
  probability: number
  /** px from the left, about its middle */
  x: number
}

/** What the model takes such a numeral for. */
const isStroke = ({ char }: ReadChar) => /^(?:I+|[il|!丨川【「[])$/.test(char.normalize('NFKC'))
const HAN = /\p{Script=Han}/u
const DIVIDER = /^[·•・.-]$/
/** share of the distance of two characters from the middle of the last one, or of a divider, to where a numeral begins */
const [BEGINS, BEHIND_DIVIDER] = [0.6, 0.15]
/** rows in which strokes are looked for, by the height of the line: a numeral's serifs are above and below */
const ROWS = [0.38, 0.62] as const
/** share of the greatest contrast from which a pixel belongs to a stroke */
const CONTRAST = 0.5
/** share of the rows from which a column belongs to an upright stroke, and below which it is empty */
const [UPRIGHT, EMPTY] = [0.8, 0.2]
const MOST = 3

/**
 * Number of upright strokes from this column on, where nothing else is there.
 * @param sign 1 for text brighter than its background, -1 for darker text
 */
function strokesFrom({ data, width, height }: Pixels, from: number, sign: number): { n: number; contrast: number } {
  const [top, bottom] = [Math.round(ROWS[0] * height), Math.round(ROWS[1] * height)]
  const columns = Array.from({ length: width - from }, (_, i) =>
    Array.from({ length: bottom - top }, (_, row) => {
      const at = 3 * ((top + row) * width + from + i)
      return (data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)
    }),
  )
  const sorted = columns.flat().sort((a, b) => a - b)
  const background = sorted[sorted.length >> 1] ?? 0
  const contrast = Math.max(0, ...sorted.map((light) => sign * (light - background)))
  const shares = columns.map(
    (column) => column.filter((light) => sign * (light - background) > CONTRAST * contrast).length / column.length,
  )
  const isAt = (i: number) => (shares[i] ?? 0) >= UPRIGHT
  const isClear = shares.every((share, i) => share < EMPTY || isAt(i - 1) || isAt(i) || isAt(i + 1))
  return { n: isClear ? shares.filter((_, i) => isAt(i) && !isAt(i - 1)).length : 0, contrast }
}

/** A line whose numeral has as many strokes as are seen; where they cannot be counted, it is improbable. */
export function withStrokes(line: Pixels, chars: readonly ReadChar[]): readonly ReadChar[] {
  const end = chars.findLastIndex((char) => !isStroke(char) && char.char.trim() !== '')
  const isDivided = DIVIDER.test(chars[end]?.char ?? '')
  const [before, last] = isDivided ? [chars[end - 2], chars[end - 1]] : [chars[end - 1], chars[end]]
  if (end === chars.length - 1 || !before || !last || !HAN.test(before.char) || !HAN.test(last.char)) return chars
  const pitch = last.x - before.x
  const from = Math.round((chars[end]?.x ?? 0) + (isDivided ? BEHIND_DIVIDER : BEGINS) * pitch)
  const [bright, dark] = [strokesFrom(line, from, 1), strokesFrom(line, from, -1)]
  const { n } = bright.contrast > dark.contrast ? bright : dark
  const isCounted = n >= 1 && n <= MOST
  return [
    ...chars.slice(0, end + 1),
    { char: 'I'.repeat(isCounted ? n : chars.length - 1 - end), probability: isCounted ? 1 : 0, x: from },
  ]
}
