import { offline } from '@/platform/offline'
import { storage } from '@/platform/storage'
import { drafts } from './drafts'
import { dispatch } from './store'

/** What was typed in the chat and has not arrived. */
export const CHAT_KEPT = 'chat:kept'
/** What is left out of pictures and documents of reports. */
export const KEEP_HIDE = 'keep:hide'

/** What this device keeps only for comfort. The login stays. */
export function clearCache() {
  drafts.clear()
  storage.remove('games:recent')
  storage.remove(CHAT_KEPT)
  storage.remove(KEEP_HIDE)
  offline.forget()
  dispatch({ type: 'appReset' })
}
