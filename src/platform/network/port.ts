export interface Network {
  online(): boolean
  /** @returns unsubscribes */
  onChange(listener: (online: boolean) => void): () => void
}
