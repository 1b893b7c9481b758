import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '../../core/app-error'
import { depsOf, type Lifecycle } from '../../core/lifecycle'
import { GAME_CARDS, REPORT_CARDS, SHARE_IMAGE, shareOfToken } from '../../domains/reports/share'
import { type CardKind, shareCard } from '../../domains/reports/share-card'
import { allowCrossOrigin } from '../plugins/cross-origin'

/** s; cards are immutable, and a withdrawn share's card disappears after that time */
const MAX_AGE = 3600

/** The default preview picture of shared links. */
export function registerShareImage(app: FastifyInstance): void {
  const picture = readFileSync(path.join(__dirname, '../../content/share.png'))
  app.get(SHARE_IMAGE, { schema: { hide: true } }, (_req, reply) =>
    allowCrossOrigin(reply).type('image/png').header('cache-control', 'public, max-age=86400').send(picture),
  )
}

const none = () => new AppError('NOT_FOUND', { msg: '图片不存在或分享已撤回' })

/** Preview pictures of shared reports (by share token) and of games. */
export function registerShareCards(app: FastifyInstance, lifecycle: Lifecycle): void {
  const send = async (reply: FastifyReply, kind: CardKind, gameId: string) => {
    const { config } = await depsOf(lifecycle).games.find(gameId)
    return allowCrossOrigin(reply)
      .type('image/png')
      .header('cache-control', `public, max-age=${MAX_AGE}`)
      .header('x-content-type-options', 'nosniff')
      .send(await shareCard(kind, config.name))
  }
  app.get<{ Params: { file: string } }>(`${REPORT_CARDS}/:file`, { schema: { hide: true } }, async (req, reply) => {
    const [, token] = /^([\w-]{1,64})\.png$/.exec(req.params.file) ?? []
    const share = token && (await shareOfToken(depsOf(lifecycle).db, token))
    if (!share || share.revoked_at !== null) throw none()
    return send(reply, 'report', share.game_id)
  })
  app.get<{ Params: { file: string } }>(`${GAME_CARDS}/:file`, { schema: { hide: true } }, async (req, reply) => {
    const [, gameId] = /^([\w-]{1,64})\.png$/.exec(req.params.file) ?? []
    if (!gameId) throw none()
    return send(reply, 'game', gameId)
  })
}
