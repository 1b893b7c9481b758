import { isIP } from 'node:net'
import type { OpenCtx } from '../../core/context'
import { networkOf } from '../shared/network'

/**
 * Keyed hashes that identify a device: the app's device id, and the network. The id is chosen by the client and can be
 * faked; the network cannot, but is shared by a family or dormitory.
 */
export interface DeviceHashes {
  client: string | null
  net: string | null
}

/**
 * Helps allowed per record from a network that another user has already used: allows a family, but not many SIM cards
 * of one person.
 */
const MAX_HELPERS_PER_NETWORK = 1

/** Local addresses: this machine, its network, or an undeclared proxy, which would give all users the same network. */
const isInside = (ip: string) =>
  isIP(ip) === 0 || /^(::ffff:)?(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\.|^(::1$|f[cd]|fe80:)/i.test(ip)

const clientText = (client: string) => `client:${client}`
const netText = ({ ip }: OpenCtx) => (isInside(ip) ? undefined : `net:${networkOf(ip)}`)

export function deviceHashesOf(caller: OpenCtx, client: string | undefined): DeviceHashes {
  const hash = (text: string | undefined) => (text ? caller.encryption.hashes(text)[0] : null)
  return { client: hash(client && clientText(client)), net: hash(netText(caller)) }
}

/**
 * Features that a helper's device shares with those of the owner and earlier helpers. Compares device ids if both sides have
 * one, otherwise networks. As device ids can be faked, among all users of one network, including the owner, only one
 * more may help.
 */
export function sharedWith(
  caller: OpenCtx,
  client: string | undefined,
  earlier: readonly DeviceHashes[],
): 'DEVICE' | 'NETWORK' | undefined {
  const hashesOf = (text: string | undefined) => (text === undefined ? [] : caller.encryption.hashes(text))
  const [clients, nets] = [hashesOf(client && clientText(client)), hashesOf(netText(caller))]
  const isIn = (mark: string | null, hashes: readonly string[]) => mark !== null && hashes.includes(mark)
  if (earlier.some((k) => (client && k.client !== null ? isIn(k.client, clients) : isIn(k.net, nets)))) return 'DEVICE'
  return earlier.filter(({ net }) => isIn(net, nets)).length > MAX_HELPERS_PER_NETWORK ? 'NETWORK' : undefined
}
