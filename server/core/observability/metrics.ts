import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { PoolMetrics } from '../../db/postgres'

/** s: from a response out of memory to the longest a client waits */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** s: from a free connection to the time limit for getting one */
const WAIT_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Measurements of this process, in the format of Prometheus. */
export type Metrics = ReturnType<typeof createMetrics>

/** `valuation_` marks what is ours; the process's own figures (CPU, heap, event loop) keep prom-client's names. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name: `valuation_${name}`, help, labelNames, registers })
  const histogram = <L extends string>(name: string, help: string, buckets: number[], ...labelNames: L[]) =>
    new Histogram({ name: `valuation_${name}`, help, labelNames, buckets, registers })
  const requests = counter('http_requests_total', 'Answered requests', 'method', 'route', 'code')
  const durations = histogram('http_request_duration_seconds', 'Time until a response', REQUEST_BUCKETS, 'route')
  const refused = counter('http_shed_total', 'Requests refused by an overloaded process', 'route', 'reason')
  const alarms = counter('alarms_total', 'Log lines that ask for a person (alarm: true)', 'message')
  const waits = histogram('db_pool_wait_seconds', 'Time until a database connection was free', WAIT_BUCKETS, 'pool')
  return {
    registry,
    /** @param route its pattern, never the path of the request: a label must have few values */
    request(method: string, route: string, code: number, ms: number) {
      requests.inc({ method, route, code })
      durations.observe({ route }, ms / 1000)
    },
    shed: (route: string, reason: string) => refused.inc({ route, reason }),
    /** @param message a constant of the source */
    alarm: (message: string) => alarms.inc({ message }),
    pool: (name: string, load: PoolMetrics) => load.onWaited((ms) => waits.observe({ pool: name }, ms / 1000)),
  }
}
