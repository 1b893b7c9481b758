import { setTimeout as delay } from 'node:timers/promises'
import { reasonOf, StartError } from '../start-error'
import { isDatabaseAway } from './errors'

export interface Patience {
  /** ms; Infinity: a server waits until its database is there */
  within: number
  /** one sentence now and then, so that the log says what is waited for and does not fill up */
  say?: (sentence: string) => void
  /** ends the waiting, when the process is to stop */
  signal?: AbortSignal | undefined
}

/** ms between two attempts: the first, and the longest */
const DELAY = { first: 200, longest: 5000 } as const
/** ms between two lines of the log */
const SAY_EVERY = 30_000

/**
 * Tries until the database answers. What waiting cannot mend (wrong password, unknown database, certificate) is told at
 * once.
 * @throws StartError in one sentence, without the address: it may hold a password
 */
export async function waitForDatabase(ask: () => Promise<unknown>, { within, say, signal }: Patience): Promise<void> {
  const started = Date.now()
  let saidAt = Number.NEGATIVE_INFINITY
  for (let wait: number = DELAY.first; ; wait = Math.min(2 * wait, DELAY.longest)) {
    try {
      await ask()
      return
    } catch (e) {
      const reason = reasonOf(e) || String((e as { code?: unknown }).code ?? '无响应')
      const waited = Date.now() - started
      if (!isDatabaseAway(e) || waited + wait > within)
        throw new StartError(`数据库无法连接（DATABASE_URL）：${reason}。`)
      if (Date.now() - saidAt >= SAY_EVERY) {
        saidAt = Date.now()
        say?.(`⚠ 数据库还无法连接（DATABASE_URL）：${reason}。已等待 ${Math.round(waited / 1000)} 秒，继续重试。`)
      }
    }
    await delay(wait, undefined, { signal })
  }
}
