import { useRef, useState } from 'react'
import { storage } from '@/platform/storage'
import { DRAFT_LIFETIME_MS, parse } from './drafts'
import { isPlain } from './persist'
import { session } from './store'

/** Unsent input of the latest user who typed any, by form. */
export const KEPT_INPUT_KEY = 'input:kept'

/** Unsent input of the current user. */
function readAll(): Record<string, unknown> {
  const stored = parse(storage.get(KEPT_INPUT_KEY))
  const { userId } = session()
  if (!isPlain(stored) || userId === undefined || stored.owner !== userId || !isPlain(stored.forms)) return {}
  return typeof stored.at === 'number' && Date.now() - stored.at < DRAFT_LIFETIME_MS ? stored.forms : {}
}

function write(key: string, value: object | undefined) {
  const { userId: owner } = session()
  if (owner === undefined) return
  const { [key]: _, ...others } = readAll()
  const forms = value ? { ...others, [key]: value } : others
  if (Object.keys(forms).length === 0) storage.remove(KEPT_INPUT_KEY)
  else storage.set(KEPT_INPUT_KEY, JSON.stringify({ owner, at: Date.now(), forms }))
}

/** Whether a stored value can stand in for `initial`: stored data may be damaged. */
function isLike(stored: unknown, initial: unknown): boolean {
  if (Array.isArray(initial)) return Array.isArray(stored) && stored.every((one) => typeof one === 'string')
  if (initial === undefined) return typeof stored === 'string' || typeof stored === 'number'
  return typeof stored === typeof initial
}

function restore<T extends object>(key: string, initial: T): T {
  const { [key]: stored } = readAll()
  if (!isPlain(stored)) return initial
  const good = Object.entries(initial).filter(([name, value]) => isLike(stored[name], value))
  return { ...initial, ...Object.fromEntries(good.map(([name]) => [name, stored[name]])) }
}

/**
 * State of a form that outlives its page, a login that expires meanwhile, and the app. Stored by user and `key`, and
 * invisible to other users. Values are texts, numbers, flags and lists of texts; undefined ones must be named too.
 * @returns the state, a setter for some of its values, and what forgets it once it has been sent
 */
export function useKeptInput<T extends object>(key: string, initial: () => T) {
  const [state, setState] = useState(() => restore(key, initial()))
  const newest = useRef(state)
  const set = (part: Partial<T>) => {
    newest.current = { ...newest.current, ...part }
    setState(newest.current)
    write(key, newest.current)
  }
  const forget = () => write(key, undefined)
  return [state, set, forget] as const
}
