import type { Mode } from '@/contract/form/types'
import { count, percent } from '@/contract/format'
import type { GameItem, HomeCounts, OpenPayStatus } from '@/contract/types'
import { buildUrl } from '@/router/params'
import { copy } from './copy'

/** URL of the tab with all games, which needs no login. */
export const gamesUrl = (mode: Mode) => buildUrl('evaluation', { mode })

/** Text of the manual service's entry card; there is a price only where payments are enabled. */
export function manualEntry(status: OpenPayStatus | undefined): { note: string; soon: boolean } {
  const from = status?.manualFromFen
  return { note: from === undefined ? copy.manualNoPrice : copy.manualFrom(from), soon: status?.manual === false }
}

export interface Figure {
  label: string
  value: string
}

/** smaller counts of users or reports are not shown */
const MIN_SHOWN_COUNT = 100
const isShown = (n: number | undefined): n is number => n !== undefined && n >= MIN_SHOWN_COUNT

/** Figures to show; unknown or small ones are left out. */
export function figures(counts: HomeCounts | undefined): Figure[] {
  const { reports, users, games } = counts ?? {}
  const known = [
    ...(isShown(reports) ? [{ label: copy.countReports, value: count(reports) }] : []),
    ...(isShown(users) ? [{ label: copy.countUsers, value: count(users) }] : []),
    ...(games ? [{ label: copy.countGames, value: count(games) }] : []),
  ]
  // a single figure is not worth a row
  return known.length > 1 ? known : []
}

/** two rows */
const MAX_GAMES = 6

/** Median error of the most popular games: from real sales if there are any, otherwise labelled as synthetic. */
export function accuracies(games: readonly GameItem[] = []): { title: string; list: Figure[] } {
  const measured = games.flatMap(({ name, accuracy, synthetic }) =>
    accuracy === undefined ? [] : [{ label: name, value: `±${percent(accuracy)} 内`, synthetic }],
  )
  const real = measured.filter(({ synthetic }) => !synthetic)
  const list = (real.length > 0 ? real : measured).slice(0, MAX_GAMES).map(({ label, value }) => ({ label, value }))
  return { title: real.length > 0 ? copy.accuracy : copy.accuracySynthetic, list }
}
