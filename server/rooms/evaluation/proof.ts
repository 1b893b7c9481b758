import { type Selectable, sql } from 'kysely'
import type { OpenCtx } from '../../context'
import type { Db } from '../../db/database'
import type { ReportsTable } from '../../db/tables'

/** What of a report is proven. */
type Proven = Pick<Selectable<ReportsTable>, 'report_no' | 'game_id' | 'predict_fen' | 'created_at' | 'digest'>

/** A stored report's content as the database writes it, hashed. */
const contentNow = sql<string>`encode(sha256(convert_to(reports.body::text, 'UTF8')), 'hex')`

/** The signed text: number, game, price in fen, time in ms, content. Never change it: printed posters carry signatures. */
export const provenText = ({ report_no, game_id, predict_fen, created_at, digest }: Proven): string =>
  ['valuation-report-v1', report_no, game_id, predict_fen, created_at, digest].join('\n')

/** Ed25519 over number, game, price, time and content. */
export const signatureOf = ({ signer }: Pick<OpenCtx, 'signer'>, report: Proven): string =>
  signer.sign(provenText(report))

/**
 * The public page that says whether a report is ours and unchanged; for the QR of a picture. The signature is in it:
 * without one the page tells nothing, so numbers cannot be tried out.
 */
export const verifyUrl = (ctx: Pick<OpenCtx, 'signer' | 'origin'>, report: Proven): string =>
  `${ctx.origin}/v/${report.report_no}?s=${signatureOf(ctx, report)}`

/** Where a report stands, for somebody who holds its number and signature. `INVALID`: not ours, or not like this. */
export type Verdict =
  | { state: 'VALID' | 'EXPIRED'; report: Proven & { mode: 'AI' | 'MANUAL'; valid_until: number }; text: string }
  | { state: 'REVOKED' }
  | { state: 'INVALID' }

const nobody = { report_no: '', game_id: '', predict_fen: 0, created_at: 0, digest: '' }

/** The same answer, and the same work, whether a number is unknown or its signature wrong. */
export async function verdictOf(
  { db, signer }: { db: Db; signer: OpenCtx['signer'] },
  reportNo: string,
  signature: string,
  now: number,
): Promise<Verdict> {
  const row = await db
    .selectFrom('reports')
    .innerJoin('orders', 'orders.id', 'reports.order_id')
    .select(['reports.report_no', 'reports.game_id', 'predict_fen', 'reports.created_at', 'digest', 'reports.status'])
    .select(['valid_until', 'orders.mode', contentNow.as('content')])
    .where('reports.report_no', '=', reportNo)
    .executeTakeFirst()
  const text = provenText(row ?? nobody)
  if (!signer.verify(text, signature) || !row) return { state: 'INVALID' }
  if (row.status === 'REVOKED') return { state: 'REVOKED' }
  // somebody changed the stored report
  if (row.content !== row.digest) return { state: 'INVALID' }
  return { state: row.valid_until > now ? 'VALID' : 'EXPIRED', report: row, text }
}
