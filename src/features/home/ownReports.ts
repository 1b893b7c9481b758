/** What home says about the reports of its user: a question about the sale, and the market of their game. */
import { count, percent } from '@/contract/format'
import { DAY_MS } from '@/contract/time'
import type { MarketPage, Order, SaleFollowUp } from '@/contract/types'
import { copy } from './copy'

/** days after a report between which its owner is asked whether the account was sold, and pause after news of an offer */
const ASK = { from: 7 * DAY_MS, until: 45 * DAY_MS, again: 7 * DAY_MS } as const

/** The newest order of a game whose report is old enough to ask about. @param list newest first */
export const reportToAsk = (list: readonly Order[], now: number): Order | undefined =>
  list.find(({ gameId, reportedAt = 0 }, i) => {
    const isNewest = list.findIndex((one) => one.gameId === gameId) === i
    return isNewest && reportedAt <= now - ASK.from && reportedAt > now - ASK.until
  })

/** Whether the owner has not said yet how the sale ended. */
export const isToAsk = ({ open, correction, answer }: SaleFollowUp, now: number): boolean =>
  open && !correction && (answer === undefined || answer.toldAt <= now - ASK.again)

const WEEKS = 4
/** smaller changes are noise */
const FLAT = 0.005

const known = ({ weeks }: Pick<MarketPage, 'weeks'>) =>
  weeks.flatMap(({ at, index }) => (index === null ? [] : [{ at, index }]))

/** How the prices of a game moved within four weeks, and its volume; undefined with too few weeks. */
export function marketText(page: Pick<MarketPage, 'weeks' | 'sold30' | 'syntheticShare'>): string | undefined {
  const [now, before] = [known(page).at(-1), known(page).at(-1 - WEEKS)]
  if (!now || !before) return undefined
  const change = now.index / before.index - 1
  const by = percent(Math.abs(change))
  const words = Math.abs(change) < FLAT ? copy.flat : change > 0 ? copy.rose(by) : copy.fell(by)
  const share = page.syntheticShare
  return copy.marketText(words, count(page.sold30), share > 0 ? percent(share, 0) : undefined)
}

const MAX_WEEKS = 20

/** Per cent of the picture's height of the last weeks: the lowest a tenth of the highest. */
export function weekHeights(page: Pick<MarketPage, 'weeks'>): { at: number; height: number }[] {
  const last = known(page).slice(-MAX_WEEKS)
  const all = last.map(({ index }) => index)
  const [low, high] = [Math.min(...all), Math.max(...all)]
  const room = Math.max(1, high - low)
  return last.map(({ at, index }) => ({ at, height: Math.round(10 + (90 * (index - low)) / room) }))
}
