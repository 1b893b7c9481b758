/** Assigns numbers to labels: `典藏3 无双2` and `3典藏 2无双` use the same parts in a different order. */
import type { Field } from '@/contract/form/types'
import type { Token } from './lexer'
import { adjacentTokens, distance, meaningOf, nearer, nextMeaningful } from './token-neighbours'

type NumberPart = Extract<Token, { kind: 'number' }>

const isNumbered = (field: Field): boolean =>
  field.type === 'int' || field.type === 'decimal' || field.type === 'select' || field.role === 'lookup'

/** The label at this position, unless it is a short word inside a longer unknown one (限定皮肤). */
function labelAt(parts: readonly Token[], index: number): Field | undefined {
  const label = meaningOf(parts[index], 'label')
  if (!label || !isNumbered(label.field)) return undefined
  return parts[index - 1]?.kind === 'other' || parts[index + 1]?.kind === 'other' ? undefined : label.field
}

/** Whether the surrounding clause puts numbers before labels. */
export function numberFirst(
  parts: readonly Token[],
  index: number,
  isName: (i: number) => boolean,
  isNumber: (i: number) => boolean,
) {
  let start = index
  const ends = (i: number) => {
    const part = parts[i]
    return part === undefined || (part.kind === 'gap' && part.gap === 'hard')
  }
  while (!ends(start - 1)) start--
  for (let i = start; !ends(i); i++) {
    if (isNumber(i)) return true
    if (isName(i)) return false
  }
  return false
}

/**
 * A number after other words, or after an unrecognised label (限定皮肤), is theirs: 龙鳞3 典藏 is not three of
 * 典藏. So is one after a rank: 王者50星 皮肤321.
 */
function isForeign(parts: readonly Token[], index: number, gapRight: number | undefined): boolean {
  if (parts[index - 1]?.kind === 'other') return true
  const before = nextMeaningful(parts, index, -1)
  const kind = parts[before]?.kind
  const isWordWithNumber = (['label', 'root'] as const).some((kind) => meaningOf(parts[before], kind) !== undefined)
  const named = kind === 'other' || kind === 'signature' || isWordWithNumber
  return gapRight !== 0 && named && distance(parts, index, before) === 0
}

/** In `60级 黄数52` the label has its own number directly behind it. */
function hasOwnNumber(parts: readonly Token[], label: number): boolean {
  const behind = nextMeaningful(parts, label, 1)
  return parts[behind]?.kind === 'number' && distance(parts, label, behind) === 0
}

/**
 * Whether a number beside this one, apart from a space or a comma, is neither of another label nor of a word that we do
 * not know: 1 200 may be one number.
 */
function isPart(parts: readonly Token[], index: number, paired: ReadonlySet<number>): boolean {
  return ([1, -1] as const).some((step) => {
    const beside = parts[index + step]?.kind === 'gap' ? index + 2 * step : index + step
    const isOthers = [1, -1].some((side) => parts[beside + side]?.kind === 'other')
    return parts[beside]?.kind === 'number' && !paired.has(beside) && !isOthers
  })
}

/** Pairs each number with an adjacent label; every label and number is used once. */
export function pairNumbers(parts: readonly Token[]): { field: Field; number: NumberPart }[] {
  const used = new Set<number>()
  const isName = (i: number) => labelAt(parts, i) !== undefined
  const isNumber = (i: number) => parts[i]?.kind === 'number'
  const paired = parts.flatMap((number, index) => {
    if (number.kind !== 'number') return []
    const [left, right] = adjacentTokens(parts, index, (i) => isName(i) && !used.has(i))
    const isFree = !isForeign(parts, index, right.gap) && (right.gap === 0 || !hasOwnNumber(parts, right.i))
    const chosen = nearer(left, isFree ? right : undefined, () => numberFirst(parts, index, isName, isNumber))
    const field = chosen && labelAt(parts, chosen.i)
    if (!chosen || !field) return []
    used.add(chosen.i)
    return [{ field, number, index }]
  })
  const places = new Set(paired.map(({ index }) => index))
  return paired.filter(({ index }) => !isPart(parts, index, places))
}
