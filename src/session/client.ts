import { uuid } from '@/lib/id'
import { storage } from '@/platform/storage'

const KEY = 'client'

/** Random client id, created on first use and removed with the app's data; not derived from the user. */
export function deviceClientId(): string {
  const known = storage.get(KEY)
  if (known && /^[0-9a-f-]{36}$/.test(known)) return known
  const made = uuid()
  storage.set(KEY, made)
  return made
}
