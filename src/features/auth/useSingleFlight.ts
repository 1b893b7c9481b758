import { useRef, useState } from 'react'

/** Drops further taps while a request is running. */
export function useSingleFlight<What extends string>() {
  const [busy, setBusy] = useState<What>()
  const locked = useRef(false)
  async function once(what: What, work: () => Promise<void>) {
    if (locked.current) return
    locked.current = true
    setBusy(what)
    try {
      await work()
    } finally {
      locked.current = false
      setBusy(undefined)
    }
  }
  return { busy, once }
}
