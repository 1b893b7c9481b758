import { useEffect } from 'react'
import { useCall } from '@/api/useCall'
import type { Load } from '@/api/useLoad'
import type { Report } from '@/contract/types'
import { firstScreen } from '@/platform/firstScreen'
import type { ParamsOf } from '@/router/routes'
import { useDidReturn } from '@/router/useDidReturn'

/** Loads the report of a URL; the server-rendered first screen is removed when it has arrived. */
export function useReport({ orderId, reportNo, shareToken }: ParamsOf<'report'>): Load<Report> {
  const load = useCall('evaluation', 'reportGet', { orderId, reportNo, shareToken })
  // it may have been unlocked on the page above
  useDidReturn(() => void load.reload())
  useEffect(() => {
    if (!load.loading) firstScreen.remove()
  }, [load.loading])
  return load
}
