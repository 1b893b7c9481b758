import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import { Type } from 'typebox'
import { type CallDef, type CallGroup, calls } from '@/contract/calls'
import { cleanProse } from '@/contract/cleanText'
import { deviceName } from '@/contract/labels'
import { authenticatesItself, endpointOf } from '../../calls'
import { AppError } from '../../core/app-error'
import type { Deps, OpenCtx, UserCtx } from '../../core/context'
import { depsOf, type Lifecycle } from '../../core/lifecycle'
import type { Db } from '../../db/database'
import { isJsonbSafe } from '../../db/jsonb-text'
import { isMissingRow } from '../../db/retrying-kysely'
import { findSession, queryWithSession } from '../../domains/accounts/login/sessions'
import { channelOf } from '../plugins/channel-info'
import { registerCompression } from '../plugins/compress'
import { ok, unsupportedCharacters } from '../plugins/envelope'
import { isSigned } from '../plugins/signature'

declare module 'fastify' {
  interface FastifyRequest {
    /** exact text of a POST body: the signature covers it */
    rawBody: string
    /** set on calls that need a login */
    userId: string
    sessionId: string
  }
}

/** A header of the request; '' when it has none. */
export const header = (req: Pick<FastifyRequest, 'headers'>, name: string): string => {
  const value = req.headers[name]
  return typeof value === 'string' ? value : ''
}

/** The Host header is untrusted; an invalid host is never copied into an address. */
const asOrigin = (given: string): string =>
  /^https?:\/\/[\w.:[\]-]+$/.test(given) && URL.canParse(given) ? given : 'http://localhost'

/** The public origin: the configured one, else that of this request. */
export const requestOrigin = ({ settings }: Deps, req: FastifyRequest): string =>
  settings.publicUrl ?? asOrigin(`${req.protocol}://${req.host}`)

const callerOf = (lifecycle: Lifecycle, req: FastifyRequest, db: Db = depsOf(lifecycle).db) => {
  const { clock } = depsOf(lifecycle)
  return findSession(db, header(req, 'token'), clock.now())
}

function contextOf(lifecycle: Lifecycle, req: FastifyRequest): OpenCtx & UserCtx {
  const deps = depsOf(lifecycle)
  return {
    ...deps,
    log: req.log as OpenCtx['log'],
    ip: req.ip,
    platform: header(req, 'platform'),
    device: deviceName(header(req, 'platform'), header(req, 'os')),
    os: header(req, 'os'),
    userAgent: header(req, 'user-agent'),
    channel: channelOf(header(req, 'channelinfo')),
    origin: requestOrigin(deps, req),
    userId: req.userId,
    sessionId: req.sessionId,
    queryWithSession: (read, parameters) => queryWithSession(deps, header(req, 'token'), read, parameters),
    viewer: async (tx) => req.userId || (await callerOf(lifecycle, req, tx))?.userId,
  }
}

/**
 * Accounts may be joined or deleted while their requests run. A request that then misses a row gets the same
 * NOT_LOGGED_IN as every later request with this token.
 */
async function loginLost(lifecycle: Lifecycle, req: FastifyRequest, error: unknown): Promise<boolean> {
  return isMissingRow(error) && header(req, 'token') !== '' && (await callerOf(lifecycle, req)) === undefined
}

/** Keeps bodies as text until the signature over exactly that text has been verified. */
function registerBody(app: FastifyInstance, lifecycle: Lifecycle) {
  app.decorateRequest('rawBody', '').decorateRequest('userId', '').decorateRequest('sessionId', '')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (req, body, done) => {
    req.rawBody = body as string
    done(null, body)
  })
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addHook('preValidation', (req, _reply, done) => {
    const { method, headers, rawBody } = req
    const query = req.query as Record<string, string | string[]>
    const { settings, clock } = depsOf(lifecycle)
    if (!isSigned({ method, headers, query, rawBody }, settings.signSecret, clock.realNow()))
      return done(new AppError('ILLEGAL_REQUEST'))
    // checked before the schema, so that unstorable text is always reported as such
    if (method === 'GET') return done(isJsonbSafe(query) ? undefined : unsupportedCharacters())
    if (rawBody === '') {
      req.body = {}
      return done()
    }
    return parse(req, rawBody, (error, body) => {
      if (error) return done(error)
      if (!isJsonbSafe(body)) return done(unsupportedCharacters())
      // all texts are cleaned at once, with escapes resolved: no text of a user may keep invisible characters
      const text = JSON.stringify(body)
      const visible = cleanProse(text)
      req.body = body
      if (visible === text) return done()
      return parse(req, visible, (error, clean) => {
        req.body = clean
        done(error ?? undefined)
      })
    })
  })
}

/** Binds every call of the contract to its handler: signature → login → schema → handler → envelope. */
export async function registerCalls(app: FastifyInstance, lifecycle: Lifecycle): Promise<void> {
  registerBody(app, lifecycle)
  registerCompression(app)
  const authenticate = async (request: FastifyRequest) => {
    const caller = await callerOf(lifecycle, request)
    if (!caller) throw new AppError('NOT_LOGGED_IN')
    Object.assign(request, caller)
  }
  for (const [group, defs] of Object.entries(calls) as [CallGroup, Record<string, CallDef>][])
    for (const [name, def] of Object.entries(defs)) {
      const isUser = def.access === 'user'
      const isOwnRead = isUser && authenticatesItself.has(`${group}.${name}`)
      const { handler, req, res } = endpointOf(group, name)
      app.route({
        method: def.method as HTTPMethods,
        url: def.path,
        schema: {
          tags: [group],
          operationId: `${group}.${name}`,
          security: def.access === 'user' ? [{ sign: [], token: [] }] : [{ sign: [] }],
          [def.method === 'GET' ? 'querystring' : 'body']: req,
          response: {
            200: Type.Object({ success: Type.Boolean(), msg: Type.String(), data: res, code: Type.String() }),
          },
        },
        ...(isUser && !isOwnRead && { preValidation: authenticate }),
        ...(isOwnRead && { attachValidation: true }),
        // headers for documents have no effect on data and cost 700 bytes per response
        helmet: false,
        handler: async (request, reply) => {
          reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
          const params = def.method === 'GET' ? request.query : request.body
          if (request.validationError) {
            await authenticate(request)
            throw request.validationError
          }
          try {
            return ok(await handler(contextOf(lifecycle, request), params))
          } catch (error) {
            throw (await loginLost(lifecycle, request, error)) ? new AppError('NOT_LOGGED_IN') : error
          }
        },
      })
    }
}
