export interface Debounced<A extends unknown[]> {
  /** Runs `ms` after the newest call, with its arguments. */
  call(...args: A): void
  /** Runs a pending call immediately. */
  flush(): void
  /** Cancels a pending call. */
  cancel(): void
}

/** Calls `run` once, `ms` after the last of several calls. */
export function debounce<A extends unknown[]>(run: (...args: A) => void, ms: number): Debounced<A> {
  let waiting: { timer: ReturnType<typeof setTimeout>; args: A } | undefined
  const cancel = () => {
    clearTimeout(waiting?.timer)
    waiting = undefined
  }
  const flush = () => {
    const now = waiting
    cancel()
    if (now) run(...now.args)
  }
  return {
    call(...args) {
      cancel()
      waiting = { timer: setTimeout(flush, ms), args }
    },
    flush,
    cancel,
  }
}
