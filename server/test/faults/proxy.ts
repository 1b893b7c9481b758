/** A network between servers and database that can drop the database's responses. */

import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

export interface DatabaseProxy {
  port: number
  /** From now on requests arrive but responses do not, on old and new connections: no COMMIT is acknowledged. */
  loseAnswers(): void
  /** Closes every connection that lost data; new ones work. */
  heal(): void
  close(): Promise<void>
}

/** @param to port of the database on 127.0.0.1 */
export async function startProxy(to: number): Promise<DatabaseProxy> {
  const open = new Set<Socket>()
  let losing = false
  const track = (socket: Socket, other: Socket) => {
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      open.delete(socket)
      other.destroy()
    })
  }
  const server = createServer((client) => {
    const database = connect(to, '127.0.0.1')
    track(client, database)
    track(database, client)
    client.on('data', (data) => database.write(data))
    database.on('data', (data) => losing || client.write(data))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    loseAnswers() {
      losing = true
    },
    heal() {
      losing = false
      cut()
    },
    close: () =>
      new Promise((resolve) => {
        cut()
        server.close(() => resolve())
      }),
  }
}
