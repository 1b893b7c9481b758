export interface Network {
  online(): boolean
  /** The answer stops listening. */
  onChange(listener: (online: boolean) => void): () => void
}
