/** A service that accepts connections and never answers. */

import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

export interface HangingService {
  url: string
  /** connections so far */
  connections(): number
  close(): Promise<void>
}

export async function startHangingService(): Promise<HangingService> {
  const open = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    open.add(socket)
    socket.on('error', () => undefined).on('close', () => open.delete(socket))
    // discards what it reads, so that the caller can send everything
    socket.resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
