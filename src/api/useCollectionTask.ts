import { useDidHide, useDidShow } from '@tarojs/taro'
import { useEffect, useRef, useState } from 'react'
import type { AutoTask, TaskStatus } from '@/contract/types'
import { useCall } from './useCall'

/** poll interval until the server has named one */
const DEFAULT_POLL_MS = 5000

const running: readonly TaskStatus[] = ['CREATED', 'WAIT_SCAN', 'SCANNED', 'COLLECTING', 'VALUING']
export const isRunning = ({ status }: Pick<AutoTask, 'status'>) => running.includes(status)

/**
 * A collection task, polled at the server's interval while the page is visible, and immediately when it is shown again.
 */
export function useCollectionTask(taskId: string) {
  const load = useCall('evaluation', 'taskRecord', { taskId })
  const { data, loading, reload } = load
  const [visible, setVisible] = useState(true)
  const hidden = useRef(false)
  useDidHide(() => {
    hidden.current = true
    setVisible(false)
  })
  useDidShow(() => {
    setVisible(true)
    if (hidden.current) void reload()
    hidden.current = false
  })
  // restart the timer after every response: a synchronous one never sets the loading state
  useEffect(() => {
    if (!data || !isRunning(data) || !visible || loading) return
    const timer = setTimeout(() => void reload(), data.pollAfterMs || DEFAULT_POLL_MS)
    return () => clearTimeout(timer)
  }, [data, visible, loading, reload])
  // the response of an action is newer than the last poll; polling again at once would return the
  // last poll's response, which the api shares for 300 ms
  const [acted, setActed] = useState<{ after: AutoTask | undefined; task: AutoTask }>()
  const task = acted && acted.after === data ? acted.task : data
  return { load: { ...load, data: task }, onActed: (response: AutoTask) => setActed({ after: data, task: response }) }
}
