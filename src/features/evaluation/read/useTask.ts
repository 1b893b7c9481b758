import { useDidHide, useDidShow } from '@tarojs/taro'
import { useEffect, useRef, useState } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import type { AutoTask } from '@/contract/types'
import { isRunning } from './model'

/** ms between two looks while the server's own wish is not known */
const FALLBACK = 5000

/** A read, looked at as often as the server wishes, while the page is on show; at once when it comes back. */
export function useTask(taskId: string) {
  const load = useLoad(`task:${taskId}`, (scope) => api.evaluation.taskRecord({ taskId }, { quiet: true, scope }))
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
  const running = data !== undefined && isRunning(data)
  const wait = data?.pollAfterMs || FALLBACK
  useEffect(() => {
    if (!running || !visible || loading) return
    const timer = setTimeout(() => void reload(), wait)
    return () => clearTimeout(timer)
  }, [running, visible, loading, wait, reload])
  // what an action answered is newer than the last look, until the next one; looking again at once would, inside the
  // api's 300 ms, only give that last look once more
  const [acted, setActed] = useState<{ after: AutoTask | undefined; task: AutoTask }>()
  const task = acted && acted.after === data ? acted.task : data
  return { load: { ...load, data: task }, onActed: (answer: AutoTask) => setActed({ after: data, task: answer }) }
}

/** Whole seconds until `at` (ms). */
export function useSecondsLeft(at: number): number {
  const [now, setNow] = useState(Date.now)
  const ticking = at > now
  useEffect(() => {
    if (!ticking) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [ticking])
  return Math.max(0, Math.ceil((at - now) / 1000))
}
