import { useEffect } from 'react'
import { useCall } from '@/api/useCall'
import type { Load } from '@/api/useLoad'
import type { Report } from '@/contract/types'
import { firstPaint } from '@/platform/firstPaint'
import type { ParamsOf } from '@/router/routes'

/** The report that an address names; what the server has drawn of it goes when the answer is here. */
export function useReport({ orderId, reportNo, shareToken }: ParamsOf<'report'>): Load<Report> {
  const load = useCall('evaluation', 'reportGet', { orderId, reportNo, shareToken })
  useEffect(() => {
    if (!load.loading) firstPaint.done()
  }, [load.loading])
  return load
}
