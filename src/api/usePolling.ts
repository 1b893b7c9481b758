import { useDidHide, useDidShow } from '@tarojs/taro'
import { useEffect, useState } from 'react'
import type { Load } from './useLoad'

/** Reloads every `interval` ms while `running` and the page is visible. @returns whether it is */
export function usePolling(
  { loading, reload }: Pick<Load<unknown>, 'loading' | 'reload'>,
  running: boolean,
  interval: number,
): boolean {
  const [visible, setVisible] = useState(true)
  useDidShow(() => setVisible(true))
  useDidHide(() => setVisible(false))
  useEffect(() => {
    if (!running || !visible || loading) return
    const timer = setTimeout(() => void reload(), interval)
    return () => clearTimeout(timer)
  }, [running, visible, loading, reload, interval])
  return visible
}
