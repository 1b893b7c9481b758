/** Context of a part of a listing: its neighbours. */
import type { Token } from './lexer'
import type { Meaning } from './lexicon'

export type MeaningOf<K extends Meaning['kind']> = Extract<Meaning, { kind: K }>

/** The part's first meaning of a kind. */
export function meaningOf<K extends Meaning['kind']>(part: Token | undefined, kind: K): MeaningOf<K> | undefined {
  if (part?.kind !== 'word') return undefined
  return part.meanings.find((meaning): meaning is MeaningOf<K> => meaning.kind === kind)
}

const isQuiet = (part: Token | undefined): boolean =>
  part?.kind === 'link' || (part?.kind === 'gap' && part.gap === 'soft')

/** Index of the nearest meaningful part in direction `step`; at the end of the text there is none. */
export function nextMeaningful(parts: readonly Token[], from: number, step: 1 | -1): number {
  let index = from + step
  while (isQuiet(parts[index])) index += step
  return index
}

/** Maximum number of characters between a label and its value. */
const NEAR = 6

/** Distance of two parts: 0 adjacent, 1 with a space between, undefined with anything else between. */
export function distance(parts: readonly Token[], a: number, b: number): number | undefined {
  const between = parts.slice(Math.min(a, b) + 1, Math.max(a, b))
  if (between.length > NEAR) return undefined
  return between.some((part) => part.kind === 'gap') ? 1 : 0
}

export interface AdjacentToken {
  i: number
  gap: number | undefined
}

/** The nearer side; at equal distance the order used in the clause decides. */
export function nearer(
  left: AdjacentToken | undefined,
  right: AdjacentToken | undefined,
  preferRight: () => boolean,
): AdjacentToken | undefined {
  if (left?.gap === undefined) return right?.gap === undefined ? undefined : right
  if (right?.gap === undefined) return left
  if (left.gap !== right.gap) return left.gap < right.gap ? left : right
  return preferRight() ? right : left
}

/** Left and right neighbour of a position, with the distance of those that satisfy `fits`. */
export function adjacentTokens(
  parts: readonly Token[],
  index: number,
  fits: (i: number) => boolean,
): [AdjacentToken, AdjacentToken] {
  const side = (step: 1 | -1): AdjacentToken => {
    const i = nextMeaningful(parts, index, step)
    return { i, gap: fits(i) ? distance(parts, index, i) : undefined }
  }
  return [side(-1), side(1)]
}

/** 没有 A、B negates both: skips back over items joined by 、和. */
export function isNegated(parts: readonly Token[], index: number): boolean {
  let before = nextMeaningful(parts, index, -1)
  for (;;) {
    const part = parts[before]
    if (part?.kind === 'not') return true
    if (part?.kind !== 'gap' || part.gap !== 'and') return false
    before = nextMeaningful(parts, nextMeaningful(parts, before, -1), -1)
  }
}
