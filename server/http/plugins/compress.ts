import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** bytes from which packing an answer saves a packet or more */
const MIN_BYTES = 1400
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** What a client takes, best first; `br;q=0` is a no. */
export function encodingOf(accepted: string | string[] | undefined): 'br' | 'gzip' | undefined {
  const wanted = String(accepted ?? '')
    .toLowerCase()
    .split(',')
    .filter((one) => !/;\s*q=0(?:\.0*)?\s*$/.test(one))
    .map((one) => one.split(';')[0]?.trim())
  return (['br', 'gzip'] as const).find((name) => wanted.includes(name))
}

/** Off the main thread. @param quality of brotli: 4 takes milliseconds, 9 some ten times as long */
export const pack = (text: string, encoding: 'br' | 'gzip', quality = 4): Promise<Buffer> =>
  encoding === 'br' ? brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }) : zip(text, { level: 6 })

/**
 * Packs long answers: a game's form is up to 60 kB of names, a third of that on the way. Our tokens travel in a header that no foreign page can send, so lengths tell nobody anything.
 */
export function registerCompression(app: FastifyInstance): void {
  app.addHook('onSend', async (req, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < MIN_BYTES) return payload
    reply.header('vary', 'accept-encoding')
    const encoding = encodingOf(req.headers['accept-encoding'])
    if (!encoding) return payload
    reply.header('content-encoding', encoding).removeHeader('content-length')
    return pack(payload, encoding)
  })
}
