import { timingSafeEqual } from 'node:crypto'

/** Whether a given secret or signature is the right one, compared in constant time. */
export function isEqualInConstantTime(given: string | Buffer, right: string | Buffer): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
