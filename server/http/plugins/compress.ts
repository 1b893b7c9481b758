import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** smallest response for which compression saves a network packet */
const MIN_BYTES = 1400
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** The client's best supported encoding; `br;q=0` excludes it. */
export function encodingOf(accepted: string | string[] | undefined): 'br' | 'gzip' | undefined {
  const wanted = String(accepted ?? '')
    .toLowerCase()
    .split(',')
    .filter((offer) => !/;\s*q=0(?:\.0*)?\s*$/.test(offer))
    .map((offer) => offer.split(';')[0]?.trim())
  return (['br', 'gzip'] as const).find((name) => wanted.includes(name))
}

/** Compresses off the main thread. @param quality of brotli: 4 takes milliseconds, 9 about ten times as long */
export const compressText = (text: string, encoding: 'br' | 'gzip', quality = 4): Promise<Buffer> =>
  encoding === 'br' ? brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }) : zip(text, { level: 6 })

/**
 * Compresses long responses: a game's form is up to 60 kB, a third of that compressed. Tokens travel in a header that
 * cross-origin pages cannot send, so response lengths leak nothing (BREACH).
 */
export function registerCompression(app: FastifyInstance): void {
  app.addHook('onSend', (req, reply, payload, done) => {
    if (typeof payload !== 'string' || payload.length < MIN_BYTES) return done(null, payload)
    reply.header('vary', 'accept-encoding')
    const encoding = encodingOf(req.headers['accept-encoding'])
    if (!encoding) return done(null, payload)
    reply.header('content-encoding', encoding).removeHeader('content-length')
    compressText(payload, encoding).then((compressed) => done(null, compressed), done)
  })
}
