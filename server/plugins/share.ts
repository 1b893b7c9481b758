import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Life } from '../life'
import { pathOf } from '../log'
import { previewOf, REPORT_PAGE, SHARE_IMAGE, shareOfToken } from '../rooms/unlock/share'
import { originOf } from './calls'
import type { Preview } from './pages'

/** The preview of a shared report; none for a token that is unknown or withdrawn. */
export async function sharePreview({ deps }: Life, req: FastifyRequest): Promise<Preview | undefined> {
  const { shareToken } = req.query as Record<string, unknown>
  if (!deps || pathOf(req.url) !== REPORT_PAGE || typeof shareToken !== 'string') return undefined
  if (!/^[\w-]{1,64}$/.test(shareToken)) return undefined
  const share = await shareOfToken(deps.db, shareToken)
  return share?.revoked_at === null ? previewOf(share, originOf(deps, req)) : undefined
}

/** The picture beside a shared title: the product's own, the same for every report. */
export function registerShareImage(app: FastifyInstance): void {
  const picture = readFileSync(path.join(__dirname, '../content/share.png'))
  app.get(SHARE_IMAGE, { schema: { hide: true } }, (_req, reply) =>
    reply.type('image/png').header('cache-control', 'public, max-age=86400').send(picture),
  )
}
