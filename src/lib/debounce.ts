export interface Debounced<A extends unknown[]> {
  /** Runs `ms` after the newest call, with its arguments. */
  call(...args: A): void
  /** Runs at once what is waiting. */
  flush(): void
  /** Forgets what is waiting. */
  cancel(): void
}

/** Many calls in a row become one, `ms` after the last of them. */
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
