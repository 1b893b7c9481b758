import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { codes, type ErrorCode } from '@/contract/errors'
import { AppError, invalid } from '../../app-error'
import { isStorable } from '../../db/storable'
import { pathOf } from '../../log'
import { isOutage } from '../../outage'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** a page for people: whatever stands in its address, the page opens and says what is wrong */
    isPage?: boolean
  }
}

/** `{success, msg, data, code}`: every answer outside the static files has this shape (wire.md). */
export const ok = (data: unknown) => ({ success: true, msg: codes.OK.msg, data, code: 'OK' })

function sendRefusal(reply: FastifyReply, { code, http, message, data, retryAfter }: AppError) {
  // the route's answer schema describes success only
  reply.serializer(JSON.stringify)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return reply
    .code(http)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send({ success: false, msg: message, data, code })
}

/** Answers with a code of the catalogue and its own sentence. */
export const refuse = (reply: FastifyReply, code: ErrorCode) => sendRefusal(reply, new AppError(code))

/**
 * What an error means to the caller. Anything unknown is our fault: 500 with the request id.
 * @param unreadable says of a request that Fastify itself refuses what is wrong with it
 */
export function asRefusal(error: unknown, requestId: string, unreadable: string): AppError {
  if (error instanceof AppError) return error
  const { statusCode, code } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('PAYLOAD_TOO_LARGE')
  if (isOutage(error)) return new AppError('SERVICE_UNAVAILABLE', { data: { requestId } })
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return invalid([{ path: '', msg: unreadable }])
  return new AppError('INTERNAL_ERROR', { data: { requestId } })
}

/** Failures of ours and of what we depend on are errors; what was refused on purpose is an answer like any other. */
export function logRefusal(log: FastifyBaseLogger, error: unknown, refusal: AppError): void {
  if (refusal.http < 500) return
  if (error instanceof AppError && error.code !== 'INTERNAL_ERROR')
    log.info({ refusal: error.code, why: error.message }, 'request refused')
  else log.error({ err: error }, 'request failed')
}

/**
 * The log of a request that was answered before its handler had ended: an outage is what the answer said already, only a
 * fault of ours is still an error.
 */
export function afterAnswer(log: FastifyBaseLogger): FastifyBaseLogger {
  const late = log.child({})
  const { error } = log
  late.error = (facts: unknown, ...words: unknown[]) => {
    const { err } = (facts ?? {}) as { err?: unknown }
    if (asRefusal(err, '', '').code === 'INTERNAL_ERROR') Reflect.apply(error, log, [facts, ...words])
    else log.info({ why: err instanceof Error ? err.message : '' }, 'request ended after its answer')
  }
  return late
}

/** VALIDATION_FAILED for text that no column of the database takes: NUL, half a surrogate pair. */
export const unstorable = () => invalid([{ path: '', msg: '含有无法识别的字符，请删除后重试' }])

/**
 * The one place that turns errors and unknown paths into answers.
 * @param page answers a GET of a page of the app, or false when the path is none
 */
export function registerEnvelope(
  app: FastifyInstance,
  page: (req: FastifyRequest, reply: FastifyReply) => boolean,
): void {
  // addresses and parsed bodies of every route, before any of it reaches a query; exact texts are their parser's business
  app.addHook('preHandler', (req, _reply, done) => {
    const { params, query, body } = req
    if (req.is404 || req.routeOptions.config.isPage) return done()
    const parsed = typeof body === 'string' || isStorable(body)
    done(parsed && isStorable(params) && isStorable(query) ? undefined : unstorable())
  })

  app.setErrorHandler((error: FastifyError, req, reply) => {
    const refusal = asRefusal(error, req.id, '请求内容不是有效的 JSON')
    logRefusal(req.log, error, refusal)
    return sendRefusal(reply, refusal)
  })

  app.setNotFoundHandler((req, reply) => {
    if (page(req, reply)) return reply
    const path = pathOf(req.url)
    const allowed = (['GET', 'POST'] as const).filter((method) => app.hasRoute({ method, url: path }))
    if (allowed.length === 0 || allowed.some((m) => m === req.method)) return refuse(reply, 'NOT_FOUND')
    reply.header('allow', allowed.join(', '))
    return refuse(reply, 'METHOD_NOT_ALLOWED')
  })
}
