import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables'

/** ms between two looks while somebody waits */
const LOOK_EVERY = 1000
/** tabs and devices of one user that may wait at once; the oldest makes way */
const PER_USER = 3
/** waiting at this process at once; others come back in a while */
const MAX_WAITING = 2000

/** What a reader has of a conversation. */
export interface Known {
  userId: string
  /** the login that asks: when it ends, the wait does */
  sessionId: string
  /** the newest message */
  seq: number
  /** how far the staff has read */
  readSeq: number
}

export interface ChatNotifier {
  /**
   * Resolves when the conversation has something that is not known, when the session ends, or after `ms`; at once when
   * too many wait. Look at the session before answering.
   */
  wait(known: Known, ms: number): Promise<void>
  /** Nobody waits any more. */
  stop(): void
}

type Waiter = Known & { end(): void }

/**
 * Tells open requests of news. One query a second for all who wait looks at the conversations' own rows, so it does not
 * matter which process wrote them.
 */
export function createChatNotifier(db: Kysely<Tables>): ChatNotifier {
  const waiters = new Set<Waiter>()
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function look() {
    // those that come during the queries are looked for next time
    const asking = [...waiters]
    const userIds = [...new Set(asking.map(({ userId }) => userId))]
    const sessionIds = [...new Set(asking.map(({ sessionId }) => sessionId))]
    const [rows, sessions] = await Promise.all([
      db.selectFrom('chats').select(['user_id', 'last_seq', 'staff_seq']).where('user_id', 'in', userIds).execute(),
      db.selectFrom('sessions').select('id').where('id', 'in', sessionIds).execute(),
    ])
    const now = new Map(rows.map((row) => [row.user_id, row]))
    const live = new Set(sessions.map(({ id }) => id))
    for (const waiter of asking) {
      const row = now.get(waiter.userId)
      const news = row && (row.last_seq > waiter.seq || row.staff_seq !== waiter.readSeq)
      if (news || !live.has(waiter.sessionId)) waiter.end()
    }
  }
  function lookLater() {
    if (timer || stopped || waiters.size === 0) return
    timer = setTimeout(() => {
      // a database that is away ends no wait: its own time does
      void look()
        .catch(() => undefined)
        .then(() => {
          timer = undefined
          lookLater()
        })
    }, LOOK_EVERY)
  }

  return {
    wait(known, ms) {
      const own = [...waiters].filter(({ userId }) => userId === known.userId)
      if (own.length >= PER_USER) own[0]?.end()
      if (stopped || waiters.size >= MAX_WAITING) return Promise.resolve()
      return new Promise((resolve) => {
        const waiter: Waiter = {
          ...known,
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
