import type { Storage } from './port'

/** In memory, for `room` characters; `foreign(key, value)` simulates another tab of the browser. */
export function fakeStorage(initial: Record<string, string> = {}, room = Number.POSITIVE_INFINITY) {
  const data = new Map(Object.entries(initial))
  const listeners = new Set<(key: string | undefined) => void>()
  const storage: Storage = {
    get: (key) => data.get(key),
    set(key, value) {
      const others = [...data].filter(([name]) => name !== key).flat()
      if ([...others, key, value].join('').length > room) return false
      data.set(key, value)
      return true
    },
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
