import { readFileSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { PICTURES } from '../../domains/content/repository'
import { SHARE_IMAGE } from '../../domains/reports/publishing/share'
import { allowCrossOriginIn } from '../plugins/cross-origin'

const kinds = /\.(webp|avif|jpe?g|png)$/

/**
 * Serves the pictures of the content folder, of which a versioned address is immutable, and the preview of shared links: 5:4, as
 * chats crop it, without a price.
 */
export async function registerContent(app: FastifyInstance, pictureDir: string): Promise<void> {
  allowCrossOriginIn(app)
  const preview = readFileSync(path.join(__dirname, '../../content/share.png'))
  app.get(SHARE_IMAGE, { schema: { hide: true } }, (_req, reply) =>
    reply.type('image/png').header('cache-control', 'public, max-age=86400').send(preview),
  )
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
