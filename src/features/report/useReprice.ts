import { useState } from 'react'
import { api } from '@/api'
import { useAction } from '@/api/useAction'
import { estimate } from '@/contract/format'
import type { Report } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { usePageSignal } from '@/router/pageContext'
import { copy } from './copy'

type Comparable = NonNullable<Report['comparables']>[number]

/** limit of the call */
const MAX_REJECTED = 3

export interface ComparableRow {
  one: Comparable
  out: boolean
}

/** The report's comparables keep their places, rejected or not; replacements follow. */
function rowsOf(
  own: readonly Comparable[],
  now: readonly Comparable[],
  rejected: readonly Comparable[],
): ComparableRow[] {
  const kept = own.flatMap((one): ComparableRow[] => {
    const newer = now.find(({ id }) => id === one.id)
    if (newer) return [{ one: newer, out: false }]
    return rejected.some(({ id }) => id === one.id) ? [{ one, out: true }] : []
  })
  const others = [...rejected, ...now].filter(({ id }) => !kept.some((row) => row.one.id === id))
  return [...kept, ...others.map((one) => ({ one, out: rejected.includes(one) }))]
}

/** The price without the rejected comparables, requested at each change; the stored report does not change. */
export function useReprice({ orderId, comparables = [] }: Pick<Report, 'orderId' | 'comparables'>) {
  const signal = usePageSignal()
  const [rejected, setRejected] = useState<Comparable[]>([])
  const [repriced, setRepriced] = useState<Report['repriced']>()
  const { busy, failure: error, setFailure: setError, run } = useAction()

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
      // the result above the list may be outside the visible area; the row says it too
      if (report.repriced) dialog.toast(copy.repricedNews(estimate(report.repriced.price.predictFen)))
    })

  return {
    rows: rowsOf(comparables, repriced?.comparables ?? comparables, rejected),
    n: rejected.length,
    repriced,
    busy,
    error,
    reject(one: Comparable) {
      if (rejected.length < MAX_REJECTED) return void reprice([...rejected, one])
      setError(copy.rejectMost)
      dialog.toast(copy.rejectMost)
    },
    restore: (one: Comparable) => void reprice(rejected.filter(({ id }) => id !== one.id)),
  }
}
