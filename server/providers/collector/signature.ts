import { createHmac } from 'node:crypto'
import { isEqualInConstantTime } from '../../core/constant-time'

/** ms: maximum difference between a message's timestamp and our clock */
const TOLERANCE = 300_000

interface Message {
  method: string
  path: string
  /** exact text */
  body: string
  /** ms */
  timestamp: string
  nonce: string
}

/** HMAC-SHA256, hex, of `timestamp ⏎ nonce ⏎ METHOD ⏎ path ⏎ body`; the same in both directions. */
export const signMessage = (secret: string, { timestamp, nonce, method, path, body }: Message): string =>
  createHmac('sha256', secret).update([timestamp, nonce, method, path, body].join('\n')).digest('hex')

/** Whether the signature is valid and recent. Replays are not detected here: processing an event is idempotent. */
export function isFresh(secret: string, message: Message, signature: string, now: number): boolean {
  if (!isEqualInConstantTime(signature, signMessage(secret, message))) return false
  return message.nonce.length >= 8 && Math.abs(Number(message.timestamp) - now) <= TOLERANCE
}
