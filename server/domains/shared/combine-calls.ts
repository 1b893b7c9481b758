interface Line<R> {
  current: Promise<R>
  /** calls that arrived while `current` runs */
  waiting: number
  next: Promise<R> | undefined
  /** ms of the monotonic clock: until then, `current` also serves calls that arrive after it began */
  freshUntil: number
}

/**
 * Lets one call at a time run for each key; those that arrive meanwhile are served by one run together, which begins
 * after all of them. For counters, where otherwise every call queues for the same row, each for as long as a commit
 * takes; and for reads that must not be older than the call.
 * @param run does the work of so many calls; what it throws, all of them get
 * @param scopeOf what calls of the same work have in common
 * @param maxAgeMs a call is served by a run that began at most so many ms before it; with 0, only by one that begins after it
 */
export function combineCalls<S extends object, A, R>(
  run: (scope: S, args: A, times: number) => Promise<R>,
  scopeOf: (scope: S) => object = (scope) => scope,
  maxAgeMs = 0,
) {
  const scopes = new WeakMap<object, Map<string, Line<R>>>()

  /** Calls with equal arguments in the same scope belong together. */
  return (scope: S, args: A): Promise<R> => {
    const lines = scopes.get(scopeOf(scope)) ?? new Map<string, Line<R>>()
    scopes.set(scopeOf(scope), lines)
    const key = JSON.stringify(args)

    const begin = (times: number): Promise<R> => {
      const remove = () => {
        if (line.waiting === 0 && lines.get(key) === line) lines.delete(key)
      }
      const freshUntil = performance.now() + maxAgeMs
      const over = () => {
        const restMs = freshUntil - performance.now()
        if (restMs > 0) setTimeout(remove, restMs).unref()
        else remove()
      }
      const line: Line<R> = { current: run(scope, args, times).finally(over), waiting: 0, next: undefined, freshUntil }
      lines.set(key, line)
      return line.current
    }

    const line = lines.get(key)
    if (!line) return begin(1)
    if (performance.now() < line.freshUntil) return line.current
    line.waiting += 1
    const next = () => begin(line.waiting)
    line.next ??= line.current.then(next, next)
    return line.next
  }
}
