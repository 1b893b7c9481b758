import { offline } from '@/platform/offline'
import { storage } from '@/platform/storage'
import { drafts } from './drafts'
import { dispatch } from './store'
import { PERSISTED_INPUT_KEY } from './usePersistedInput'

/** Clears cached data of this device; the login is kept. */
export function clearCache() {
  drafts.clear()
  storage.remove('games:recent')
  storage.remove(PERSISTED_INPUT_KEY)
  offline.clearOwnerCaches()
  dispatch({ type: 'appReset' })
}
