import { createHash, randomBytes, randomInt } from 'node:crypto'

/** 32 random bytes: a session token. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** An id nobody can guess or count, 20 characters. */
export const newId = (): string => randomBytes(15).toString('base64url').replace(/[-_]/g, 'x')

/** `n` decimal digits, leading zeros kept. */
export const randomDigits = (n: number): string => String(randomInt(10 ** n)).padStart(n, '0')

const readable = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
/** `n` characters people can read to each other: no 0/O, 1/I. */
export const randomReadable = (n: number): string =>
  Array.from(randomBytes(n), (b) => readable[b % readable.length]).join('')

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
