interface Line<R> {
  current: Promise<R>
  /** calls that arrived while `current` runs */
  waiting: number
  next: Promise<R> | undefined
  startedAt: number
}

/**
 * Lets one call at a time run for each key; those that arrive meanwhile are served by one run together, which begins
 * after all of them. For counters, where otherwise every call queues for the same row, each for as long as a commit
 * takes; and for reads that must not be older than the call.
 * @param run does the work of so many calls; what it throws, all of them get
 * @param scopeOf what calls of the same work have in common
 * @param everyMs ms from the beginning of one run to that of the next, for work that costs the same for one call as for
 * a thousand; a call waits that much longer at most
 */
export function combineCalls<S extends object, A, R>(
  run: (scope: S, args: A, times: number) => Promise<R>,
  scopeOf: (scope: S) => object = (scope) => scope,
  everyMs = 0,
) {
  const scopes = new WeakMap<object, Map<string, Line<R>>>()

  /** Calls with equal arguments in the same scope belong together. */
  return (scope: S, args: A): Promise<R> => {
    const lines = scopes.get(scopeOf(scope)) ?? new Map<string, Line<R>>()
    scopes.set(scopeOf(scope), lines)
    const key = JSON.stringify(args)

    const begin = (times: number): Promise<R> => {
      const over = () => {
        if (line.waiting === 0) lines.delete(key)
      }
      const startedAt = performance.now()
      const line: Line<R> = { current: run(scope, args, times).finally(over), waiting: 0, next: undefined, startedAt }
      lines.set(key, line)
      return line.current
    }

    const line = lines.get(key)
    if (!line) return begin(1)
    line.waiting += 1
    const next = async () => {
      const restMs = line.startedAt + everyMs - performance.now()
      if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs))
      return begin(line.waiting)
    }
    line.next ??= line.current.then(next, next)
    return line.next
  }
}
