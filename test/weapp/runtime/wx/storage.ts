/** Storage of the mini-program, kept in localStorage so that it survives a cold start. */
import { type Api, calls, Refused } from './call'

const PREFIX = 'weapp:'
const ITEM_LIMIT = 1024 * 1024
const TOTAL_LIMIT = 10 * 1024 * 1024

const keys = () => Object.keys(localStorage).filter((k) => k.startsWith(PREFIX))
const size = () => keys().reduce((sum, k) => sum + (localStorage.getItem(k)?.length ?? 0), 0)

function checkKey(key: unknown): string {
  if (typeof key !== 'string' || key === '') throw new Refused('parameter error: parameter.key should be String')
  return PREFIX + key
}

function get(key: unknown): unknown {
  const text = localStorage.getItem(checkKey(key))
  return text === null ? undefined : JSON.parse(text)
}

function set(key: unknown, data: unknown) {
  const text = JSON.stringify(data) ?? 'null'
  if (text.length > ITEM_LIMIT) throw new Refused('exceed storage item max length')
  if (size() + text.length > TOTAL_LIMIT) throw new Refused('exceed storage max size')
  localStorage.setItem(checkKey(key), text)
}

const remove = (key: unknown) => localStorage.removeItem(checkKey(key))
const clear = () => {
  for (const key of keys()) localStorage.removeItem(key)
}
const info = () => ({
  keys: keys().map((k) => k.slice(PREFIX.length)),
  currentSize: Math.ceil(size() / 1024),
  limitSize: TOTAL_LIMIT / 1024,
})

/** The synchronous variants throw the text of errMsg. */
function sync<A extends unknown[], R>(name: string, run: (...args: A) => R) {
  return (...args: A): R => {
    try {
      return run(...args)
    } catch (error) {
      throw error instanceof Refused ? new Error(`${name}:fail ${error.reason}`) : error
    }
  }
}

export const storageApi: Record<string, Api> = {
  ...calls({
    getStorage: ({ key }: { key: string }) => {
      const data = get(key)
      if (data === undefined) throw new Refused('data not found')
      return { data }
    },
    setStorage: ({ key, data }: { key: string; data: unknown }) => set(key, data),
    removeStorage: ({ key }: { key: string }) => remove(key),
    clearStorage: clear,
    getStorageInfo: info,
  }),
  // a missing key returns the empty string
  getStorageSync: sync('getStorageSync', (key: unknown) => get(key) ?? ''),
  setStorageSync: sync('setStorageSync', set),
  removeStorageSync: sync('removeStorageSync', remove),
  clearStorageSync: clear,
  getStorageInfoSync: info,
}
