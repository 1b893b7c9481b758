import { useEffect } from 'react'
import { usePageVisible } from '@/lib/usePageVisible'
import type { Load } from './useLoad'

/** Reloads every `interval` ms while `running` and the page is visible. @returns whether it is */
export function usePolling(
  { loading, reload }: Pick<Load<unknown>, 'loading' | 'reload'>,
  running: boolean,
  interval: number,
): boolean {
  const visible = usePageVisible()
  useEffect(() => {
    if (!running || !visible || loading) return
    const timer = setTimeout(() => void reload(), interval)
    return () => clearTimeout(timer)
  }, [running, visible, loading, reload, interval])
  return visible
}
