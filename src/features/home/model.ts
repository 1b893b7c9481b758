import type { Mode } from '@/contract/form/types'
import { count, percent } from '@/contract/format'
import type { GameItem, HomeCounts, OpenPayStatus } from '@/contract/types'
import { buildUrl } from '@/router/params'
import { copy } from './copy'

/** The tab with all games, which opens without a login. */
export const gamesUrl = (mode: Mode) => buildUrl('evaluation', { mode })

/** The human service as the entry card shows it; the server names a price only where something is for sale. */
export function manualEntry(status: OpenPayStatus | undefined): { note: string; soon: boolean } {
  const from = status?.manualFromFen
  return { note: from === undefined ? copy.manualNoPrice : copy.manualFrom(from), soon: status?.manual === false }
}

export interface Figure {
  label: string
  value: string
}

/** Below this a number of users or reports says more about our age than about us. */
const MIN_SHOWN_COUNT = 100
const isShown = (n: number | undefined): n is number => n !== undefined && n >= MIN_SHOWN_COUNT

/** Real numbers only: what the server does not know, or what is still small, is left out. */
export function figures(counts: HomeCounts | undefined): Figure[] {
  const { reports, users, games } = counts ?? {}
  const known = [
    ...(isShown(reports) ? [{ label: copy.countReports, value: count(reports) }] : []),
    ...(isShown(users) ? [{ label: copy.countUsers, value: count(users) }] : []),
    ...(games ? [{ label: copy.countGames, value: count(games) }] : []),
  ]
  // a single number in a row of its own says nothing
  return known.length > 1 ? known : []
}

/** as many as two rows hold */
const MAX_GAMES = 6

/** The median error of the games most asked for; of real sales where there are any, else said to be of generated ones. */
export function accuracies(games: readonly GameItem[] = []): { title: string; list: Figure[] } {
  const measured = games.flatMap(({ name, accuracy, synthetic }) =>
    accuracy === undefined ? [] : [{ label: name, value: `±${percent(accuracy)} 内`, synthetic }],
  )
  const real = measured.filter(({ synthetic }) => !synthetic)
  const list = (real.length > 0 ? real : measured).slice(0, MAX_GAMES).map(({ label, value }) => ({ label, value }))
  return { title: real.length > 0 ? copy.accuracy : copy.accuracySynthetic, list }
}
