import { once } from 'node:events'
import { createServer } from 'node:net'

/** below the ports that Linux gives to outgoing connections (32768 and above), one of which could take it before its server starts */
const [FIRST, LAST] = [12_000, 32_000]

/** A port of 127.0.0.1 that is free at this moment. */
export async function freePort(): Promise<number> {
  const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
  const probe = createServer().listen(port, '127.0.0.1')
  const isFree = await once(probe, 'listening').then(
    () => true,
    () => false,
  )
  if (!isFree) return freePort()
  probe.close()
  await once(probe, 'close')
  return port
}
