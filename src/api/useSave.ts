import { useState } from 'react'
import { AppError } from './error'

interface Saving {
  /** what of the typed text the server would refuse */
  issue: () => string | undefined
  /** the call; `quiet`, because its failure is said here */
  send: () => Promise<unknown>
  saved: () => void
}

/** One box that is checked, sent once however often it is tapped, and told why it was refused; `error` stands at the box. */
export function useSave({ issue, send, saved }: Saving) {
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function save() {
    const found = issue()
    setError(found)
    if (found || busy) return
    setBusy(true)
    try {
      await send()
      saved()
    } catch (e) {
      if (!(e instanceof AppError)) throw e
      setError(e.detail)
    } finally {
      setBusy(false)
    }
  }
  return { error, busy, save: () => void save() }
}
