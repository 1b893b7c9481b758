/**
 * Index of records by time and log price that finds one close to another without comparing all pairs. A grid of cells of
 * the size within which records are the same: two in one cell always are, and for each neighbouring cell only the records
 * nearest to that corner matter (its Pareto front).
 */

/** Points of which none has both a larger x and a larger y than another: x ascending, y descending. */
class Front {
  private readonly points: { x: number; y: number }[] = []

  /** Index of the first point with a larger x. */
  private after(x: number): number {
    let [low, high] = [0, this.points.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.points[middle]?.x ?? 0) <= x) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Whether a point lies at or below both limits. */
  reaches(x: number, y: number): boolean {
    const last = this.points[this.after(x) - 1]
    return last !== undefined && last.y <= y
  }

  add(x: number, y: number): void {
    if (this.reaches(x, y)) return
    let first = this.after(x)
    while (first > 0 && this.points[first - 1]?.x === x) first -= 1
    let end = first
    while ((this.points[end]?.y ?? Number.NEGATIVE_INFINITY) >= y) end += 1
    this.points.splice(first, end - first, { x, y })
  }
}

const SIGNS = [1, -1] as const
const STEPS = [-1, 0, 1] as const

/** The fronts of a cell towards its four corners. */
type Cell = Record<`${1 | -1} ${1 | -1}`, Front>

const createCell = (): Cell => ({ '1 1': new Front(), '1 -1': new Front(), '-1 1': new Front(), '-1 -1': new Front() })

export class SameSales {
  private readonly cells = new Map<string, Cell>()

  /** @param size largest distances in x and y of two records that are the same */
  constructor(private readonly size: { x: number; y: number }) {}

  private cellOf(x: number, y: number): [number, number] {
    return [Math.floor(x / this.size.x), Math.floor(y / this.size.y)]
  }

  add(x: number, y: number): void {
    const key = this.cellOf(x, y).join(' ')
    const cell = this.cells.get(key) ?? createCell()
    this.cells.set(key, cell)
    for (const sx of SIGNS) for (const sy of SIGNS) cell[`${sx} ${sy}`].add(sx * x, sy * y)
  }

  /** Whether a record within the distances was added. */
  has(x: number, y: number): boolean {
    const [column, row] = this.cellOf(x, y)
    return STEPS.some((dx) =>
      STEPS.some((dy) => {
        const [sx, sy] = [dx < 0 ? -1 : 1, dy < 0 ? -1 : 1] as const
        const front = this.cells.get(`${column + dx} ${row + dy}`)?.[`${sx} ${sy}`]
        // within one column, or row, the distance is never too large
        const limit = (d: number, s: number, at: number, most: number) =>
          d === 0 ? Number.POSITIVE_INFINITY : s * at + most
        return front?.reaches(limit(dx, sx, x, this.size.x), limit(dy, sy, y, this.size.y)) ?? false
      }),
    )
  }
}
