import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { PICTURES } from '../../domains/content/repository'
import { allowCrossOriginIn } from '../plugins/cross-origin'

const kinds = /\.(webp|avif|jpe?g|png)$/

/** Serves the pictures of the content folder; a versioned address is immutable. */
export async function registerContent(app: FastifyInstance, pictureDir: string): Promise<void> {
  allowCrossOriginIn(app)
  await app.register(fastifyStatic, {
    root: pictureDir,
    prefix: PICTURES,
    decorateReply: false,
    cacheControl: false,
    allowedPath: (name) => kinds.test(name),
    setHeaders: (reply) => {
      const versioned = /\?v=[0-9a-f]{8}$/.test(reply.request.url)
      reply.header('cache-control', versioned ? 'public, max-age=31536000, immutable' : 'no-cache')
      reply.header('x-content-type-options', 'nosniff')
    },
  })
}
