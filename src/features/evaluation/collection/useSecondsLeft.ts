import { useEffect, useState } from 'react'

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
