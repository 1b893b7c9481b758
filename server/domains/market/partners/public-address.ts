/** Requests to addresses that others have given us reach public hosts only, not our own network. */
import { type LookupAddress, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Everything but public unicast: private, loopback, link-local (with the clouds' metadata), carrier-grade NAT, tunnels. */
const isPublic = (address: string): boolean => ipaddr.process(address).range() === 'unicast'

const refusal = () => new Error('拉取地址指向本机或内网，已拒绝')

/** Whether the host of a URL is written as an IP address that is not public. */
export function isPrivateAddress({ hostname }: URL): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) !== 0 && !isPublic(address)
}

/**
 * `lookup` for a request: resolves a name and refuses it if any of its addresses is not public. The connection uses the
 * address that was checked, so another answer of the DNS a moment later changes nothing.
 */
export const lookupPublic: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, (err, found: LookupAddress[]) => {
    const [first] = found ?? []
    if (err || !first) callback(err ?? new Error(`no address of ${hostname}`), '')
    else if (!found.every(({ address }) => isPublic(address))) callback(refusal(), '')
    else if (options.all) callback(null, found)
    else callback(null, first.address, first.family)
  })

/** @throws Error in words for staff */
export function requirePublicAddress(url: URL): void {
  if (isPrivateAddress(url)) throw refusal()
}
