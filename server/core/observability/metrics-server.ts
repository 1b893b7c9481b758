import Fastify from 'fastify'
import type { Registry } from 'prom-client'
import { listenError } from '../start-error'

/**
 * Serves `/metrics` on a port of its own, so that it never needs a login: on this machine's loopback only, or inside a
 * network that no proxy publishes.
 * @param port 0 = any free port
 * @returns its origin
 * @throws StartError if the port is taken, or the host is not an address of this machine
 */
export async function serveMetrics(registry: Registry, port: number, host = '127.0.0.1'): Promise<string> {
  const app = Fastify()
  app.get('/metrics', async (_req, reply) => reply.type(registry.contentType).send(await registry.metrics()))
  const origin = await app.listen({ port, host }).catch((error) => {
    throw listenError(error, { port, host }, { port: 'METRICS_PORT', host: 'METRICS_HOST' })
  })
  app.server.unref()
  return origin
}
