import type { FastifyInstance, FastifyReply } from 'fastify'

/** Response header that lets pages of other origins embed a file. */
export const crossOrigin = ['cross-origin-resource-policy', 'cross-origin'] as const

/**
 * Lets pages of other origins embed this file. The app's pages may have another origin: the mini-program's have one of
 * WeChat, static files may come from a CDN, and chats render previews. Only for public files and signed addresses; no
 * cookie is read here.
 */
export const allowCrossOrigin = (reply: FastifyReply) => reply.header(...crossOrigin)

/** The same for all responses of the routes in this scope. */
export function allowCrossOriginIn(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_req, reply) => {
    allowCrossOrigin(reply)
  })
}
