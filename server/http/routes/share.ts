import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { SHARE_IMAGE } from '../../domains/reports/share'
import { allowCrossOrigin } from '../plugins/cross-origin'

/** The preview picture of shared links: 5:4, as chats crop it, without a price. */
export function registerShareImage(app: FastifyInstance): void {
  const picture = readFileSync(path.join(__dirname, '../../content/share.png'))
  app.get(SHARE_IMAGE, { schema: { hide: true } }, (_req, reply) =>
    allowCrossOrigin(reply).type('image/png').header('cache-control', 'public, max-age=86400').send(picture),
  )
}
