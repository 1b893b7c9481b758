import { setTimeout as delay } from 'node:timers/promises'
import { reasonOf, StartError } from '../core/start-error'
import { isAccessRefused, isConnectionLost, isWorthWaiting } from './errors'

/** What somebody else must end first; waited for like an outage. */
export class NotYet extends StartError {}

export interface RetryOptions {
  /** ms; Infinity: a server waits until its database is available */
  within: number
  /** called at intervals with one sentence, so that the log shows what is waited for without filling up */
  print?: (sentence: string) => void
  /** aborts the wait when the process is to stop */
  signal?: AbortSignal | undefined
}

/** ms between attempts: the first delay, and the longest */
const DELAY = { first: 200, longest: 5000 } as const
/** ms between log lines */
const LOG_INTERVAL_MS = 30_000

/** Without the URL, which may contain a password. */
export const reasonWithoutUrl = (e: unknown) => reasonOf(e) || String((e as { code?: unknown }).code ?? '无响应')

const whatFails = (e: unknown) =>
  isConnectionLost(e) ? '数据库还无法连接（DATABASE_URL）' : '数据库还无法使用（只读、备库、已满或繁忙）'

/** Errors that only the operator can fix become one sentence; others are returned unchanged. */
export function toStartError(e: unknown): unknown {
  if (!isAccessRefused(e)) return e
  return new StartError(
    `数据库拒绝访问（DATABASE_URL）：${reasonWithoutUrl(e)}。请检查用户名、密码、pg_hba.conf 与角色的权限。`,
    { cause: e },
  )
}

/**
 * Retries the work until the database lets it complete, from its beginning each time.
 * @throws the work's error if waiting cannot help or the time limit is reached
 */
export async function whenAvailable<T>(work: () => Promise<T>, { within, print, signal }: RetryOptions): Promise<T> {
  const started = performance.now()
  let saidAt = Number.NEGATIVE_INFINITY
  for (let wait: number = DELAY.first; ; wait = Math.min(2 * wait, DELAY.longest)) {
    try {
      return await work()
    } catch (e) {
      // the error of an interrupted migration is in its cause
      const cause = e instanceof StartError ? e.cause : e
      const waited = performance.now() - started
      const isOutage = isWorthWaiting(cause)
      if (!(isOutage || e instanceof NotYet) || waited + wait > within) throw toStartError(e)
      if (performance.now() - saidAt >= LOG_INTERVAL_MS) {
        saidAt = performance.now()
        const what = isOutage ? `${whatFails(cause)}：${reasonWithoutUrl(cause)}。` : reasonWithoutUrl(e)
        print?.(`⚠ ${what}已等待 ${Math.round(waited / 1000)} 秒，继续重试。`)
      }
    }
    await delay(wait, undefined, { signal })
  }
}
