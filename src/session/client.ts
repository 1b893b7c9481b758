import { uuid } from '@/lib/id'
import { storage } from '@/platform/storage'

const KEY = 'client'

/** Random client id, created on first use and removed with the app's data; not derived from the user. */
export function deviceClientId(): string {
  const stored = storage.get(KEY)
  if (stored && /^[0-9a-f-]{36}$/.test(stored)) return stored
  const made = uuid()
  storage.set(KEY, made)
  return made
}
