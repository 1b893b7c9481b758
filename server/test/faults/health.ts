/** Polls /readyz and /healthz of every server twice a second during a fault, as a load balancer and a supervisor do. */
import { failureOf, pause } from './client'

export interface HealthAnswers {
  /** number of responses by status; `network` and `timeout` without a response */
  readyz: Record<string, number>
  healthz: Record<string, number>
}

const EVERY = 500
/** ms a balancer waits */
const TIMEOUT = 5000

export function watchHealth(urls: () => readonly string[]): { answers: HealthAnswers; stop(): void } {
  const answers: HealthAnswers = { readyz: {}, healthz: {} }
  let stopped = false
  const ask = async (url: string, name: keyof HealthAnswers) => {
    const status = await fetch(`${url}/${name}`, { signal: AbortSignal.timeout(TIMEOUT) }).then(
      (answer) => String(answer.status),
      failureOf,
    )
    if (!stopped) answers[name][status] = (answers[name][status] ?? 0) + 1
  }
  const watch = async () => {
    while (!stopped) {
      for (const url of urls()) for (const name of ['readyz', 'healthz'] as const) void ask(url, name)
      await pause(EVERY)
    }
  }
  void watch()
  return {
    answers,
    stop() {
      stopped = true
    },
  }
}
