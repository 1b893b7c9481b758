import { useDidHide, useDidShow } from '@tarojs/taro'
import { useEffect, useRef, useState } from 'react'
import type { AutoTask, TaskStatus } from '@/contract/types'
import { useCall } from './useCall'

/** ms between two looks while the server's own wish is not known */
const DEFAULT_POLL_MS = 5000

const running: readonly TaskStatus[] = ['CREATED', 'WAIT_SCAN', 'SCANNED', 'COLLECTING', 'VALUING']
export const isRunning = ({ status }: Pick<AutoTask, 'status'>) => running.includes(status)

/** A read, looked at as often as the server wishes, while the page is on show; at once when it comes back. */
export function useReadTask(taskId: string) {
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
  // every answer begins the wait anew: one that comes at once is never seen loading
  useEffect(() => {
    if (!data || !isRunning(data) || !visible || loading) return
    const timer = setTimeout(() => void reload(), data.pollAfterMs || DEFAULT_POLL_MS)
    return () => clearTimeout(timer)
  }, [data, visible, loading, reload])
  // what an action answered is newer than the last look, until the next one; looking again at once would, inside the
  // api's 300 ms, only give that last look once more
  const [acted, setActed] = useState<{ after: AutoTask | undefined; task: AutoTask }>()
  const task = acted && acted.after === data ? acted.task : data
  return { load: { ...load, data: task }, onActed: (answer: AutoTask) => setActed({ after: data, task: answer }) }
}
