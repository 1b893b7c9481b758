import { isIP } from 'node:net'
import type { OpenCtx } from '../../context'

/**
 * What tells a device from others, as keyed hashes: the app's own name for it, and address with browser. The first is the
 * device's word and can be made up; the second cannot, but a family and a dormitory share it.
 */
export interface DeviceMarks {
  client: string | null
  net: string | null
}

/** Helps of one record that may come from the address and browser of another: a family counts, a drawer of SIMs does not. */
const MOST_OF_ONE_HOME = 1

type Caller = Pick<OpenCtx, 'vault' | 'ip' | 'userAgent'>

/** The machine itself, or a proxy nobody has declared: it would make everybody the same device. */
const isLoopback = (ip: string) => isIP(ip) === 0 || /^(127\.|::1$|::ffff:127\.)/.test(ip)

const clientText = (client: string) => `client:${client}`
const netText = ({ ip, userAgent }: Caller) => (isLoopback(ip) ? undefined : `net:${ip} ${userAgent}`)

export function marksOf(caller: Caller, client: string | undefined): DeviceMarks {
  const hash = (text: string | undefined) => (text ? caller.vault.hashes(text)[0] : null)
  return { client: hash(client && clientText(client)), net: hash(netText(caller)) }
}

/**
 * Whether a help would come from a device that asked or helped already. The app's names decide where both sides have one;
 * address and browser where one is missing. Names alone would let one device help under many, so of all who share an
 * address and a browser, the owner included, one more may help.
 */
export function isKnownDevice(caller: Caller, client: string | undefined, known: readonly DeviceMarks[]): boolean {
  const hashesOf = (text: string | undefined) => (text === undefined ? [] : caller.vault.hashes(text))
  const [clients, nets] = [hashesOf(client && clientText(client)), hashesOf(netText(caller))]
  const isIn = (mark: string | null, hashes: readonly string[]) => mark !== null && hashes.includes(mark)
  const home = known.filter(({ net }) => isIn(net, nets))
  if (home.length > MOST_OF_ONE_HOME) return true
  return known.some((k) => (client && k.client !== null ? isIn(k.client, clients) : isIn(k.net, nets)))
}
