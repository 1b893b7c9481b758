export interface TrendPoint {
  /** ms */
  at: number
  predictFen: number
}

/** Place of a point in per cent of the chart's width (from the left) and height (from the top). */
export interface PlacedPoint {
  x: number
  y: number
}

/** to a tenth */
const rounded = (value: number) => Math.round(value * 10) / 10
/** margin above and below the line, in per cent of the height, for the dots at its ends */
const MARGIN = 12

/**
 * Places prices on a chart: times are proportional on the horizontal axis, prices fill the height from the lowest to
 * the highest. Equal prices are drawn in the middle. The scale does not begin at zero.
 */
export function placeTrend(points: readonly TrendPoint[]): PlacedPoint[] {
  const times = points.map(({ at }) => at)
  const prices = points.map(({ predictFen }) => predictFen)
  const [start, end] = [Math.min(...times), Math.max(...times)]
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  return points.map(({ at, predictFen }) => ({
    x: end > start ? rounded((100 * (at - start)) / (end - start)) : 100,
    y: high > low ? rounded(MARGIN + ((100 - 2 * MARGIN) * (high - predictFen)) / (high - low)) : 50,
  }))
}

/**
 * A line through the points, or the area below it, as a mask: SVG elements do not exist in the mini-program, and a
 * picture would not follow the theme's colours.
 */
export function trendMask(points: readonly PlacedPoint[], kind: 'line' | 'area'): string {
  const line = points.map(({ x, y }) => `${x} ${y}`).join('L')
  const [first, last] = [points[0]?.x ?? 0, points[points.length - 1]?.x ?? 0]
  const path =
    kind === 'line'
      ? `fill='none' stroke='black' stroke-width='2.4' stroke-linejoin='round' vector-effect='non-scaling-stroke' d='M${line}'`
      : `d='M${first} 100L${line}L${last} 100z'`
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100' preserveAspectRatio='none'><path ${path}/></svg>`
  return `url("data:image/svg+xml,${svg.replace(/</g, '%3C').replace(/>/g, '%3E')}")`
}
