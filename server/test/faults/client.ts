/** Calls as a user's app makes them, counted by how they ended. */
import type { CallGroup, CallOf } from '@/contract/calls'
import { NETWORK_TIMEOUT } from '@/contract/constants'
import type { Envelope, Req, Res } from '@/contract/types'
import { send } from '../process'

export interface Outcomes {
  requests: number
  /** outcomes of failed ones: an HTTP status of 500 and above, `network` (no response) or `timeout` */
  errors: Record<string, number>
  /** latencies in ms, including failed ones */
  durations: number[]
}

export const noOutcomes = (): Outcomes => ({ requests: 0, errors: {}, durations: [] })

export interface Client {
  outcomes: Outcomes
  /** One call to any server; undefined when it failed. A refusal by a rule is not a failure. */
  once<R extends CallGroup, C extends CallOf<R>>(
    group: R,
    name: C,
    req: Req<R, C>,
    token: string,
  ): Promise<Envelope<Res<R, C>> | undefined>
  /** Retries until some server answers, as a user does. @throws Error after `PATIENCE` */
  persist: <R extends CallGroup, C extends CallOf<R>>(
    group: R,
    name: C,
    req: Req<R, C>,
    token: string,
  ) => Promise<Envelope<Res<R, C>>>
  /** requests that were answered so far */
  answered(): number
  /** Records the outcome of a request made by another module. */
  note(started: number, failure: string | undefined): void
}

/** ms without any answer after which the suite itself counts as broken */
const GIVE_UP_AFTER_MS = 300_000

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Name of the error thrown by `fetch`. */
export const failureOf = (error: unknown): string =>
  error instanceof DOMException && error.name === 'TimeoutError' ? 'timeout' : 'network'

/** @param urls of the servers running at the moment */
export function createClient(urls: () => readonly string[]): Client {
  const outcomes = noOutcomes()
  const note = (started: number, failure: string | undefined) => {
    outcomes.requests += 1
    outcomes.durations.push(performance.now() - started)
    if (failure) outcomes.errors[failure] = (outcomes.errors[failure] ?? 0) + 1
  }
  const anyServer = () => {
    const list = urls()
    return list[Math.floor(Math.random() * list.length)] ?? 'http://127.0.0.1:1'
  }
  const once: Client['once'] = async (group, name, req, token) => {
    const started = performance.now()
    try {
      const signal = AbortSignal.timeout(NETWORK_TIMEOUT)
      const { status, body } = await send(anyServer(), group, name, req, { token, signal })
      // ILLEGAL_REQUEST: that server's clock is wrong; another one accepts the request
      const failure = status >= 500 ? String(status) : body.code === 'ILLEGAL_REQUEST' ? 'clock' : undefined
      note(started, failure)
      return failure ? undefined : body
    } catch (error) {
      note(started, failureOf(error))
      return undefined
    }
  }
  const persist: Client['persist'] = async (group, name, req, token) => {
    const giveUpAt = performance.now() + GIVE_UP_AFTER_MS
    while (performance.now() < giveUpAt) {
      const answer = await once(group, name, req, token)
      if (answer) return answer
      await pause(50 + Math.random() * 200)
    }
    throw new Error(`no server answered ${group}.${String(name)}`)
  }
  const answered = () => outcomes.requests - Object.values(outcomes.errors).reduce((all, n) => all + n, 0)
  return { outcomes, once, persist, note, answered }
}
