import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { codes, type ErrorCode } from '@/contract/errors'
import { AppError, invalid } from '../../core/app-error'
import { isDependencyFailure } from '../../core/dependency-error'
import { pathOf } from '../../core/log'
import { isJsonbSafe } from '../../db/jsonb-text'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** an HTML page: it handles invalid input in its address itself */
    isPage?: boolean
  }
}

/** `{success, msg, data, code}`: the format of every response except static files. */
export const ok = (data: unknown) => ({ success: true, msg: codes.OK.msg, data, code: 'OK' })

function sendRefusal(reply: FastifyReply, { code, http, message, data, retryAfter }: AppError) {
  // the route's response schema describes success only
  reply.serializer(JSON.stringify)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return reply
    .code(http)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send({ success: false, msg: message, data, code })
}

/** Sends an error code with its default message. */
export const sendErrorCode = (reply: FastifyReply, code: ErrorCode) => sendRefusal(reply, new AppError(code))

/** Refusals of the framework that say more than that the request is unreadable. 403: a path outside the folder of files. */
const codeOfStatus: Partial<Record<number, ErrorCode>> = {
  403: 'NOT_FOUND',
  404: 'NOT_FOUND',
  412: 'PRECONDITION_FAILED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  416: 'RANGE_NOT_SATISFIABLE',
}

/**
 * Maps any error to a response. Unknown errors are ours: 500 with the request id.
 * @param unreadable message for requests that the framework rejects with 400
 */
export function toAppError(error: unknown, requestId: string, unreadable: string): AppError {
  if (error instanceof AppError) return error
  const { statusCode } = error as Partial<FastifyError>
  const code = codeOfStatus[statusCode ?? 0]
  if (code) return new AppError(code)
  // a client that leaves while it sends is among them: ECONNRESET alone would look like an outage
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return invalid([{ path: '', msg: unreadable }])
  if (isDependencyFailure(error)) return new AppError('SERVICE_UNAVAILABLE', { data: { requestId } })
  return new AppError('INTERNAL_ERROR', { data: { requestId } })
}

/** Logs failures of ours and of dependencies as errors; intentional refusals are ordinary responses. */
export function logRefusal(log: FastifyBaseLogger, error: unknown, refusal: AppError): void {
  if (refusal.http < 500) return
  if (error instanceof AppError && error.code !== 'INTERNAL_ERROR')
    log.info({ refusal: error.code, why: error.message }, 'request refused')
  else log.error({ err: error }, 'request failed')
}

/** VALIDATION_FAILED for text that the database cannot store: NUL, unpaired surrogates. */
export const unsupportedCharacters = () => invalid([{ path: '', msg: '含有无法识别的字符，请删除后重试' }])

/**
 * The only place that turns errors and unknown paths into responses.
 * @param page serves a GET of an app page; false when the path is not one
 */
export function registerEnvelope(
  app: FastifyInstance,
  page: (req: FastifyRequest, reply: FastifyReply) => boolean,
): void {
  // rejects unstorable text in addresses and parsed bodies before any query; raw bodies are checked by their parser
  app.addHook('preHandler', (req, _reply, done) => {
    const { params, query, body } = req
    if (req.is404 || req.routeOptions.config.isPage) return done()
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
    done(
      (isRaw || isJsonbSafe(body)) && isJsonbSafe(params) && isJsonbSafe(query) ? undefined : unsupportedCharacters(),
    )
  })

  app.setErrorHandler((error: FastifyError & { headers?: Record<string, string> }, req, reply) => {
    const refusal = toAppError(error, req.id, '请求内容不是有效的 JSON')
    logRefusal(req.log, error, refusal)
    // the route of files refuses an address that cannot be one of a file, such as one with an encoded slash
    if (refusal.http < 500 && req.routeOptions.url === '/*' && page(req, reply)) return undefined
    // Content-Range of a file, from @fastify/send
    reply.headers({ ...error.headers })
    return sendRefusal(reply, refusal)
  })

  app.setNotFoundHandler((req, reply) => {
    // Fastify would wait for a returned reply by listeners of its own
    if (page(req, reply)) return undefined
    const path = pathOf(req.url)
    const allowed = (['GET', 'POST'] as const).filter((method) => app.hasRoute({ method, url: path }))
    if (allowed.length === 0 || allowed.some((m) => m === req.method)) return sendErrorCode(reply, 'NOT_FOUND')
    reply.header('allow', allowed.join(', '))
    return sendErrorCode(reply, 'METHOD_NOT_ALLOWED')
  })
}
