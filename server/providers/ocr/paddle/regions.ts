/**
 * From the detector's probability map to rectangles of text: connected pixels, enlarged, because the detector marks only
 * the middle of the characters.
 */

/** The probability that a pixel belongs to text. */
export interface ProbabilityMap {
  data: Float32Array
  width: number
  height: number
}

/** Rectangle, px of the map or of the page */
export interface Region {
  left: number
  top: number
  width: number
  height: number
}

/** probability from which a pixel is text */
const PIXEL = 0.25
/** mean probability below which connected pixels are no text */
const MEAN = 0.4
/** px: the smallest side of marked pixels */
const MIN_SIDE = 3
/** enlargement: area times this, by perimeter */
const UNCLIP = 1.7
/** a component this many times wider than high has a measurable slope */
const ELONGATED = 4
/** radians: smaller slopes come from the shapes of characters, larger ones are not those of a page held straight */
const ANGLES = [0.008, 0.2] as const

interface Component {
  left: number
  right: number
  top: number
  bottom: number
  mean: number
  /** of the line through its pixels (least squares) */
  slope: number
}

/** Groups of pixels that touch each other, also diagonally. */
function componentsOf({ data, width, height }: ProbabilityMap): Component[] {
  const seen = new Uint8Array(width * height)
  const stack = new Int32Array(width * height)
  const found: Component[] = []
  for (let start = 0; start < data.length; start++) {
    if (seen[start] === 1 || (data[start] ?? 0) < PIXEL) continue
    let [n, end, sum] = [0, 1, 0]
    let [sx, sy, sxx, sxy] = [0, 0, 0, 0]
    let [left, right, top, bottom] = [width, 0, height, 0]
    stack[0] = start
    seen[start] = 1
    for (; n < end; n++) {
      const pixel = stack[n] ?? 0
      const x = pixel % width
      const y = (pixel - x) / width
      sum += data[pixel] ?? 0
      sx += x
      sy += y
      sxx += x * x
      sxy += x * y
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++)
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
          const next = ny * width + nx
          if (seen[next] === 1 || (data[next] ?? 0) < PIXEL) continue
          seen[next] = 1
          stack[end++] = next
        }
    }
    const slope = (n * sxy - sx * sy) / (n * sxx - sx * sx || 1)
    found.push({ left, right, top, bottom, mean: sum / n, slope })
  }
  return found
}

/** The angle of the page: the median slope of its long lines, each by its length. */
function angleOf(components: readonly Component[]): number {
  const slopes = components
    .filter(({ left, right, top, bottom }) => right - left > ELONGATED * (bottom - top + 1))
    .map(({ slope, left, right }) => ({ slope: Math.atan(slope), weight: right - left }))
    .sort((a, b) => a.slope - b.slope)
  let half = slopes.reduce((sum, { weight }) => sum + weight, 0) / 2
  const median = slopes.find(({ weight }) => {
    half -= weight
    return half <= 0
  })
  const angle = median?.slope ?? 0
  return Math.abs(angle) < ANGLES[0] || Math.abs(angle) > ANGLES[1] ? 0 : angle
}

/** Finds the rectangles of text, and the angle by which the page is turned. */
export function regionsOf(map: ProbabilityMap): { angle: number; regions: Region[] } {
  const components = componentsOf(map).filter(({ mean }) => mean >= MEAN)
  const regions = components.flatMap(({ left, right, top, bottom }) => {
    const [width, height] = [right - left + 1, bottom - top + 1]
    if (Math.min(width, height) < MIN_SIDE) return []
    const margin = (width * height * UNCLIP) / (2 * (width + height))
    return { left: left - margin, top: top - margin, width: width + 2 * margin, height: height + 2 * margin }
  })
  return { angle: angleOf(components), regions }
}
