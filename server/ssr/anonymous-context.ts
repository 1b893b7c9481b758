import type { FastifyRequest } from 'fastify'
import { AppError } from '../core/app-error'
import type { OpenCtx } from '../core/context'
import { depsOf, type Lifecycle } from '../core/lifecycle'
import { requestOrigin } from '../http/routes/calls'

/** Context of an anonymous caller, for content that is the same for everybody. */
export function anonymousContext(lifecycle: Lifecycle, req: FastifyRequest, platform: 'h5' | 'weapp'): OpenCtx {
  const deps = depsOf(lifecycle)
  return {
    ...deps,
    ip: req.ip,
    platform,
    device: '',
    os: 'other',
    userAgent: '',
    channel: '',
    origin: requestOrigin(deps, req),
    log: req.log as OpenCtx['log'],
    viewer: async () => undefined,
    queryWithSession: () => Promise.reject(new AppError('NOT_LOGGED_IN')),
  }
}
