import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Registry } from 'prom-client'
import { listenError } from '../start-error'

export interface MetricsServer {
  port: number
  close(): void
}

/**
 * Serves `/metrics` on a port of its own, so that it never needs a login: on this machine's loopback only, or inside a
 * network that no proxy publishes.
 * @param port 0 = any free port
 * @throws StartError if the port is taken, or the host is not an address of this machine
 */
export async function serveMetrics(registry: Registry, port: number, host = '127.0.0.1'): Promise<MetricsServer> {
  const server = createServer(async (req, res) => {
    if (req.url !== '/metrics' || req.method !== 'GET') return void res.writeHead(404).end()
    try {
      const text = await registry.metrics()
      res.writeHead(200, { 'content-type': registry.contentType }).end(text)
    } catch {
      res.writeHead(500).end()
    }
  })
  server.listen(port, host)
  await once(server, 'listening').catch((error) => {
    throw listenError(error, { port, host }, { port: 'METRICS_PORT', host: 'METRICS_HOST' })
  })
  server.unref()
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : port, close: () => server.close() }
}
