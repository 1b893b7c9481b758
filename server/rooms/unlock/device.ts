import { isIP } from 'node:net'
import type { OpenCtx } from '../../context'

/** Keyed hashes of what tells a device from others; neither the app's own name for it nor an address is kept. */
export interface DeviceMarks {
  owner_client: string | null
  owner_net: string | null
}

type Caller = Pick<OpenCtx, 'vault' | 'ip' | 'userAgent'>

/** The machine itself, or a proxy nobody has declared: it would make everybody the same device. */
const isLoopback = (ip: string) => isIP(ip) === 0 || /^(127\.|::1$|::ffff:127\.)/.test(ip)

const clientText = (client: string) => `client:${client}`
const netText = ({ ip, userAgent }: Caller) => (isLoopback(ip) ? undefined : `net:${ip} ${userAgent}`)

export function marksOf(caller: Caller, client: string | undefined): DeviceMarks {
  const hash = (text: string | undefined) => (text ? caller.vault.hashes(text)[0] : null)
  return { owner_client: hash(client && clientText(client)), owner_net: hash(netText(caller)) }
}

/**
 * Whether the caller sits at the device the marks are of. Names decide where both sides have one; address and browser
 * only where one is missing, because a family shares them.
 */
export function isSameDevice(caller: Caller, client: string | undefined, known: DeviceMarks): boolean {
  const matches = (text: string | undefined, mark: string | null) =>
    text !== undefined && mark !== null && caller.vault.hashes(text).includes(mark)
  if (client && known.owner_client) return matches(clientText(client), known.owner_client)
  return matches(netText(caller), known.owner_net)
}
