/** Prefix of keys in a browser's storage: other applications may live on the same origin. */
export const PREFIX = 'gav.'

/** Small synchronous text store. Never throws: a full, blocked or damaged store behaves like an empty one. */
export interface Storage {
  get(key: string): string | undefined
  /** @returns whether the value outlives this visit */
  set(key: string, value: string): boolean
  remove(key: string): void
  /** Calls `listener` when another tab of the browser changed `key`; never in the mini-program, which has no tabs. */
  onForeignChange(key: string, listener: () => void): void
}
