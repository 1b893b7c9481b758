import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../core/app-error'
import { routeOf } from '../../core/lifecycle'
import type { HttpOptions } from '../server'

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
/** share of the heap limit; beyond it the garbage collector uses most of the CPU */
const MAX_HEAP = 0.9
/** ms a query may wait for a connection; a call has about three queries */
const MAX_POOL_WAIT = 200
/** s after which a refused client should try again */
const RETRY_AFTER = 2

/**
 * Refuses requests early (`REQUEST_TOO_BUSY_PLEASE_WAIT`) when this process could only answer them late: the event loop
 * lags, the heap is nearly full, or database connections are waited for.
 */
export async function registerLoadShedding(app: FastifyInstance, { settings, lifecycle, metrics }: HttpOptions) {
  const refusal = (req: FastifyRequest, reason: string) => {
    metrics?.shed(routeOf(req), reason)
    return new AppError('REQUEST_TOO_BUSY_PLEASE_WAIT', { retryAfter: RETRY_AFTER })
  }
  const isKept = (req: FastifyRequest) => req.routeOptions.config.shed === 'never'

  await app.register(underPressure, {
    // the embedded database computes in this process and so delays the event loop normally
    maxEventLoopDelay: settings.databaseUrl === undefined ? 0 : MAX_LOOP_DELAY,
    maxHeapUsedBytes: getHeapStatistics().heap_size_limit * MAX_HEAP,
    sampleInterval: SAMPLE_EVERY,
    pressureHandler(req, _reply, type) {
      return isKept(req) ? undefined : Promise.reject(refusal(req, type))
    },
  })

  app.addHook('onRequest', (req, _reply, done) => {
    const load = lifecycle.poolMetrics
    if (!load || isKept(req)) return done()
    done(load.longestWait() > MAX_POOL_WAIT ? refusal(req, 'pool') : undefined)
  })
}
