import { storage } from '@/platform/storage'
import { UNSENT_CHAT_KEY } from '@/session/clearCache'
import { isPlain } from '@/session/persist'
import { session } from '@/session/store'
import type { OutgoingMessage } from './model'

/** Text in the composer and messages not yet delivered. */
interface UnsentMessages {
  text: string
  out: readonly OutgoingMessage[]
}

function parse(stored: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(stored ?? '')
    return isPlain(value) ? value : {}
  } catch {
    return {}
  }
}

/** Texts and cards; the local file of a picture does not outlive the page. */
const isPersistable = (o: unknown): o is OutgoingMessage =>
  isPlain(o) &&
  o.type !== 'IMAGE' &&
  typeof o.content === 'string' &&
  typeof o.clientId === 'string' &&
  (o.orderId === undefined || typeof o.orderId === 'string')

/**
 * Stores a user's unsent text and messages, invisible to other users. Messages are restored as failed: whether
 * they were delivered is known once the conversation has loaded.
 */
export const unsentStorage = {
  read(): UnsentMessages {
    const { owner, text, out } = parse(storage.get(UNSENT_CHAT_KEY))
    const { userId } = session()
    if (userId === undefined || owner !== userId) return { text: '', out: [] }
    const messages: OutgoingMessage[] = Array.isArray(out) ? out.filter(isPersistable) : []
    return {
      text: typeof text === 'string' ? text : '',
      out: messages.map((o) => ({ ...o, state: 'failed' as const })),
    }
  },
  write(part: Partial<UnsentMessages>) {
    const { text, out } = { ...unsentStorage.read(), ...part }
    const rest = out.filter(isPersistable)
    if (text === '' && rest.length === 0) storage.remove(UNSENT_CHAT_KEY)
    else storage.set(UNSENT_CHAT_KEY, JSON.stringify({ owner: session().userId, text, out: rest }))
  },
}
