import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { SIGN_CLOCK_TOLERANCE, SIGN_RANDOM_DIGITS } from '@/contract/constants'
import { canonicalGet } from '@/contract/query'
import { stringToSign } from '@/contract/sign'

/** A query is decoded; a repeated key is an array. */
type SignedRequest = Pick<
  FastifyRequest<{ Querystring: Record<string, string | string[]> }>,
  'method' | 'headers' | 'query' | 'rawBody'
>

const digits = new RegExp(`^\\d{${SIGN_RANDOM_DIGITS}}$`)

/**
 * Whether the `sign` header matches the request and the clock. The secret ships in the client, so
 * a valid signature does not authenticate the caller.
 * @param now ms, the real time
 */
export function isSigned({ method, headers, query, rawBody }: SignedRequest, secret: string, now: number): boolean {
  const { timestamp, random, sign } = headers
  if (typeof timestamp !== 'string' || typeof random !== 'string' || typeof sign !== 'string') return false
  if (!/^\d{13}$/.test(timestamp) || !digits.test(random) || !/^[0-9a-f]{32}$/.test(sign)) return false
  if (Math.abs(now - Number(timestamp)) > SIGN_CLOCK_TOLERANCE) return false
  if (Object.values(query).some(Array.isArray)) return false
  // a POST signs its body only: a query beside it would be unsigned
  if (method !== 'GET' && Object.keys(query).length > 0) return false
  const canonical = method === 'GET' ? canonicalGet(query) : rawBody
  const expected = hash('md5', stringToSign({ canonical, timestamp, random, secret }), 'buffer')
  return timingSafeEqual(expected, Buffer.from(sign, 'hex'))
}
