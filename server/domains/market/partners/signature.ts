import { createHmac } from 'node:crypto'
import { isEqualInConstantTime } from '../../../core/constant-time'

/** ms: maximum difference between a call's time and our clock */
export const TOLERANCE = 300_000

/** Hex HMAC-SHA256 of `time ⏎ body` over the exact bytes of the body. */
export const signBody = (secret: string, time: string, body: Uint8Array): string =>
  createHmac('sha256', secret).update(`${time}\n`).update(body).digest('hex')

/** Whether the time of a call is within `TOLERANCE` of `now` (ms). */
export const isRecent = (time: string, now: number): boolean =>
  /^\d{13}$/.test(time) && Math.abs(Number(time) - now) <= TOLERANCE

/** Compares in constant time. Replays are not detected: the same sales are `known`. */
export const isSignedBy = (secret: string, time: string, body: Uint8Array, signature: string): boolean =>
  isEqualInConstantTime(signature.toLowerCase(), signBody(secret, time, body))
