import { count, percent } from '@/contract/format'
import type { HomeCounts, OpenPayStatus } from '@/contract/types'
import type { Shell } from '@/session/state'
import { copy } from './copy'

/** The human service as the entry card shows it. */
export function manualEntry(status: OpenPayStatus | undefined, shell: Shell): { note: string; soon: boolean } {
  // product 4.1: while paying is off, app shells show neither prices nor the words of buying; plain h5 may
  const quiet = shell !== 'h5' && status?.pay !== 'NORMAL' && status?.pay !== 'VIRTUAL'
  return { note: quiet ? copy.manualNoPrice : copy.manualNote, soon: status?.manual === false }
}

export interface Figure {
  label: string
  value: string
  /** leads to how it was measured */
  measured?: true
}

/** Below this a number of users or reports says more about our age than about us. */
const WORTH_TELLING = 100
const telling = (n: number | undefined): n is number => n !== undefined && n >= WORTH_TELLING

/** Real numbers only: what the server does not know, or what is still small, is left out. */
export function figures(counts: HomeCounts | undefined): Figure[] {
  const { reports, users, games, accuracyMedian, synthetic } = counts ?? {}
  const all: (Figure | undefined)[] = [
    telling(reports) ? { label: copy.countReports, value: count(reports) } : undefined,
    telling(users) ? { label: copy.countUsers, value: count(users) } : undefined,
    games ? { label: copy.countGames, value: count(games) } : undefined,
    accuracyMedian === undefined
      ? undefined
      : { label: synthetic ? copy.countSynthetic : copy.countAccuracy, value: percent(accuracyMedian), measured: true },
  ]
  const known = all.filter((one): one is Figure => one !== undefined)
  // a single number in a row of its own says nothing
  return known.length > 1 ? known : []
}
