/** The life of something, e.g. of a page: work started inside it is given up when it ends. */
export interface Scope {
  readonly ended: boolean
  /** Runs `undo` when the scope ends (at once when it has); the answer takes it off again. */
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
