import { type Selectable, sql } from 'kysely'
import type { OpenCtx } from '../../context'
import type { Db } from '../../db/database'
import type { ReportsTable } from '../../db/tables'
import { type Hide, hidable } from './picture/facts'

/** What of a report is proven. */
type Proven = Pick<Selectable<ReportsTable>, 'report_no' | 'game_id' | 'predict_fen' | 'created_at' | 'digest'>

/** A stored report's content as the database writes it, hashed. */
const contentNow = sql<string>`encode(sha256(convert_to(reports.body::text, 'UTF8')), 'hex')`

/** What a picture shows of what its owner may leave out. */
type Shown = readonly Hide[]

/**
 * The signed text: number, game, price in fen, time in ms, content; of a picture also what it shows, so that the page
 * behind its code tells that much and no more. Never change it: printed posters carry signatures.
 */
const provenText = ({ report_no, game_id, predict_fen, created_at, digest }: Proven, shown: Shown = []): string =>
  [
    ...['valuation-report-v1', report_no, game_id, predict_fen, created_at, digest],
    ...(shown.length > 0 ? [`shows ${shown.join()}`] : []),
  ].join('\n')

/** Ed25519 over number, game, price, time and content. */
export const signatureOf = ({ reportSigner }: Pick<OpenCtx, 'reportSigner'>, report: Proven, shown?: Shown): string =>
  reportSigner.sign(provenText(report, shown))

/**
 * The public page that says whether a report is ours and unchanged; for the QR of a picture. The signature is in it:
 * without one the page tells nothing, so numbers cannot be tried out.
 */
export const verifyUrl = (ctx: Pick<OpenCtx, 'reportSigner' | 'origin'>, report: Proven, shown?: Shown): string =>
  `${ctx.origin}/v/${report.report_no}?s=${signatureOf(ctx, report, shown)}`

/** Everything a signature may say of what is shown. */
const everyShown: readonly Shown[] = [[], ['NICK'], ['RANGE'], hidable]

type Known = Proven &
  Pick<Selectable<ReportsTable>, 'inputs' | 'body' | 'valid_until'> & { mode: 'AI' | 'MANUAL'; title: string }

/** Where a report stands, for somebody who holds its number and signature. `INVALID`: not ours, or not like this. */
export type Verdict =
  | { state: 'VALID' | 'EXPIRED'; report: Known; shown: Shown; text: string }
  | { state: 'REVOKED' }
  | { state: 'INVALID' }

const nobody = { report_no: '', game_id: '', predict_fen: 0, created_at: 0, digest: '' }

/** The same answer, and the same work, whether a number is unknown or its signature wrong. */
export async function verdictOf(
  { db, reportSigner }: { db: Db; reportSigner: OpenCtx['reportSigner'] },
  reportNo: string,
  signature: string,
  now: number,
): Promise<Verdict> {
  const row = await db
    .selectFrom('reports')
    .innerJoin('orders', 'orders.id', 'reports.order_id')
    .select(['reports.report_no', 'reports.game_id', 'predict_fen', 'reports.created_at', 'digest', 'reports.status'])
    .select(['valid_until', 'inputs', 'body', 'orders.mode', 'orders.title', contentNow.as('content')])
    .where('reports.report_no', '=', reportNo)
    .executeTakeFirst()
  const [shown] = everyShown.filter((one) => reportSigner.verify(provenText(row ?? nobody, one), signature))
  if (!shown || !row) return { state: 'INVALID' }
  if (row.status === 'REVOKED') return { state: 'REVOKED' }
  // somebody changed the stored report
  if (row.content !== row.digest) return { state: 'INVALID' }
  return { state: row.valid_until > now ? 'VALID' : 'EXPIRED', report: row, shown, text: provenText(row, shown) }
}
