/** What home says about the reports of its user: a question about the sale, and the market of their game. */
import { count, percent } from '@/contract/format'
import { DAY_MS } from '@/contract/time'
import type { MarketPage, Order, SaleFollowUp } from '@/contract/types'
import { copy } from './copy'

/** ms after a report between which its owner is asked about the sale; `again`: pause after the answer that it is only listed */
const FOLLOW_UP = { from: 7 * DAY_MS, until: 45 * DAY_MS, again: 7 * DAY_MS } as const

/** The newest order of a game whose report is old enough to ask about. @param list newest first */
export const reportToFollowUp = (list: readonly Order[], now: number): Order | undefined =>
  list.find(({ gameId, reportedAt = 0 }, i) => {
    const isNewest = list.findIndex((one) => one.gameId === gameId) === i
    return isNewest && reportedAt <= now - FOLLOW_UP.from && reportedAt > now - FOLLOW_UP.until
  })

/** Whether the owner has not said yet how the sale ended. */
export const isFollowUpDue = ({ open, correction, answer }: SaleFollowUp, now: number): boolean =>
  open && !correction && (answer === undefined || answer.toldAt <= now - FOLLOW_UP.again)

const WEEKS = 4
/** smaller changes are noise */
const FLAT = 0.005

const indexedWeeks = ({ weeks }: Pick<MarketPage, 'weeks'>) =>
  weeks.flatMap(({ at, index }) => (index === null ? [] : [{ at, index }]))

/** The newest week with an index, which the current one may lack so far, and that of four weeks before. */
function fourWeeks({ weeks }: Pick<MarketPage, 'weeks'>) {
  const end = weeks.length - 1
  const last = (weeks[end]?.index ?? null) === null ? end - 1 : end
  return [weeks[last]?.index, weeks[last - WEEKS]?.index]
}

/** How the prices of a game moved within four weeks, and its volume; undefined where one of both weeks has no index. */
export function marketText(page: Pick<MarketPage, 'weeks' | 'sold30' | 'syntheticShare'>): string | undefined {
  const [now, before] = fourWeeks(page)
  if (!now || !before) return undefined
  const change = now / before - 1
  const by = percent(Math.abs(change))
  const words = Math.abs(change) < FLAT ? copy.flat : change > 0 ? copy.rose(by) : copy.fell(by)
  const share = page.syntheticShare
  return copy.marketText(words, count(page.sold30), share > 0 ? percent(Math.ceil(share * 100) / 100, 0) : undefined)
}

const MAX_WEEKS = 20

/** Bar heights of the last weeks in per cent: 10 for the lowest index, 100 for the highest if they differ by at least a point. */
export function weekHeights(page: Pick<MarketPage, 'weeks'>): { at: number; height: number }[] {
  const last = indexedWeeks(page).slice(-MAX_WEEKS)
  const all = last.map(({ index }) => index)
  const [low, high] = [Math.min(...all), Math.max(...all)]
  const room = Math.max(1, high - low)
  return last.map(({ at, index }) => ({ at, height: Math.round(10 + (90 * (index - low)) / room) }))
}
