import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MAX_SIZE } from '../../providers/storage/port'

/** bytes of the largest form: a picture, boundaries and fields */
export const MAX_FORM_BYTES = MAX_SIZE + 64 * 1024

/** bytes read and dropped at most; the sender is disconnected then */
const MAX_DISCARDED = 4 * MAX_FORM_BYTES

/** Reads the rest of a request that nobody reads any more. */
function discard({ raw }: FastifyRequest): void {
  // a parser that is piped to would stop it again
  raw.unpipe()
  let left = MAX_DISCARDED
  raw.on('data', (part: Buffer) => {
    left -= part.length
    if (left < 0) raw.destroy()
  })
  raw.resume()
}

/**
 * A response that is sent before the request has arrived completely, such as a refusal, leaves the connection usable:
 * the rest of the body is read and dropped. A browser that is still sending would otherwise lose the response, and the
 * next request on the connection would not be answered. The framework would end the connection.
 */
export function registerUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', (req, reply, _payload, done) => {
    // the connection ends where it is not clear what a request on it says
    if (!req.raw.complete && reply.raw.shouldKeepAlive) {
      discard(req)
      reply.removeHeader('connection')
    }
    done()
  })
}
