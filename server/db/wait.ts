import { setTimeout as delay } from 'node:timers/promises'
import { reasonOf, StartError } from '../start-error'
import { isAccessRefused, isConnectionLost, isWorthWaiting } from './errors'

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

/** Without the address: it may hold a password. */
const reason = (e: unknown) => reasonOf(e) || String((e as { code?: unknown }).code ?? '无响应')

const whatFails = (e: unknown) =>
  isConnectionLost(e) ? '数据库还无法连接（DATABASE_URL）' : '数据库还无法使用（只读、备库、已满或繁忙）'

/** What only the operator can mend, in one sentence; any other error as it is. */
export function plain(e: unknown): unknown {
  if (!isAccessRefused(e)) return e
  const { code } = e as { code: string }
  return new StartError(
    code === '42501'
      ? `数据库角色权限不足（DATABASE_URL）：${reason(e)}。请授予该角色所需的权限后重新启动。`
      : `数据库拒绝登录（DATABASE_URL）：${reason(e)}。请检查用户名、密码与 pg_hba.conf。`,
    { cause: e },
  )
}

/**
 * Works, again and again until the database lets it come to its end. The work is begun anew each time.
 * @throws the work's error when waiting cannot mend it, or the patience ends
 */
export async function whenAvailable<T>(work: () => Promise<T>, { within, say, signal }: Patience): Promise<T> {
  const started = performance.now()
  let saidAt = Number.NEGATIVE_INFINITY
  for (let wait: number = DELAY.first; ; wait = Math.min(2 * wait, DELAY.longest)) {
    try {
      return await work()
    } catch (e) {
      // a step of the structure that was broken off tells more in its own error
      const cause = e instanceof StartError ? e.cause : e
      const waited = performance.now() - started
      if (!isWorthWaiting(cause) || waited + wait > within) throw plain(e)
      if (performance.now() - saidAt >= SAY_EVERY) {
        saidAt = performance.now()
        say?.(`⚠ ${whatFails(cause)}：${reason(cause)}。已等待 ${Math.round(waited / 1000)} 秒，继续重试。`)
      }
    }
    await delay(wait, undefined, { signal })
  }
}

/**
 * Tries until the database answers. What waiting cannot mend (wrong password, unknown database, certificate) is told at
 * once.
 * @throws StartError in one sentence
 */
export async function waitForDatabase(ask: () => Promise<unknown>, patience: Patience): Promise<void> {
  await whenAvailable(ask, patience).catch((e) => {
    if (e instanceof StartError || (e as Error).name === 'AbortError') throw e
    throw new StartError(`数据库无法连接（DATABASE_URL）：${reason(e)}。`, { cause: e })
  })
}
