/** Past prices of an account, by the price index of its game. */
import type { Report } from '@/contract/types'
import type { MarketStatistics } from '../../../db/columns'

/** Weeks per point: a single week has too few sales to show more than noise. */
const WEEKS_PER_POINT = 4
/** minimum number of points; fewer do not show a trend */
const MIN_POINTS = 6
/** fen; steps of ¥1 */
const STEP = 100

/**
 * The account's price back-cast with its game's price index, oldest first, ending with the current valuation. Past
 * valuations are in `history`. The only time in a model's formula is its game's market (`predict` in engine/valuate.ts), so
 * valuing the account anew for each month would give a curve of this shape too.
 * @param weeks of the game's market, oldest first
 * @returns undefined with too few sales
 */
export function trendOf(
  weeks: MarketStatistics['weeks'],
  { predictFen }: Pick<Report['price'], 'predictFen'>,
  createdAt: number,
): NonNullable<Report['trend']> | undefined {
  const past = weeks.filter(({ at }) => at <= createdAt)
  const points: { at: number; index: number }[] = []
  for (let end = past.length; end > 0; end -= WEEKS_PER_POINT) {
    const recent = past
      .slice(Math.max(0, end - WEEKS_PER_POINT), end)
      .flatMap(({ at, index, n }) => (index === null || n === 0 ? [] : [{ at, index, n }]))
    const total = recent.reduce((sum, { n }) => sum + n, 0)
    const last = recent.at(-1)
    if (!last) continue
    points.unshift({ at: last.at, index: recent.reduce((sum, { index, n }) => sum + index * n, 0) / total })
  }
  const now = points.pop()
  if (!now || points.length + 1 < MIN_POINTS) return undefined
  return [
    ...points.map(({ at, index }) => ({ at, fen: Math.round((predictFen * index) / now.index / STEP) * STEP })),
    { at: createdAt, fen: predictFen },
  ]
}
