import { useState } from 'react'
import { ApiError } from './error'

interface Saving {
  /** validation message of the input */
  issue: () => string | undefined
  /** the call; `quiet`, because the failure is shown here */
  send: () => Promise<unknown>
  saved: () => void
}

/** Validates and saves one input, ignoring taps while saving; `error` is shown at the input. */
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
      if (!(e instanceof ApiError)) throw e
      setError(e.detail)
    } finally {
      setBusy(false)
    }
  }
  return { error, busy, save: () => void save() }
}
