import type { FastifyInstance, FastifyReply } from 'fastify'

/** The header that lets pages of other origins show a file. */
export const crossOrigin = ['cross-origin-resource-policy', 'cross-origin'] as const

/**
 * Lets pages of other origins show this file. The app's pages are not always ours: the mini-program's have an origin of
 * WeChat's, static files may come from another host, and previews are drawn by chats. Only for what is public or opened
 * by a signed address; nothing here ever looks at a cookie.
 */
export const allowCrossOrigin = (reply: FastifyReply) => reply.header(...crossOrigin)

/** The same for everything the routes of this scope answer. */
export function allowCrossOriginIn(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_req, reply) => {
    allowCrossOrigin(reply)
  })
}
