import type { Storage } from './port'

/** In memory; `foreign(key, value)` simulates another tab of the browser. */
export function fakeStorage(initial: Record<string, string> = {}) {
  const data = new Map(Object.entries(initial))
  const listeners = new Set<(key: string | undefined) => void>()
  const storage: Storage = {
    get: (key) => data.get(key),
    set: (key, value) => void data.set(key, value),
    remove: (key) => void data.delete(key),
    onForeignChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return {
    ...storage,
    data,
    foreign(key: string, value: string | undefined) {
      if (value === undefined) data.delete(key)
      else data.set(key, value)
      for (const listener of listeners) listener(key)
    },
  }
}
