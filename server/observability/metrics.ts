import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { PoolMetrics } from '../db/pool-metrics'
import { intervalOf, type Job } from '../domains/shared/job'

/** s: from a response out of memory to the longest a client waits */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** s: from a free connection to the time limit for getting one */
const WAIT_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export interface RequestMeasurement {
  method: string
  /** pattern of the route, never the path of the request: a label must have few values */
  route: string
  code: number
  seconds: number
}

/** Measurements of this process, in the format of Prometheus. */
export interface Metrics {
  registry: Registry
  request(measurement: RequestMeasurement): void
  /** A request that was refused because the process is overloaded. */
  shed(route: string, reason: string): void
  /** A log line that asks for a person. @param message a constant of the source */
  alarm(message: string): void
  pool(name: string, load: PoolMetrics): void
  /** The same job, measured. */
  job(job: Job): Job
}

/** `valuation_` marks what is ours; the process's own figures (CPU, heap, event loop) keep prom-client's names. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'valuation_http_requests_total',
    help: 'Answered requests by method, route and status',
    labelNames: ['method', 'route', 'code'] as const,
    registers,
  })
  const durations = new Histogram({
    name: 'valuation_http_request_duration_seconds',
    help: 'Time from the arrival of a request to its response, by route',
    labelNames: ['route'] as const,
    buckets: REQUEST_BUCKETS,
    registers,
  })
  const refused = new Counter({
    name: 'valuation_http_shed_total',
    help: 'Requests refused because this process was overloaded, by route and reason',
    labelNames: ['route', 'reason'] as const,
    registers,
  })
  const alarms = new Counter({
    name: 'valuation_alarms_total',
    help: 'Log lines that ask for a person (alarm: true), by message',
    labelNames: ['message'] as const,
    registers,
  })
  const waits = new Histogram({
    name: 'valuation_db_pool_wait_seconds',
    help: 'Time until a database connection was free, by pool',
    labelNames: ['pool'] as const,
    buckets: WAIT_BUCKETS,
    registers,
  })
  const jobRuns = new Counter({
    name: 'valuation_job_runs_total',
    help: 'Runs of background jobs by outcome (ok, failed)',
    labelNames: ['job', 'outcome'] as const,
    registers,
  })
  const jobRows = new Counter({
    name: 'valuation_job_rows_total',
    help: 'Rows that background jobs changed',
    labelNames: ['job'] as const,
    registers,
  })
  const jobInterval = new Gauge({
    name: 'valuation_job_interval_seconds',
    help: 'Time between two runs of a job over all processes',
    labelNames: ['job'] as const,
    registers,
  })
  return {
    registry,
    request({ method, route, code, seconds }) {
      requests.inc({ method, route, code })
      durations.observe({ route }, seconds)
    },
    shed: (route, reason) => refused.inc({ route, reason }),
    alarm: (message) => alarms.inc({ message }),
    pool(name, load) {
      load.onWaited((ms) => waits.observe({ pool: name }, ms / 1000))
      const gauge = (suffix: string, help: string, value: () => number) =>
        new Gauge({
          name: `valuation_db_pool_${name}_${suffix}`,
          help,
          registers,
          collect() {
            this.set(value())
          },
        })
      gauge('connections', `Connections the pool for ${name} may open`, () => load.size)
      gauge('in_use', `Connections in use of the pool for ${name}`, () => load.inUse())
      gauge('waiting', `Uses that wait for a connection of the pool for ${name}`, () => load.waiting())
    },
    job(job) {
      jobInterval.set({ job: job.name }, intervalOf(job) / 1000)
      return {
        ...job,
        async run(deps, now) {
          try {
            const rows = await job.run(deps, now)
            jobRuns.inc({ job: job.name, outcome: 'ok' })
            jobRows.inc({ job: job.name }, rows)
            return rows
          } catch (error) {
            jobRuns.inc({ job: job.name, outcome: 'failed' })
            throw error
          }
        },
      }
    },
  }
}
