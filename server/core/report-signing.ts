import { createPrivateKey, sign } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/database'
import { secretOf } from '../db/secret'
import { isEqualInConstantTime } from './constant-time'

/** Signatures that are kept: a report is read again and again, and signing takes a sixteenth of a read. */
const MAX_KEPT = 10_000
/** PKCS #8 prefix of a bare Ed25519 seed (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

export type ReportSigner = Awaited<ReturnType<typeof openReportSigner>>

/** Ed25519 by a key that all servers of a database share, which is generated on first use. */
export async function openReportSigner(db: Db) {
  const seed = Buffer.from(await secretOf(db, 'report-key'), 'base64url')
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  /** 86 characters of base64url */
  const signed = (text: string) => sign(null, Buffer.from(text), key).toString('base64url')
  const kept = new LRUCache<string, string>({ max: MAX_KEPT, memoMethod: signed })
  return {
    sign: (text: string): string => kept.memo(text),
    /** The complete signature, if it begins with these characters. */
    complete(text: string, start: string): string | undefined {
      // neither the signature nor its time may reveal how much of a guess is right
      const signature = signed(text)
      return isEqualInConstantTime(start, signature.slice(0, start.length)) ? signature : undefined
    },
  }
}
