import { positionOn } from '@/contract/priceRange'
import type { Report } from '@/contract/types'

/** A label of the band: the names of one price, or of several whose ticks are close, and where it is drawn. */
export interface PriceLabel {
  name: string
  /** fen; the same for one price */
  from: number
  to: number
  /** median days to sell */
  days?: number | undefined
  /** place in per cent of the band's width, to the left or right of which or around which it is drawn */
  at: number
  side: 'left' | 'middle' | 'right'
}

/** ticks closer than this share a label, in per cent of the band's width */
const CLOSE = 4
/** room that a label needs to its neighbour, and to the band's end */
const ROOM = 18

/** The three prices under their ticks; a label moves aside where it would cover its neighbour. */
export function priceLabels(price: Report['price'], days: readonly [number, number] | undefined): PriceLabel[] {
  const { quickFen, predictFen, listFen } = price
  const labelOf = (name: string, fen: number, day?: number) => ({
    ...{ name, from: fen, to: fen, days: day, at: positionOn(fen, price), side: 'middle' as const },
  })
  const all: PriceLabel[] = [
    labelOf('快速出手', quickFen, days?.[0]),
    labelOf('参考', predictFen),
    labelOf('建议挂牌', listFen, days?.[1]),
  ]
  const merged: PriceLabel[] = []
  for (const next of all) {
    const before = merged[merged.length - 1]
    if (before && next.at - before.at < CLOSE) {
      before.name += `·${next.name}`
      before.to = next.to
      before.at = (before.at + next.at) / 2
      before.days ??= next.days
    } else merged.push(next)
  }
  const [first, ...others] = merged
  const last = others.pop()
  if (!first || !last) return merged
  const [middle] = others
  const centre = middle && Math.min(100 - 2 * ROOM, Math.max(2 * ROOM, middle.at))
  const until = centre ?? Math.max(2 * ROOM, last.at)
  return [
    { ...first, at: Math.max(ROOM, Math.min(first.at, until - ROOM)), side: 'left' },
    ...(middle ? [{ ...middle, at: centre ?? middle.at }] : []),
    { ...last, at: Math.min(100 - ROOM, Math.max(last.at, (centre ?? first.at) + ROOM)), side: 'right' },
  ]
}
