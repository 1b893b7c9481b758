import { useAction } from './useAction'

interface Saving {
  /** validation message of the input */
  issue: () => string | undefined
  /** the call; `quiet`, because the failure is shown here */
  send: () => Promise<unknown>
  saved: () => void
}

/** Validates and saves one input; `error` is shown at the input. */
export function useSave({ issue, send, saved }: Saving) {
  const { failure, setFailure, busy, run } = useAction()
  function save() {
    const found = issue()
    if (found) return setFailure(found)
    void run(async () => {
      await send()
      saved()
    })
  }
  return { error: failure, busy, save }
}
