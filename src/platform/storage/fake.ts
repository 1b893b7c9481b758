import type { Storage } from './port'

/** In memory, for `room` characters. */
export function fakeStorage(initial: Record<string, string> = {}, room = Number.POSITIVE_INFINITY) {
  const data = new Map(Object.entries(initial))
  const storage: Storage = {
    get: (key) => data.get(key),
    set(key, value) {
      const others = [...data].filter(([name]) => name !== key).flat()
      if ([...others, key, value].join('').length > room) return false
      data.set(key, value)
      return true
    },
    remove: (key) => void data.delete(key),
    onForeignChange: () => undefined,
  }
  return { ...storage, data }
}
