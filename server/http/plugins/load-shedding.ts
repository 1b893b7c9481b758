import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../core/app-error'
import { type Lifecycle, routeOf } from '../../core/lifecycle'
import type { Metrics } from '../../core/observability/metrics'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `never`: health checks, and webhooks, which providers would send again */
    shed?: 'never'
  }
}

/** ms: highest mean event loop delay of a sample; a single long task stays below it */
const MAX_LOOP_DELAY = 500
/** ms between two samples */
const SAMPLE_EVERY = 1000
/** ms after the first request during which the delay is ignored, because it still includes the start */
const START_GRACE = 5000
/** share of the heap limit; beyond it the garbage collector uses most of the CPU */
const MAX_HEAP = 0.9
/** ms a query may wait for a connection; a call has about three queries */
const MAX_POOL_WAIT = 75
/** s after which a refused client should try again */
const RETRY_AFTER = 2

export interface SheddingOptions {
  /** undefined: the embedded database, which computes in this process and so delays the event loop normally */
  databaseUrl: string | undefined
  lifecycle: Lifecycle
  metrics?: Metrics
}

/**
 * Refuses requests early (`REQUEST_TOO_BUSY_PLEASE_WAIT`) when this process could only answer them late: the event loop
 * lags, the heap is nearly full, or database connections are waited for.
 */
export async function registerLoadShedding(app: FastifyInstance, options: SheddingOptions) {
  const { lifecycle, metrics, databaseUrl } = options
  let firstRequest: number | undefined
  const refusal = (req: FastifyRequest, reason: string) => {
    metrics?.shed(routeOf(req), reason)
    return new AppError('REQUEST_TOO_BUSY_PLEASE_WAIT', { retryAfter: RETRY_AFTER })
  }
  const isKept = (req: FastifyRequest) => req.routeOptions.config.shed === 'never'

  app.addHook('onRequest', (_req, _reply, done) => {
    firstRequest ??= performance.now()
    done()
  })
  const isStarting = (type: string) =>
    type === underPressure.TYPE_EVENT_LOOP_DELAY && performance.now() - (firstRequest ?? 0) < START_GRACE

  await app.register(underPressure, {
    maxEventLoopDelay: databaseUrl === undefined ? 0 : MAX_LOOP_DELAY,
    maxHeapUsedBytes: getHeapStatistics().heap_size_limit * MAX_HEAP,
    sampleInterval: SAMPLE_EVERY,
    pressureHandler(req, _reply, type) {
      if (isKept(req) || isStarting(type)) return undefined
      return Promise.reject(refusal(req, type))
    },
  })

  app.addHook('onRequest', (req, _reply, done) => {
    const load = lifecycle.poolMetrics
    if (!load || isKept(req)) return done()
    done(load.longestWait() > MAX_POOL_WAIT ? refusal(req, 'pool') : undefined)
  })
}
