import type { FastifyInstance } from 'fastify'
import { AppError, invalid } from '../../core/app-error'
import { depsOf, type Lifecycle } from '../../core/lifecycle'
import { onCollected } from '../../domains/valuations/collected/finish-task'
import { EVENTS_PATH, readNews } from '../../providers/collector/http'
import { isFresh } from '../../providers/collector/signature'
import { ok } from '../plugins/envelope'
import { header } from './calls'

/** bytes of one account as sent by a collector */
const MAX_BODY_BYTES = 512 * 1024

/** Webhook of an HTTP collector; registered only when there is a secret to verify its signature. */
export async function registerCollector(app: FastifyInstance, lifecycle: Lifecycle, secret: string): Promise<void> {
  app.removeAllContentTypeParsers()
  // exact text: the signature covers it
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_req, body, done) => done(null, body))
  app.post(EVENTS_PATH, { bodyLimit: MAX_BODY_BYTES, schema: { hide: true } }, async (req) => {
    const { body } = req
    const deps = depsOf(lifecycle)
    const text = typeof body === 'string' ? body : ''
    const message = {
      method: 'POST',
      path: EVENTS_PATH,
      body: text,
      timestamp: header(req, 'x-timestamp'),
      nonce: header(req, 'x-nonce'),
    }
    if (!isFresh(secret, message, header(req, 'x-signature'), deps.clock.realNow()))
      throw new AppError('ILLEGAL_REQUEST')
    const news = readNews(parse(text))
    if (!news) throw invalid([{ path: '', msg: '不是采集服务的消息' }])
    // late and repeated events are acknowledged too, otherwise the collector would retry forever
    return ok({ accepted: await onCollected(deps, news.taskId, news.event) })
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
