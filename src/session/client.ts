import { uuid } from '@/lib/id'
import { storage } from '@/platform/storage'

const KEY = 'client'

/** A random name of this device, made on first use; says nothing about its owner and is gone with the app's data. */
export function deviceClientId(): string {
  const known = storage.get(KEY)
  if (known && /^[0-9a-f-]{36}$/.test(known)) return known
  const made = uuid()
  storage.set(KEY, made)
  return made
}
