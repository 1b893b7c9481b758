/**
 * AbortController and AbortSignal in one, because mini-programs have neither: work started with it, for example for a
 * page, is cancelled when it is aborted.
 */
export interface AbortableSignal {
  readonly aborted: boolean
  /** Calls `listener` when it is aborted (immediately if it has been). @returns unregisters it */
  onAbort(listener: () => void): () => void
  abort(): void
}

export function createAbortableSignal(): AbortableSignal {
  const listeners = new Set<() => void>()
  let aborted = false
  return {
    get aborted() {
      return aborted
    },
    onAbort(listener) {
      if (aborted) {
        listener()
        return () => undefined
      }
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    abort() {
      aborted = true
      for (const listener of [...listeners]) listener()
      listeners.clear()
    },
  }
}
