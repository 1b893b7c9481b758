import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Registry } from 'prom-client'
import { StartError } from '../start-error'

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
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new StartError(`端口 ${port} 已被占用（METRICS_PORT）：请停掉占用它的程序，或换一个端口。`)
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
      throw new StartError(`地址 ${host} 不属于本机（METRICS_HOST）：请改为本机地址，例如 127.0.0.1。`)
    throw error
  })
  server.unref()
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : port, close: () => server.close() }
}
