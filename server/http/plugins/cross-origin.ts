import type { FastifyInstance } from 'fastify'

/** Response header that lets pages of other origins embed a file. */
export const crossOrigin = ['cross-origin-resource-policy', 'cross-origin'] as const

/**
 * Lets pages of other origins embed the files of this scope. The app's pages may have another origin: the mini-program's
 * have one of WeChat, static files may come from a CDN, and chats render previews. Only for public files and signed
 * addresses; no cookie is read here.
 */
export function allowCrossOriginIn(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_req, reply) => {
    reply.header(...crossOrigin)
  })
}
