import type { FastifyInstance } from 'fastify'
import { AppError } from '../../core/app-error'
import { depsOf, type Lifecycle } from '../../core/lifecycle'
import { DATA_EXPORTS, exportFile, FILE_NAME } from '../../domains/accounts/data-export/exports'

/** Exports of users' own data, by an encrypted address that is valid for a day. */
export function registerDataExports(app: FastifyInstance, lifecycle: Lifecycle): void {
  // a wildcard, because the router limits parameters to a hundred characters
  app.get<{ Params: { '*': string } }>(`${DATA_EXPORTS}/*`, { schema: { hide: true } }, async (req, reply) => {
    const found = await exportFile(depsOf(lifecycle), String(req.params['*'].split('/')[0]))
    if (!found) throw new AppError('NOT_FOUND', { msg: '文件不存在或链接已过期，请到设置页重新申请' })
    return reply
      .header('content-type', 'application/zip')
      .header('content-length', found.bytes)
      .header('x-content-type-options', 'nosniff')
      .header('content-disposition', `attachment; filename="${FILE_NAME}"`)
      .header('cache-control', 'no-store')
      .send(found.stream)
  })
}
