import type { Contrast } from '@/contract/types'

/** Order ids from the URL; undefined unless there are two to four different ones. */
export function orderIdsOf(text: string | undefined): string[] | undefined {
  const ids = [...new Set((text ?? '').split(',').filter((id) => /^[A-Za-z0-9_-]{1,64}$/.test(id)))]
  return ids.length >= 2 && ids.length <= 4 ? ids : undefined
}

export const hasDifferences = ({ values }: Contrast['rows'][number]): boolean => new Set(values).size > 1

/** Splits the server's summary into sentences. */
export const splitSentences = (summary: string): string[] => summary.match(/[^。]+。?/g) ?? []
