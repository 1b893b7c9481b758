import type { MarketPage } from '@/contract/types'

export interface Bar {
  /** ms: first day of the week */
  at: number
  index: number | undefined
  /** per cent of the chart's height; undefined where too few were sold */
  height: number | undefined
  low: number
  high: number
  /** ends of the interval as index values */
  range: [number, number] | undefined
}

/** room above and below the values, as a share of their range */
const MARGIN = 0.1

/** Places of the weekly values between the lowest and the highest end of an interval. */
export function barsOf(weeks: MarketPage['weeks']): Bar[] {
  const ends = weeks.flatMap(({ low, high }) => (low === null || high === null ? [] : [low, high]))
  const [least, most] = [Math.min(...ends), Math.max(...ends)]
  const room = Math.max(1, most - least)
  const place = (value: number) => Math.round((100 * (value - least + MARGIN * room)) / ((1 + 2 * MARGIN) * room))
  return weeks.map(({ at, index, low, high }) =>
    index === null || low === null || high === null
      ? { at, index: undefined, height: undefined, low: 0, high: 0, range: undefined }
      : { at, index, height: place(index), low: place(low), high: place(high), range: [low, high] },
  )
}
