import { createPrivateKey, sign } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/database'
import { secretOf } from '../db/secret'
import type { Settings } from '../settings'
import { isEqualInConstantTime } from './constant-time'
import type { EncryptionKey } from './encryption'

/** Signatures that are kept: a report is read again and again, and signing takes a sixteenth of a read. */
const MAX_KEPT = 10_000

/** Ed25519: the first key signs, signatures of all keys are found, so that they stay valid after a rotation. */
export interface ReportSigner {
  /** 86 characters of base64url */
  sign(text: string): string
  /** The complete signature, of any key, that begins with these characters. */
  complete(text: string, start: string): string | undefined
}

/** PKCS #8 prefix of a bare Ed25519 seed (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

const privateKeyOf = ({ secret }: EncryptionKey) =>
  createPrivateKey({ key: Buffer.concat([PKCS8, secret]), format: 'der', type: 'pkcs8' })

export function createReportSigner([newest, ...older]: readonly [EncryptionKey, ...EncryptionKey[]]): ReportSigner {
  const first = privateKeyOf(newest)
  const kept = new LRUCache<string, string>({
    max: MAX_KEPT,
    memoMethod: (text) => sign(null, Buffer.from(text), first).toString('base64url'),
  })
  const ring = [first, ...older.map(privateKeyOf)]
  return {
    sign: (text) => kept.memo(text),
    complete: (text, start) =>
      ring
        .map((key) => sign(null, Buffer.from(text), key).toString('base64url'))
        // it must not reveal how much of a guess is right
        .find((signature) => isEqualInConstantTime(start, signature.slice(0, start.length))),
  }
}

/** Uses the configured keys; without any, one shared by all servers of this database. */
export async function openReportSigner({ reportKeys }: Pick<Settings, 'reportKeys'>, db: Db): Promise<ReportSigner> {
  if (reportKeys) return createReportSigner(reportKeys)
  return createReportSigner([{ id: 'db', secret: Buffer.from(await secretOf(db, 'report-key'), 'base64url') }])
}
