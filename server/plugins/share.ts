import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { SHARE_IMAGE } from '../rooms/unlock/share'
import { allowCrossOrigin } from './cross-origin'

/** The picture beside a shared title: the product's own, the same for every report. */
export function registerShareImage(app: FastifyInstance): void {
  const picture = readFileSync(path.join(__dirname, '../content/share.png'))
  app.get(SHARE_IMAGE, { schema: { hide: true } }, (_req, reply) =>
    allowCrossOrigin(reply).type('image/png').header('cache-control', 'public, max-age=86400').send(picture),
  )
}
