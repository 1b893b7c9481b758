import { storage } from '@/platform/storage'
import { drafts } from './drafts'
import { dispatch } from './store'

/** What this device keeps only for comfort. The login stays. */
export function clearCache() {
  drafts.clear()
  storage.remove('games:recent')
  dispatch({ type: 'appReset' })
}
