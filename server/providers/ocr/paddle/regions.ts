/**
 * From the detector's probability map to rectangles of text: connected pixels, turned by the angle of the page and
 * enlarged, because the detector marks only the middle of the characters.
 */

/** The probability that a pixel belongs to text. */
export interface ProbabilityMap {
  data: Float32Array
  width: number
  height: number
}

/** Rectangle in the coordinates of a page turned upright about its centre. px of the map */
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
  /** indexes of its pixels in the map */
  pixels: Int32Array
  left: number
  right: number
  top: number
  bottom: number
  mean: number
}

/** Groups of pixels that touch each other, also diagonally. */
function componentsOf({ data, width, height }: ProbabilityMap): Component[] {
  const seen = new Uint8Array(width * height)
  const stack = new Int32Array(width * height)
  const found: Component[] = []
  for (let start = 0; start < data.length; start++) {
    if (seen[start] === 1 || (data[start] ?? 0) < PIXEL) continue
    let [size, end, sum] = [0, 1, 0]
    let [left, right, top, bottom] = [width, 0, height, 0]
    stack[0] = start
    seen[start] = 1
    // the stack is also the list of the component's pixels
    for (; size < end; size++) {
      const pixel = stack[size] ?? 0
      const x = pixel % width
      const y = (pixel - x) / width
      sum += data[pixel] ?? 0
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
    found.push({ pixels: stack.slice(0, size), left, right, top, bottom, mean: sum / size })
  }
  return found
}

/** Slope of the line through a component's pixels (least squares). */
function slopeOf({ pixels }: Component, width: number): number {
  let [sx, sy, sxx, sxy] = [0, 0, 0, 0]
  for (const pixel of pixels) {
    const x = pixel % width
    const y = (pixel - x) / width
    sx += x
    sy += y
    sxx += x * x
    sxy += x * y
  }
  const n = pixels.length
  return (n * sxy - sx * sy) / (n * sxx - sx * sx || 1)
}

/** The angle of the page: the median slope of its long lines, each by its length. */
function angleOf(components: readonly Component[], width: number): number {
  const slopes = components
    .filter(({ left, right, top, bottom }) => right - left > ELONGATED * (bottom - top + 1))
    .map((component) => ({ slope: Math.atan(slopeOf(component, width)), weight: component.right - component.left }))
    .sort((a, b) => a.slope - b.slope)
  let half = slopes.reduce((sum, { weight }) => sum + weight, 0) / 2
  const median = slopes.find(({ weight }) => {
    half -= weight
    return half <= 0
  })
  const angle = median?.slope ?? 0
  return Math.abs(angle) < ANGLES[0] || Math.abs(angle) > ANGLES[1] ? 0 : angle
}

/**
 * Finds the rectangles of text, and the angle by which the page is turned.
 * @param known the angle, where another map of the page has told it
 */
export function regionsOf(map: ProbabilityMap, known?: number): { angle: number; regions: Region[] } {
  const components = componentsOf(map).filter(({ mean }) => mean >= MEAN)
  const angle = known ?? angleOf(components, map.width)
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
  const [cx, cy] = [map.width / 2, map.height / 2]
  const regions: Region[] = []
  for (const { pixels } of components) {
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
    for (const pixel of pixels) {
      const x = (pixel % map.width) - cx
      const y = Math.floor(pixel / map.width) - cy
      const u = x * cos + y * sin
      const v = y * cos - x * sin
      left = Math.min(left, u)
      right = Math.max(right, u)
      top = Math.min(top, v)
      bottom = Math.max(bottom, v)
    }
    const [width, height] = [right - left + 1, bottom - top + 1]
    if (Math.min(width, height) < MIN_SIDE) continue
    const margin = (width * height * UNCLIP) / (2 * (width + height))
    regions.push({
      left: left + cx - margin,
      top: top + cy - margin,
      width: width + 2 * margin,
      height: height + 2 * margin,
    })
  }
  return { angle, regions }
}
