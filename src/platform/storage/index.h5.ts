import { PREFIX, type Storage } from './port'

/** In-memory copy for this visit, used when the browser cannot store (private mode, full disk). */
const memory = new Map<string, string>()

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

export const storage: Storage = {
  get: (key) => memory.get(key) ?? attempt(() => localStorage.getItem(PREFIX + key)) ?? undefined,
  set(key, value) {
    const stored = attempt(() => {
      localStorage.setItem(PREFIX + key, value)
      return true
    })
    if (stored) memory.delete(key)
    else memory.set(key, value)
    return stored === true
  },
  remove(key) {
    memory.delete(key)
    attempt(() => localStorage.removeItem(PREFIX + key))
  },
  onForeignChange(key, listener) {
    window.addEventListener('storage', (e) => (e.key === null || e.key === PREFIX + key) && listener())
  },
}
