import { useState } from 'react'
import { api } from '@/api'
import { useAction } from '@/api/useAction'
import type { Report } from '@/contract/types'
import { usePageSignal } from '@/router/pageContext'

type Comparable = NonNullable<Report['comparables']>[number]

/** limit of the call */
const MAX_REJECTED = 3

export interface ComparableRow {
  comparable: Comparable
  out: boolean
}

/** The report's comparables keep their places, rejected or not; replacements follow. */
function rowsOf(
  own: readonly Comparable[],
  now: readonly Comparable[],
  rejected: readonly Comparable[],
): ComparableRow[] {
  const kept = own.flatMap((comparable): ComparableRow[] => {
    const newer = now.find(({ id }) => id === comparable.id)
    if (newer) return [{ comparable: newer, out: false }]
    return rejected.some(({ id }) => id === comparable.id) ? [{ comparable, out: true }] : []
  })
  const others = [...rejected, ...now].filter(({ id }) => !kept.some((row) => row.comparable.id === id))
  return [...kept, ...others.map((comparable) => ({ comparable, out: rejected.includes(comparable) }))]
}

/** The price without the rejected comparables, requested at each change; the stored report does not change. */
export function useReprice({ orderId, comparables = [] }: Pick<Report, 'orderId' | 'comparables'>) {
  const signal = usePageSignal()
  const [rejected, setRejected] = useState<Comparable[]>([])
  const [repriced, setRepriced] = useState<Report['repriced']>()
  const { busy, failure: error, run } = useAction()

  const reprice = (next: Comparable[]) =>
    run(async () => {
      if (next.length === 0) {
        setRepriced(undefined)
        return setRejected([])
      }
      const without = next.map(({ id }) => id).join(',')
      const report = await api.evaluation.reportGet({ orderId, without }, { quiet: true, signal })
      setRepriced(report.repriced)
      setRejected(next)
    })

  return {
    rows: rowsOf(comparables, repriced?.comparables ?? comparables, rejected),
    n: rejected.length,
    repriced,
    busy,
    error,
    full: rejected.length === MAX_REJECTED,
    reject: (comparable: Comparable) => void reprice([...rejected, comparable]),
    restore: (comparable: Comparable) => void reprice(rejected.filter(({ id }) => id !== comparable.id)),
  }
}
