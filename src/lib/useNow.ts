import { useEffect, useReducer } from 'react'
import { usePageVisible } from './usePageVisible'

/** `Date.now()`, read anew every second until `end` (ms by this device's clock) while the page is on show. */
export function useNow(end: number): number {
  const [, redraw] = useReducer((n: number) => n + 1, 0)
  const visible = usePageVisible()
  const now = Date.now()
  const ticking = visible && now < end
  useEffect(() => {
    if (!ticking) return
    const timer = setInterval(redraw, 1000)
    return () => clearInterval(timer)
  }, [ticking])
  return now
}
