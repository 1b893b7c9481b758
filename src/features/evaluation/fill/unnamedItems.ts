import { quantityOf } from '@/contract/form/answers'
import type { Answers, FormConfig } from '@/contract/form/types'
import { copy } from '../copy'

/** a count without names is mentioned from here on */
const MIN_UNNAMED_COUNT = 10

/**
 * Warns when a count is much larger than the list that names its items, because the names carry the value. That the
 * two belong together follows from the configuration's cross-check.
 */
export function unnamedItemWarnings(
  { fields, crossChecks = [] }: FormConfig,
  answers: Answers,
): Record<string, string> {
  const fieldOf = (key: string) => fields.find((field) => field.key === key)
  const amount = (key: string) => quantityOf(fieldOf(key), answers[key])
  const short = crossChecks.flatMap(({ parts, whole }): [string, string][] => {
    const list = parts.find((key) => fieldOf(key)?.type === 'roster')
    const all = answers[whole]
    if (list === undefined || typeof all !== 'number' || all < MIN_UNNAMED_COUNT) return []
    if (parts.reduce((sum, key) => sum + amount(key), 0) * 2 >= amount(whole)) return []
    const rows = answers[list]
    return [[list, copy.unnamed(fieldOf(whole)?.label ?? '', all, Array.isArray(rows) ? rows.length : 0)]]
  })
  return Object.fromEntries(short)
}
