import { hash, randomBytes, randomInt } from 'node:crypto'

/** Session token: 32 random bytes. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Random, unguessable id of 20 characters. */
export const newId = (): string => randomBytes(15).toString('base64url').replace(/[-_]/g, 'x')

/** `n` random decimal digits, with leading zeros. */
export const randomDigits = (n: number): string => String(randomInt(10 ** n)).padStart(n, '0')

const readable = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
/** `n` random characters that are easy to read out: no 0/O, 1/I. */
export const randomReadable = (n: number): string =>
  Array.from(randomBytes(n), (b) => readable[b % readable.length]).join('')

export const sha256 = (text: string): string => hash('sha256', text, 'hex')
