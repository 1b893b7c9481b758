import { useEffect } from 'react'
import { api } from '@/api'
import { type Load, useLoad } from '@/api/useLoad'
import type { Report } from '@/contract/types'
import { firstPaint } from '@/platform/firstPaint'
import type { ParamsOf } from '@/router/routes'

/** The report that an address names; what the server has drawn of it goes when the answer is here. */
export function useReport({ orderId, reportNo, shareToken }: ParamsOf<'report'>): Load<Report> {
  const load = useLoad(`report:${orderId}:${reportNo}:${shareToken}`, (scope) =>
    api.evaluation.reportGet({ orderId, reportNo, shareToken }, { quiet: true, scope }),
  )
  useEffect(() => {
    if (!load.loading) firstPaint.done()
  }, [load.loading])
  return load
}
