import { isIP } from 'node:net'
import type { OpenCtx } from '../../context'
import { netOf } from '../shared/locks'

/**
 * What tells a device from others, as keyed hashes: the app's own name for it, and its network. The first is the device's
 * word and can be made up, as a browser's name can; the second cannot, but a family and a dormitory share it.
 */
export interface DeviceMarks {
  client: string | null
  net: string | null
}

/** Helps of one record that may come from the network of another: a family counts, a drawer of SIMs does not. */
const MAX_HELPERS_PER_NETWORK = 1

type Caller = Pick<OpenCtx, 'encryption' | 'ip'>

/** The machine itself, its own network, or a proxy nobody has declared: it would make everybody the same device. */
const isInside = (ip: string) =>
  isIP(ip) === 0 || /^(::ffff:)?(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\.|^(::1$|f[cd]|fe80:)/i.test(ip)

const clientText = (client: string) => `client:${client}`
const netText = ({ ip }: Caller) => (isInside(ip) ? undefined : `net:${netOf(ip)}`)

export function marksOf(caller: Caller, client: string | undefined): DeviceMarks {
  const hash = (text: string | undefined) => (text ? caller.encryption.hashes(text)[0] : null)
  return { client: hash(client && clientText(client)), net: hash(netText(caller)) }
}

/**
 * What a help shares with whoever asked or helped already. The app's names tell devices apart where both sides have one;
 * the network where one is missing. Names alone would let one device help under many, so of all who share a network, the
 * owner included, one more may help.
 */
export function sharedWith(
  caller: Caller,
  client: string | undefined,
  known: readonly DeviceMarks[],
): 'DEVICE' | 'NETWORK' | undefined {
  const hashesOf = (text: string | undefined) => (text === undefined ? [] : caller.encryption.hashes(text))
  const [clients, nets] = [hashesOf(client && clientText(client)), hashesOf(netText(caller))]
  const isIn = (mark: string | null, hashes: readonly string[]) => mark !== null && hashes.includes(mark)
  if (known.some((k) => (client && k.client !== null ? isIn(k.client, clients) : isIn(k.net, nets)))) return 'DEVICE'
  return known.filter(({ net }) => isIn(net, nets)).length > MAX_HELPERS_PER_NETWORK ? 'NETWORK' : undefined
}
