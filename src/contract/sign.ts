/**
 * The signature of a call, shared by client and server. It detects accidental misuse and simple bots: the secret is
 * part of the bundle, so it does not authenticate the caller.
 */
import { md5 } from 'js-md5'

export interface SignInput {
  /** `canonicalGet(params)` of a GET, the exact body text of a POST */
  canonical: string
  /** ms, as in the header */
  timestamp: string | number
  /** 6 digits, leading zeros kept */
  random: string
  secret: string
}

/** The text that is hashed. */
export function stringToSign({ canonical, timestamp, random, secret }: SignInput): string {
  return `${canonical}&timestamp=${timestamp}&random=${random}&secret=${secret}`
}

/** The `sign` header: lower-case hex MD5 of the UTF-8 text. */
export function sign(input: SignInput): string {
  return md5(stringToSign(input))
}
