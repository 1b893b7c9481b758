/**
 * The signature of a call, shared by client and server. It guards against typing errors and bots in a hurry:
 * the secret ships in the bundle, so it proves nothing about who is calling.
 */
import { md5 } from 'js-md5'

/** A GET parameter; undefined and null are dropped, arrays and objects travel as JSON text. */
export type SignParams = Readonly<Record<string, unknown>>

/** Parameters as they are signed and, percent-encoded, sent: sorted by UTF-16 code unit, values as plain text. */
export function signedPairs(params: SignParams): [key: string, value: string][] {
  return Object.keys(params)
    .sort()
    .flatMap((key): [string, string][] => {
      const value = params[key]
      if (value === undefined || value === null) return []
      return [[key, typeof value === 'object' ? JSON.stringify(value) : String(value)]]
    })
}

/** The part of a GET that is signed: `key=value` joined by `&`, not percent-encoded. */
export function canonicalGet(params: SignParams): string {
  return signedPairs(params)
    .map(([key, value]) => `${key}=${value}`)
    .join('&')
}

/** The same pairs as a query string without `?`. */
export function toQuery(params: SignParams): string {
  return signedPairs(params)
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join('&')
}

export interface SignInput {
  /** `canonicalGet(params)` of a GET, the exact body text of a POST */
  canonical: string
  /** ms, as in the header */
  timestamp: string | number
  /** 6 digits, leading zeros kept */
  random: string
  secret: string
}

/** The text under the MD5. */
export function stringToSign({ canonical, timestamp, random, secret }: SignInput): string {
  return `${canonical}&timestamp=${timestamp}&random=${random}&secret=${secret}`
}

/** The `sign` header: lower-case hex MD5 of the UTF-8 text. */
export function sign(input: SignInput): string {
  return md5(stringToSign(input))
}
