import type { FastifyRequest } from 'fastify'
import type { OpenCtx } from '../context'
import { originOf } from '../http/routes/calls'
import type { Life } from '../lifecycle'

/** Somebody of whom nothing is known: what all of them see. Undefined while there is no database to ask. */
export function strangerTo({ deps }: Life, req: FastifyRequest, platform: 'h5' | 'weapp'): OpenCtx | undefined {
  if (!deps) return undefined
  return {
    ...deps,
    ip: req.ip,
    platform,
    device: '',
    os: 'other',
    userAgent: '',
    channel: '',
    origin: originOf(deps, req),
    log: req.log as OpenCtx['log'],
    viewer: async () => undefined,
  }
}
