import { type Selectable, sql } from 'kysely'
import type { OpenCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import type { Reports } from '../../../db/tables'
import { type Hide, hideable } from '../picture/content'
import { digestOf } from '../store'

/** SQL: whether the body is as it was made; the digest of earlier releases covers all of it. */
const isUnchanged = sql<boolean>`reports.digest in (${digestOf(sql`reports.body - 'changed'`)}, ${digestOf(sql`reports.body`)})`

/** The signed columns of a report. */
type Proven = Pick<Selectable<Reports>, 'report_no' | 'game_id' | 'predict_fen' | 'created_at' | 'digest'>

/** Hideable details that a picture shows. */
type Shown = readonly Hide[]

/**
 * The signed text: number, game, price in fen, time in ms, digest; for a picture also the details it shows, so that the
 * verification page reveals no more than those. Must never change: printed posters carry signatures.
 */
const provenText = ({ report_no, game_id, predict_fen, created_at, digest }: Proven, shown: Shown = []): string =>
  [
    ...['valuation-report-v1', report_no, game_id, predict_fen, created_at, digest],
    ...(shown.length > 0 ? [`shows ${shown.join()}`] : []),
  ].join('\n')

/**
 * Characters of the signature in an address: 132 bits, which nobody without the key can guess, and an address that a listing
 * can carry.
 */
const IN_ADDRESS = 22
/** characters of a whole signature */
const WHOLE = 86

/** At least so much of the signature that ends in a letter or digit: chats take a hyphen at the end out of an address. */
const startOf = (signature: string): string =>
  signature.match(new RegExp(`^.{${IN_ADDRESS - 1}}.*?[0-9A-Za-z]`))?.[0] ?? signature

/**
 * The Ed25519 signature over number, game, price, time and digest, and the address of the public verification page. The
 * address has the start of the signature, without which the page reveals nothing, so numbers cannot be probed.
 */
export function proofOf(
  { reportSigner, origin }: Pick<OpenCtx, 'reportSigner' | 'origin'>,
  report: Proven,
  shown?: Shown,
) {
  const signature = reportSigner.sign(provenText(report, shown))
  return { signature, verifyUrl: `${origin}/v/${report.report_no}?s=${startOf(signature)}` }
}

/** Whether a text from an address can be the start of a signature. */
export const isProof = (text: string): boolean =>
  /^[\w-]+$/.test(text) && text.length >= IN_ADDRESS && text.length <= WHOLE

/** All combinations of details that a signature may cover. */
const everyShown: readonly Shown[] = [[], ['NICK'], ['RANGE'], hideable]

type VerifiedReport = Proven &
  Pick<Selectable<Reports>, 'inputs' | 'body' | 'valid_until'> & { mode: 'AI' | 'MANUAL'; title: string }

/** Verification result for a number and signature. `INVALID`: not issued by us, or changed. */
export type VerificationResult =
  | { state: 'VALID' | 'EXPIRED'; report: VerifiedReport; shown: Shown }
  | { state: 'REVOKED' }
  | { state: 'INVALID' }

const nobody = { report_no: '', game_id: '', predict_fen: 0, created_at: 0, digest: '' }

/** Answer and timing are the same whether the number is unknown or the proof, the start of the signature, is wrong. */
export async function verifyReport(
  { db, reportSigner }: { db: Db; reportSigner: OpenCtx['reportSigner'] },
  reportNo: string,
  proof: string,
  now: number,
): Promise<VerificationResult> {
  const row = await db
    .selectFrom('reports')
    .innerJoin('orders', 'orders.id', 'reports.order_id')
    .select(['reports.report_no', 'reports.game_id', 'predict_fen', 'reports.created_at', 'digest', 'reports.status'])
    .select(['valid_until', 'inputs', 'body', 'orders.mode', 'orders.title', isUnchanged.as('unchanged')])
    .where('reports.report_no', '=', reportNo)
    .executeTakeFirst()
  const [proven] = everyShown.flatMap((shown) => {
    const text = provenText(row ?? nobody, shown)
    return reportSigner.complete(text, proof) ? [{ shown }] : []
  })
  if (!proven || !row) return { state: 'INVALID' }
  if (row.status === 'REVOKED') return { state: 'REVOKED' }
  // the stored report was modified
  if (!row.unchanged) return { state: 'INVALID' }
  return { state: row.valid_until > now ? 'VALID' : 'EXPIRED', report: row, ...proven }
}
