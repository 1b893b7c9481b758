import { offline } from '@/platform/offline'
import { storage } from '@/platform/storage'
import { drafts } from './drafts'
import { dispatch } from './store'

/** What was typed in the chat and has not arrived. */
export const UNSENT_CHAT_KEY = 'chat:kept'
/** What is left out of pictures and documents of reports. */
export const HIDDEN_FIELDS_KEY = 'keep:hide'

/** What this device keeps only for comfort. The login stays. */
export function clearCache() {
  drafts.clear()
  storage.remove('games:recent')
  storage.remove(UNSENT_CHAT_KEY)
  storage.remove(HIDDEN_FIELDS_KEY)
  offline.forget()
  dispatch({ type: 'appReset' })
}
