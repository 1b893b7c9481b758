import Taro from '@tarojs/taro'
import type { Storage } from './port'

/** In-memory copy for this visit, used when the store is full. */
const memory = new Map<string, string>()

export const storage: Storage = {
  get(key) {
    const kept = memory.get(key)
    if (kept !== undefined) return kept
    try {
      const value = Taro.getStorageSync(key)
      return typeof value === 'string' && value !== '' ? value : undefined
    } catch {
      return undefined
    }
  },
  set(key, value) {
    try {
      Taro.setStorageSync(key, value)
      memory.delete(key)
      return true
    } catch {
      memory.set(key, value)
      return false
    }
  },
  remove(key) {
    memory.delete(key)
    try {
      Taro.removeStorageSync(key)
    } catch {
      // an entry that cannot be removed cannot be read either
    }
  },
  onForeignChange: () => undefined,
}
