/** Lifetime of e.g. a page: work started within it is cancelled when it ends. */
export interface Scope {
  readonly ended: boolean
  /** Runs `undo` when the scope ends (immediately if it has ended). @returns unregisters it */
  onEnd(undo: () => void): () => void
  end(): void
}

export function createScope(): Scope {
  const undos = new Set<() => void>()
  let ended = false
  return {
    get ended() {
      return ended
    },
    onEnd(undo) {
      if (ended) {
        undo()
        return () => undefined
      }
      undos.add(undo)
      return () => undos.delete(undo)
    },
    end() {
      ended = true
      for (const undo of [...undos]) undo()
      undos.clear()
    },
  }
}
