import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../core/app-error'
import { depsOf, type Lifecycle } from '../../core/lifecycle'
import { PORTRAITS, portraitOf } from '../../domains/content/portraits'
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

/** Serves the uploaded pictures of appraisers; an address names its content and is immutable. */
export function registerPortraits(app: FastifyInstance, lifecycle: Lifecycle): void {
  allowCrossOriginIn(app)
  app.get<{ Params: { hash: string } }>(`${PORTRAITS}:hash`, { schema: { hide: true } }, async (req, reply) => {
    const found = await portraitOf(depsOf(lifecycle).db, req.params.hash.replaceAll('\0', ''))
    if (!found) throw new AppError('NOT_FOUND', { msg: '图片不存在' })
    return reply
      .header('content-type', found.type)
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(Buffer.from(found.bytes))
  })
}
