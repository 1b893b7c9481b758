import { useState } from 'react'
import { api } from '@/api'
import { AppError } from '@/api/error'
import type { Report } from '@/contract/types'
import { usePageScope } from '@/router/pageContext'
import { copy } from './copy'

type Comparable = NonNullable<Report['comparables']>[number]

/** rule of the call: more ids are refused */
export const MOST_REJECTED = 3

/** The price without some comparables, asked of the server at each change; the report itself stays as it is. */
export function useReprice({ orderId, comparables = [] }: Pick<Report, 'orderId' | 'comparables'>) {
  const scope = usePageScope()
  const [rejected, setRejected] = useState<Comparable[]>([])
  const [repriced, setRepriced] = useState<Report['repriced']>()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState('')

  async function ask(next: Comparable[]) {
    setFault('')
    if (next.length === 0) {
      setRepriced(undefined)
      setRejected([])
      return
    }
    setBusy(true)
    try {
      const without = next.map(({ id }) => id).join(',')
      const report = await api.evaluation.reportGet({ orderId, without }, { quiet: true, scope })
      setRepriced(report.repriced)
      setRejected(next)
    } catch (e) {
      if (!(e instanceof AppError)) throw e
      setFault(e.serverMsg ?? e.msg)
    } finally {
      setBusy(false)
    }
  }

  return {
    shown: repriced?.comparables ?? comparables,
    rejected,
    repriced,
    busy,
    fault,
    reject(one: Comparable) {
      if (rejected.length >= MOST_REJECTED) setFault(copy.rejectMost)
      else void ask([...rejected, one])
    },
    restore: (one: Comparable) => void ask(rejected.filter(({ id }) => id !== one.id)),
  }
}
