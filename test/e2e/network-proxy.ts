/** A proxy between phone and server that can cut an upload, delay responses, or lead to another server. */

import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server, type Socket } from 'node:net'

export interface NetworkProxy {
  url: string
  /** Cuts every upload after this many bytes, retries included, until `mend` is called. */
  cutAfter(bytes: number): void
  /** Delays responses until `mend` is called. Resolves when the first one is waiting. */
  hold(): Promise<void>
  mend(): void
  /** From now on phones reach the server at this port. */
  lead(port: number): void
  close(): Promise<void>
}

export async function startNetworkProxy(first: number): Promise<NetworkProxy> {
  let port = first
  let limit = Number.POSITIVE_INFINITY
  let held: { say: (() => void)[]; begins: () => void } | undefined
  const open = new Set<Socket>()
  const server: Server = createServer((phone) => {
    const far = connect(port, '127.0.0.1')
    open.add(phone)
    phone.once('close', () => open.delete(phone))
    let uploaded = -1
    phone.on('data', (data) => {
      if (uploaded < 0 && data.includes('POST /uploads')) uploaded = 0
      if (uploaded >= 0) uploaded += data.length
      if (uploaded > limit) {
        phone.destroy()
        far.destroy()
      } else far.write(data)
    })
    far.on('data', (data) => {
      if (!held) return phone.write(data)
      held.begins()
      return held.say.push(() => phone.write(data))
    })
    for (const [from, to] of [
      [phone, far],
      [far, phone],
    ] as const) {
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutAfter(bytes) {
      limit = bytes
    },
    hold: () =>
      new Promise((begins) => {
        held = { say: [], begins }
      }),
    mend() {
      limit = Number.POSITIVE_INFINITY
      const { say = [] } = held ?? {}
      held = undefined
      for (const resume of say) resume()
    },
    lead(to) {
      port = to
      for (const phone of open) phone.destroy()
    },
    close() {
      for (const phone of open) phone.destroy()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}
