import type { Kysely } from 'kysely'
import type { DB } from '../../db/tables'

/** ms between polls while requests wait */
const POLL_INTERVAL_MS = 1000
/** waiting requests (tabs, devices) per user; a further one ends the oldest */
const PER_USER = 3
/** waiting requests per process; further ones return at once and are repeated by the client */
const MAX_WAITING = 2000

/** State of a conversation that a client already has. */
export interface ChatNotification {
  userId: string
  /** session of the request: when it ends, so does the wait */
  sessionId: string
  /** sequence number of the newest message */
  seq: number
  /** how far the staff has read */
  readSeq: number
}

export interface ChatNotifier {
  /**
   * Long polling: resolves when the conversation has changed, the session has ended, or after `ms`; at once when too
   * many requests wait. The caller must check the session again before answering.
   */
  wait(caller: ChatNotification, ms: number): Promise<void>
  /** Resolves all waiting requests and accepts no more. */
  stop(): void
}

type Waiter = ChatNotification & { end(): void }

/**
 * Wakes requests held open for new messages. One query per second for all of them reads the conversations' rows, so it
 * does not matter which process wrote.
 */
export function createChatNotifier(db: Kysely<DB>): ChatNotifier {
  const waiters = new Set<Waiter>()
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function look() {
    // requests that arrive during the queries are checked by the next poll
    const pending = [...waiters]
    const userIds = [...new Set(pending.map(({ userId }) => userId))]
    const sessionIds = [...new Set(pending.map(({ sessionId }) => sessionId))]
    const [rows, sessions] = await Promise.all([
      db.selectFrom('chats').select(['user_id', 'last_seq', 'staff_seq']).where('user_id', 'in', userIds).execute(),
      db.selectFrom('sessions').select('id').where('id', 'in', sessionIds).execute(),
    ])
    const now = new Map(rows.map((row) => [row.user_id, row]))
    const live = new Set(sessions.map(({ id }) => id))
    for (const waiter of pending) {
      const row = now.get(waiter.userId)
      const news = row && (row.last_seq > waiter.seq || row.staff_seq !== waiter.readSeq)
      if (news || !live.has(waiter.sessionId)) waiter.end()
    }
  }
  function lookLater() {
    if (timer || stopped || waiters.size === 0) return
    timer = setTimeout(() => {
      // during a database outage requests wait until their own time limit
      void look()
        .catch(() => undefined)
        .then(() => {
          timer = undefined
          lookLater()
        })
    }, POLL_INTERVAL_MS)
  }

  return {
    wait(caller, ms) {
      const own = [...waiters].filter(({ userId }) => userId === caller.userId)
      if (own.length >= PER_USER) own[0]?.end()
      if (stopped || waiters.size >= MAX_WAITING) return Promise.resolve()
      return new Promise((resolve) => {
        const waiter: Waiter = {
          ...caller,
          end() {
            clearTimeout(limit)
            waiters.delete(waiter)
            resolve()
          },
        }
        const limit = setTimeout(() => waiter.end(), ms)
        waiters.add(waiter)
        lookLater()
      })
    },
    stop() {
      stopped = true
      clearTimeout(timer)
      for (const waiter of waiters) waiter.end()
    },
  }
}
