interface Queue<R> {
  current: Promise<R>
  /** calls that arrived while `current` runs */
  waiting: number
  next: Promise<R> | undefined
  /** ms of the monotonic clock: until then, `current` also serves calls that arrive after it began */
  freshUntil: number
}

/**
 * Request coalescing: one run at a time for each key; the calls that arrive meanwhile share the next run, which begins
 * after all of them. For counters, where otherwise every call queues for the same row, each for as long as a commit
 * takes; and for reads that must not be older than the call.
 * @param run does the work of `times` calls; what it throws, all of them get
 * @param ownerOf calls are coalesced if this object is the same and their arguments are equal
 * @param maxAgeMs a call is served by a run that began at most so many ms before it; with 0, only by one that begins after it
 */
export function coalesceCalls<C extends object, A, R>(
  run: (context: C, args: A, times: number) => Promise<R>,
  ownerOf: (context: C) => object = (context) => context,
  maxAgeMs = 0,
) {
  const owners = new WeakMap<object, Map<string, Queue<R>>>()

  return (context: C, args: A): Promise<R> => {
    const queues = owners.get(ownerOf(context)) ?? new Map<string, Queue<R>>()
    owners.set(ownerOf(context), queues)
    const key = JSON.stringify(args)

    const begin = (times: number): Promise<R> => {
      const remove = () => {
        if (queue.waiting === 0 && queues.get(key) === queue) queues.delete(key)
      }
      const freshUntil = performance.now() + maxAgeMs
      const over = () => {
        const restMs = freshUntil - performance.now()
        if (restMs > 0) setTimeout(remove, restMs).unref()
        else remove()
      }
      const queue: Queue<R> = {
        current: run(context, args, times).finally(over),
        waiting: 0,
        next: undefined,
        freshUntil,
      }
      queues.set(key, queue)
      return queue.current
    }

    const queue = queues.get(key)
    if (!queue) return begin(1)
    if (performance.now() < queue.freshUntil) return queue.current
    queue.waiting += 1
    const next = () => begin(queue.waiting)
    queue.next ??= queue.current.then(next, next)
    return queue.next
  }
}
