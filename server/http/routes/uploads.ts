import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../core/app-error'
import { depsOf, type Lifecycle } from '../../core/lifecycle'
import { type EmbeddedStorage, SIGNED_ADDRESS, UPLOADS } from '../../providers/storage/embedded'
import { MAX_SIZE, tooLarge } from '../../providers/storage/port'
import { allowCrossOriginIn } from '../plugins/cross-origin'
import { fileOf, partsOf } from '../plugins/multipart'
import { MAX_FORM_BYTES } from '../plugins/unread-body'

/** Limits for the signed form: it has a dozen fields, none longer than the policy. */
const limits = { fields: 20, fieldNameSize: 100, fieldSize: 8 * 1024, files: 1, parts: 21, fileSize: MAX_SIZE + 1 }

const names = { 'image/jpeg': 'picture.jpg', 'image/png': 'picture.png', 'image/webp': 'picture.webp' } as const

function storageOf(lifecycle: Lifecycle): EmbeddedStorage & { now: number } {
  const { providers, clock } = depsOf(lifecycle)
  return { ...(providers.storage as EmbeddedStorage), now: clock.now() }
}

/** Reads the fields up to the file, then the file; later parts are ignored, as in S3. */
async function receiveUpload(req: FastifyRequest, { accept, now }: EmbeddedStorage & { now: number }) {
  if (!req.isMultipart()) throw new AppError('UPLOAD_REFUSED')
  // rejected before any byte of the picture is read
  if (Number(req.headers['content-length']) > MAX_FORM_BYTES) throw tooLarge()
  const form = new Map<string, string>()
  for await (const part of partsOf(req)) {
    const name = part.fieldname.toLowerCase()
    if (part.type === 'file') return await accept(form, fileOf(part), now)
    // duplicate field: ambiguous which one was signed
    if (form.has(name)) throw new AppError('UPLOAD_REFUSED')
    form.set(name, part.value)
  }
  throw new AppError('UPLOAD_REFUSED', { msg: '没有收到图片，请重试' })
}

/** The embedded storage: accepts signed upload forms and serves pictures by signed addresses. */
export async function registerUploads(app: FastifyInstance, lifecycle: Lifecycle): Promise<void> {
  allowCrossOriginIn(app)
  await app.register(multipart, { limits, throwFileSizeLimit: false })

  app.post(UPLOADS, { schema: { hide: true } }, async (req, reply) => {
    await receiveUpload(req, storageOf(lifecycle))
    return reply.code(204).send()
  })

  app.get<{ Params: { '*': string }; Querystring: { expires?: string; signature?: string } }>(
    SIGNED_ADDRESS,
    { schema: { hide: true } },
    async ({ params, query }, reply) => {
      const storage = storageOf(lifecycle)
      const { expires, signature } = query
      const picture = await storage.open(params['*'], String(expires), String(signature), storage.now)
      if (!picture) throw new AppError('NOT_FOUND', { msg: '图片不存在或链接已过期' })
      return reply
        .header('content-type', picture.type)
        .header('content-length', picture.size)
        .header('x-content-type-options', 'nosniff')
        .header('content-disposition', `attachment; filename="${names[picture.type]}"`)
        .header('cache-control', 'private, max-age=600')
        .send(picture.stream)
    },
  )
}
