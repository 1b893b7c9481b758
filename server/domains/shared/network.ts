import { isIPv4, isIPv6 } from 'node:net'
import type { Encryption } from '../../core/encryption'

/**
 * Groups addresses by network for rate limits. A household or phone owns a whole /64 of IPv6 and can use a new address
 * for every request.
 */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip
  if (isIPv4(mapped) || !isIPv6(mapped)) return mapped
  const [head = '', tail] = (mapped.split('%')[0] ?? '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/**
 * Keyed hashes of a caller's network, the newest key's first: limits are counted by them, so that no table and no key
 * of a cache says where somebody was.
 */
export const networkHashesOf = ({ encryption, ip }: { encryption: Encryption; ip: string }): [string, ...string[]] =>
  encryption.hashes(`net:${networkOf(ip)}`)
