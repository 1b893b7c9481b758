import { createHmac, timingSafeEqual } from 'node:crypto'

/** ms a signed message may be old, or ahead of us */
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

/** HMAC-SHA256, hex, of `timestamp ⏎ nonce ⏎ METHOD ⏎ path ⏎ body`: the same for both directions. */
export const signMessage = (secret: string, { timestamp, nonce, method, path, body }: Message): string =>
  createHmac('sha256', secret).update([timestamp, nonce, method, path, body].join('\n')).digest('hex')

/** Whether somebody with the secret signed exactly this, just now. A repeat is no danger: news have an effect once. */
export function isFresh(secret: string, message: Message, signature: string, now: number): boolean {
  const [given, right] = [Buffer.from(signature), Buffer.from(signMessage(secret, message))]
  if (given.length !== right.length || !timingSafeEqual(given, right)) return false
  return message.nonce.length >= 8 && Math.abs(Number(message.timestamp) - now) <= TOLERANCE
}
