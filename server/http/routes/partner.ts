import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../core/app-error'
import { depsOf, type Lifecycle } from '../../core/lifecycle'
import { activePartner, type Partner, secretOfPartner } from '../../domains/market/partners/partners'
import { linesOf, receiveSales } from '../../domains/market/partners/receive'
import { isRecent, isSignedBy } from '../../domains/market/partners/signature'
import { networkHashesOf } from '../../domains/shared/network'
import { logRefusal, toAppError } from '../plugins/envelope'
import { header } from './calls'

const PATH = '/partner/v1/sales'
const MAX_LINES = 5_000
const MAX_BODY_BYTES = 5 * 1024 * 1024
/**
 * Maximum calls in progress in this process, which bounds the memory of their bodies. A key is no secret, so they are
 * counted by key and network: those of a stranger leave room for the partner's.
 */
const MAX_CALLS = { each: 2, all: 6 } as const
/** s after which a refused call may be tried again: beside other calls, during an outage, beyond the calls per minute */
const RETRY_AFTER = { beside: 2, outage: 5, minute: 60 } as const

declare module 'fastify' {
  interface FastifyRequest {
    partnerCall?: { partner: Partner; end: () => void }
  }
}

const send = (reply: FastifyReply, status: number, code: string, msg: string) =>
  reply.code(status).header('cache-control', 'no-store').send({ success: false, code, msg, data: null })

const unauthorised = (reply: FastifyReply) =>
  send(reply, 401, 'PARTNER_UNAUTHORISED', '密钥、时间或签名不正确：时间与服务器相差不超过 5 分钟，签名覆盖时间与正文')

const tooMany = (reply: FastifyReply, retryAfter: number, msg: string) =>
  send(reply.header('retry-after', String(retryAfter)), 429, 'TOO_MANY_CALLS', msg)

/**
 * The partner feed (docs/partners.md). Key and time are checked before the body is read, the signature over its exact
 * bytes before it is parsed. Calls beyond the limits are refused instead of queued.
 */
export async function registerPartnerFeed(app: FastifyInstance, lifecycle: Lifecycle): Promise<void> {
  const calls = new Set<{ key: string }>()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_req, body, done) => done(null, body))
  app.setErrorHandler((error, req, reply) => {
    const refusal = toAppError(error, req.id, '请求无法读取')
    logRefusal(req.log, error, refusal)
    if (refusal.code === 'PAYLOAD_TOO_LARGE')
      return send(reply, 413, 'PAYLOAD_TOO_LARGE', `一次最多 ${MAX_LINES} 行、5 MB，请分批发送`)
    // an overloaded process refuses every call by this code; partners are promised 429
    if (refusal.code === 'REQUEST_TOO_BUSY_PLEASE_WAIT')
      return tooMany(reply, refusal.retryAfter ?? RETRY_AFTER.beside, '服务繁忙，请稍后重试')
    if (refusal.http === 503) reply.header('retry-after', String(refusal.retryAfter ?? RETRY_AFTER.outage))
    return send(reply, refusal.http, refusal.code, refusal.message)
  })

  const enter = async (req: FastifyRequest, reply: FastifyReply) => {
    const { db, clock, encryption, limits } = depsOf(lifecycle)
    const [key, time] = [header(req, 'x-partner-key'), header(req, 'x-partner-time')]
    if (!isRecent(time, clock.realNow()) || !/^pk_\w{20}$/.test(key)) return unauthorised(reply)
    // counted before the first query, because anybody can send a key that does not exist
    const [net] = networkHashesOf({ encryption, ip: req.ip })
    if (!(await limits.take('partner', net))) return tooMany(reply, RETRY_AFTER.minute, '请求太频繁，请稍后重试')
    const partner = await activePartner(db, key)
    if (!partner) return unauthorised(reply)
    const call = { key: `${key} ${net}` }
    const own = [...calls].filter((other) => other.key === call.key)
    // the response of a client that has left was closed before
    if (own.length >= MAX_CALLS.each || calls.size >= MAX_CALLS.all || reply.raw.destroyed)
      return tooMany(reply, RETRY_AFTER.beside, '同时进行的请求太多，请稍后重试')
    calls.add(call)
    const end = () => void calls.delete(call)
    reply.raw.once('close', end)
    req.partnerCall = { partner, end }
    return undefined
  }

  app.post(
    PATH,
    { bodyLimit: MAX_BODY_BYTES, schema: { hide: true }, onRequest: enter },
    async (req, reply): Promise<unknown> => {
      const deps = depsOf(lifecycle)
      if (!req.partnerCall) throw new AppError('INTERNAL_ERROR')
      const { partner, end } = req.partnerCall
      const body = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0)
      const secret = secretOfPartner(deps.encryption, partner)
      if (!isSignedBy(secret, header(req, 'x-partner-time'), body, header(req, 'x-partner-sign')))
        return unauthorised(reply)
      if (linesOf(body) > MAX_LINES) throw new AppError('PAYLOAD_TOO_LARGE')
      // the response is closed when the client leaves, while its rows are still being stored
      reply.raw.off('close', end)
      try {
        return reply.header('cache-control', 'no-store').send(await receiveSales(deps, partner.partner_id, body))
      } finally {
        end()
      }
    },
  )
}
