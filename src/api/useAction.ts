import { useRef, useState } from 'react'
import { ApiError } from './error'

/** Text to show for an error; undefined if it is shown elsewhere, or not at all. */
type FailureText = (e: ApiError) => string | undefined | Promise<undefined>

/**
 * Something that a tap starts: one at a time, further taps are ignored meanwhile. `failure`: why it could not be done, from the
 * last call or set by the screen. Errors that are not the api's are rethrown.
 */
export function useAction() {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const isRunning = useRef(false)
  async function run(work: () => Promise<unknown>, textOf: FailureText = (e) => e.detail) {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setFailure(undefined)
    try {
      await work()
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
      setFailure(await textOf(e))
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }
  return { busy, failure, setFailure, run }
}
