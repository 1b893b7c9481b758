import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Registry } from 'prom-client'
import { StartError } from '../start-error'

export interface MetricsServer {
  port: number
  close(): void
}

/**
 * Serves `/metrics` on this machine's loopback only, so that it never needs a login and no proxy can publish it.
 * @param port 0 = any free port
 * @throws StartError if the port is taken
 */
export async function serveMetrics(registry: Registry, port: number): Promise<MetricsServer> {
  const server = createServer(async (req, res) => {
    if (req.url !== '/metrics' || req.method !== 'GET') return void res.writeHead(404).end()
    try {
      const text = await registry.metrics()
      res.writeHead(200, { 'content-type': registry.contentType }).end(text)
    } catch {
      res.writeHead(500).end()
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE'
      ? new StartError(`端口 ${port} 已被占用（METRICS_PORT）：请停掉占用它的程序，或换一个端口。`)
      : error
  })
  server.unref()
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : port, close: () => server.close() }
}
