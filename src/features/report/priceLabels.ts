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
  place: number
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
    ...{ name, from: fen, to: fen, days: day, place: positionOn(fen, price), side: 'middle' as const },
  })
  const all: PriceLabel[] = [
    labelOf('快速出手', quickFen, days?.[0]),
    labelOf('参考', predictFen),
    labelOf('建议挂牌', listFen, days?.[1]),
  ]
  const merged: PriceLabel[] = []
  for (const next of all) {
    const before = merged[merged.length - 1]
    if (before && next.place - before.place < CLOSE) {
      before.name += `·${next.name}`
      before.to = next.to
      before.place = (before.place + next.place) / 2
      before.days ??= next.days
    } else merged.push(next)
  }
  const [first, ...others] = merged
  const last = others.pop()
  if (!first || !last) return merged
  const [middle] = others
  const centre = middle && Math.min(100 - 2 * ROOM, Math.max(2 * ROOM, middle.place))
  const until = centre ?? Math.max(2 * ROOM, last.place)
  return [
    { ...first, place: Math.max(ROOM, Math.min(first.place, until - ROOM)), side: 'left' },
    ...(middle ? [{ ...middle, place: centre ?? middle.place }] : []),
    { ...last, place: Math.min(100 - ROOM, Math.max(last.place, (centre ?? first.place) + ROOM)), side: 'right' },
  ]
}
