/** Health during a fault, as a balancer and a supervisor see it: /readyz and /healthz of every server, asked twice a second. */
import { failureOf, pause } from './client'

export interface HealthAnswers {
  /** how often each status was given; `network` and `timeout` when there was no answer */
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
