import { useRef, useState } from 'react'
import { storage } from '@/platform/storage'
import { DRAFT_LIFETIME_MS, parse } from './drafts'
import { isPlain } from './persist'
import { session } from './store'

/** Unsent input of the latest user who typed any, by form. */
export const PERSISTED_INPUT_KEY = 'input:kept'

interface PersistedForm {
  /** ms when it was last changed */
  at: number
  input: object
}
type PersistedForms = Record<string, PersistedForm>

const isAlive = (entry: [string, unknown]): entry is [string, PersistedForm] => {
  const [, form] = entry
  return isPlain(form) && typeof form.at === 'number' && Date.now() - form.at < DRAFT_LIFETIME_MS
}

function store(owner: unknown, forms: PersistedForms) {
  if (Object.keys(forms).length === 0) storage.remove(PERSISTED_INPUT_KEY)
  else storage.set(PERSISTED_INPUT_KEY, JSON.stringify({ owner, forms }))
}

/** Unsent input of the current user; removes what has expired, whose ever it is. */
function readAll(): PersistedForms {
  const stored = parse(storage.get(PERSISTED_INPUT_KEY))
  if (!isPlain(stored) || !isPlain(stored.forms)) return {}
  const all = Object.entries(stored.forms)
  const alive = all.filter(isAlive)
  const forms = Object.fromEntries(alive)
  if (alive.length < all.length) store(stored.owner, forms)
  const { userId } = session()
  return userId !== undefined && stored.owner === userId ? forms : {}
}

function write(key: string, input: object | undefined) {
  const { userId: owner } = session()
  if (owner === undefined) return
  const { [key]: _, ...others } = readAll()
  store(owner, input ? { ...others, [key]: { at: Date.now(), input } } : others)
}

/** Whether a stored value can stand in for `initial`: stored data may be damaged. */
function isLike(stored: unknown, initial: unknown): boolean {
  if (Array.isArray(initial)) return Array.isArray(stored) && stored.every((item) => typeof item === 'string')
  if (initial === undefined) return typeof stored === 'string' || typeof stored === 'number'
  return typeof stored === typeof initial
}

function restore<T extends object>(key: string, initial: T): T {
  const stored = readAll()[key]?.input
  if (!isPlain(stored)) return initial
  const good = Object.entries(initial).filter(([name, value]) => isLike(stored[name], value))
  return { ...initial, ...Object.fromEntries(good.map(([name]) => [name, stored[name]])) }
}

/**
 * State of a form that outlives its page, a login that expires meanwhile, and the app. Stored by user and `key`, and
 * invisible to other users. Values are texts, numbers, flags and lists of texts; undefined ones must be named too.
 * @returns the state, a setter for some of its values, and what forgets it once it has been sent
 */
export function usePersistedInput<T extends object>(key: string, initial: () => T) {
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
