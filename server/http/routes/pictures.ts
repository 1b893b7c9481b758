import type { FastifyInstance } from 'fastify'
import { AppError } from '../../core/app-error'
import { depsOf, type Lifecycle } from '../../core/lifecycle'
import { formats, PICTURES, pictureOf } from '../../domains/reports/picture/image'
import { allowCrossOriginIn } from '../plugins/cross-origin'

/** Pictures and documents of reports, by a signed address that is valid for a quarter of an hour. */
export async function registerPictures(app: FastifyInstance, lifecycle: Lifecycle): Promise<void> {
  allowCrossOriginIn(app)
  // a wildcard, because the router limits parameters to a hundred characters
  app.get<{ Params: { '*': string } }>(`${PICTURES}/*`, { schema: { hide: true } }, async (req, reply) => {
    const deps = depsOf(lifecycle)
    const found = await pictureOf(deps, String(req.params['*'].split('/')[0]))
    if (!found) throw new AppError('NOT_FOUND', { msg: '图片不存在或链接已过期，请重新生成' })
    return reply
      .header('content-type', formats[found.format])
      .header('content-length', found.file.length)
      .header('x-content-type-options', 'nosniff')
      .header('content-disposition', 'inline')
      .header('cache-control', 'private, max-age=600')
      .send(found.file)
  })
}
