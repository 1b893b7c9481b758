import type { Contrast } from '@/contract/types'

/** Order ids from the URL; undefined unless there are two to four different ones. */
export function orderIdsOf(text: string | undefined): string[] | undefined {
  const ids = [...new Set((text ?? '').split(',').filter((id) => /^[A-Za-z0-9_-]{1,64}$/.test(id)))]
  return ids.length >= 2 && ids.length <= 4 ? ids : undefined
}

export const hasDifferences = ({ values }: Contrast['rows'][number]): boolean => new Set(values).size > 1

/** Splits the server's summary into sentences. */
export const splitSentences = (summary: string): string[] => summary.match(/[^。]+。?/g) ?? []

/** A number with its unit: `412`, `¥2,323`, `93%`, `12 个`, `257款`. */
const amount = /^¥?([\d,]+(?:\.\d+)?)(?:%| ?\p{Script=Han}{1,2})?$/u

/**
 * Lengths of a row's bars, the largest being 1; undefined unless all its values are numbers (an unanswered one is 0), and
 * where they are equal, because bars of one length show nothing.
 */
export function barsOf(row: Contrast['rows'][number]): number[] | undefined {
  const { values } = row
  if (!hasDifferences(row)) return undefined
  const numbers = values.map((text) => {
    if (text === '未填') return 0
    const digits = amount.exec(text)?.[1]
    return digits === undefined ? undefined : Number(digits.replace(/,/g, ''))
  })
  const given = numbers.filter((value) => value !== undefined)
  const most = Math.max(0, ...given)
  return given.length === values.length && most > 0 ? given.map((value) => value / most) : undefined
}
