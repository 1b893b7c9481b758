import { PassThrough, type Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../core/app-error'
import { depsOf, type Lifecycle } from '../../core/lifecycle'
import { activePartner, type Partner, secretOfPartner } from '../../domains/market/partners/partners'
import { linesOf, receiveSales } from '../../domains/market/partners/receive'
import { isRecent, isSignedBy } from '../../domains/market/partners/signature'
import { networkHashesOf } from '../../domains/shared/network'
import { logRefusal, toAppError } from '../plugins/envelope'

const PATH = '/partner/v1/sales'
const MAX_LINES = 5_000
const MAX_BODY_BYTES = 5 * 1024 * 1024
/**
 * Maximum calls in this process, which bounds the memory of their bodies. A key is no secret, so bodies that are not read
 * yet, and so not verified, are counted by key and network, by network, and all together: those of a stranger leave room for
 * the partner's.
 */
const MAX_UNREAD = [2, 6, 12] as const
/** A body that is read for longer (ms), and more slowly (bytes per ms), gives way to another beyond the limits. */
const SLOW = { after: 2_000, below: 64 } as const
const MAX_PROCESSED = { each: 2, all: 6 } as const
/** s after which a refused call may be tried again: beside other calls, during an outage, beyond the calls per minute */
const RETRY_AFTER = { beside: 2, outage: 5, minute: 60 } as const

declare module 'fastify' {
  interface FastifyRequest {
    partnerCall?: { partner: Partner; unread: UnreadBody }
  }
}

const BESIDE = '同时进行的请求太多，请稍后重试'

const headerText = (value: string | string[] | undefined) => (typeof value === 'string' ? value : '')

const send = (reply: FastifyReply, status: number, code: string, msg: string) =>
  reply.code(status).header('cache-control', 'no-store').send({ success: false, code, msg, data: null })

const unauthorised = (reply: FastifyReply) =>
  send(reply, 401, 'PARTNER_UNAUTHORISED', '密钥、时间或签名不正确：时间与服务器相差不超过 5 分钟，签名覆盖时间与正文')

const tooMany = (reply: FastifyReply, retryAfter: number, msg: string) =>
  send(reply.header('retry-after', String(retryAfter)), 429, 'TOO_MANY_CALLS', msg)

/** A call whose body is being read. */
interface UnreadBody {
  key: string
  network: string
  /** ms */
  since: number
  /** bytes that have arrived */
  size: number
  /** what the handler reads; may end before the connection, so that the call is still answered */
  body: PassThrough
  done(): void
}

const giveWay = () => new AppError('REQUEST_TOO_BUSY_PLEASE_WAIT', { retryAfter: RETRY_AFTER.beside })

/**
 * Limits the calls whose bodies are being read. Beyond a limit the slowest slow one ends: senders who keep calls open,
 * which costs them nothing, must not keep out those who send.
 */
function createUnreadBodies() {
  const all = new Set<UnreadBody>()
  const rateOf = ({ size, since }: UnreadBody, now: number) => size / (now - since)
  /** @returns undefined beyond the limits */
  return (key: string, network: string, now: number): UnreadBody | undefined => {
    const ofNetwork = [...all].filter((call) => call.network === network)
    const groups = [ofNetwork.filter((call) => call.key === key), ofNetwork, [...all]]
    const full = groups.find((group, i) => group.length >= (MAX_UNREAD[i] ?? 0))
    if (full) {
      const slow = full.filter((call) => now - call.since > SLOW.after && rateOf(call, now) < SLOW.below)
      const [slowest] = slow.sort((a, b) => rateOf(a, now) - rateOf(b, now))
      if (!slowest) return undefined
      slowest.done()
      slowest.body.destroy(giveWay())
    }
    const call = { key, network, since: now, size: 0, body: new PassThrough(), done: () => void all.delete(call) }
    all.add(call)
    return call
  }
}

/** Passes what arrives on to `body`; what arrives after that has ended is dropped. */
function readInto(call: UnreadBody, payload: Readable): Readable {
  const { body } = call
  payload.on('data', (part: Buffer) => {
    call.size += part.length
  })
  payload.on('error', (error) => body.destroy(error))
  body.once('close', () => payload.unpipe(body).resume())
  return payload.pipe(body)
}

/** Counts calls in progress. */
function createConcurrencyLimit(max: { each: number; all: number }) {
  const calls = new Map<string, number>()
  let all = 0
  /** @returns what ends the call, at most once; undefined beyond the limit */
  return (key: string): (() => void) | undefined => {
    const own = calls.get(key) ?? 0
    if (own >= max.each || all >= max.all) return undefined
    calls.set(key, own + 1)
    all += 1
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      all -= 1
      const left = (calls.get(key) ?? 1) - 1
      if (left > 0) calls.set(key, left)
      else calls.delete(key)
    }
  }
}

/**
 * The partner feed (docs/partners.md). Key and time are checked before the body is read, the signature over its exact
 * bytes before it is parsed. Calls beyond the limits are refused instead of queued.
 */
export async function registerPartnerFeed(app: FastifyInstance, lifecycle: Lifecycle): Promise<void> {
  const [startReading, startProcessing] = [createUnreadBodies(), createConcurrencyLimit(MAX_PROCESSED)]
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
    const [key, time] = [headerText(req.headers['x-partner-key']), headerText(req.headers['x-partner-time'])]
    if (!isRecent(time, clock.realNow()) || !/^pk_\w{20}$/.test(key)) return unauthorised(reply)
    // counted before the first query, because anybody can send a key that does not exist
    const [net] = networkHashesOf({ encryption, ip: req.ip })
    if (!(await limits.take('partner', net))) return tooMany(reply, RETRY_AFTER.minute, '请求太频繁，请稍后重试')
    const partner = await activePartner(db, key)
    if (!partner) return unauthorised(reply)
    // the response of a client that has left was closed before
    const unread = reply.raw.destroyed ? undefined : startReading(key, net, clock.realNow())
    if (!unread) return tooMany(reply, RETRY_AFTER.beside, BESIDE)
    reply.raw.once('close', unread.done).once('finish', () => unread.body.destroy())
    req.partnerCall = { partner, unread }
    return undefined
  }

  const read = async ({ partnerCall }: FastifyRequest, _reply: FastifyReply, payload: Readable) =>
    partnerCall ? readInto(partnerCall.unread, payload) : payload

  app.post(
    PATH,
    { bodyLimit: MAX_BODY_BYTES, schema: { hide: true }, onRequest: enter, preParsing: read },
    async (req, reply): Promise<unknown> => {
      const deps = depsOf(lifecycle)
      if (!req.partnerCall) throw new AppError('INTERNAL_ERROR')
      const { partner, unread } = req.partnerCall
      unread.done()
      const body = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0)
      const time = headerText(req.headers['x-partner-time'])
      if (!isSignedBy(secretOfPartner(deps.encryption, partner), time, body, headerText(req.headers['x-partner-sign'])))
        return unauthorised(reply)
      if (linesOf(body) > MAX_LINES) throw new AppError('PAYLOAD_TOO_LARGE')
      const processed = startProcessing(partner.partner_id)
      if (!processed) return tooMany(reply, RETRY_AFTER.beside, BESIDE)
      // the response is closed when the client leaves, while its rows are still being stored
      try {
        return reply.header('cache-control', 'no-store').send(await receiveSales(deps, partner.partner_id, body))
      } finally {
        processed()
      }
    },
  )
}
