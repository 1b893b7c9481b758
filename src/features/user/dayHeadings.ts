import { pastDayText } from '@/contract/timeText'

interface Dated {
  id: string
  /** ms */
  createdAt: number
}

/** Headings of a list that is sorted by time: the id of each day's first entry and the day, `今天`. */
export function dayHeadings(list: readonly Dated[], now: number): Map<string, string> {
  const headings = new Map<string, string>()
  let last: string | undefined
  for (const { id, createdAt } of list) {
    const day = pastDayText(createdAt, now)
    if (day !== last) headings.set(id, day)
    last = day
  }
  return headings
}
