/** Sales of valued accounts that people report: compared with the market, then used or held for staff. */
import { type Selectable, sql } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import type { Deps } from '../../context'
import type { Db } from '../../db/database'
import type { HoldReason } from '../../db/sale-channels'
import { holdSales, insertSales, type SaleRow } from '../../db/sales'
import type { Sales } from '../../db/tables'
import { type ExpectedPrice, expectedPriceOf, modelInUse } from '../market/expected-price'
import { accountFingerprint } from '../market/fingerprint'
import { pricedAttributes } from '../market/import/sales'
import { allReporterHashesOf, reporterHashesOf } from '../market/reporter-hashes'
import { isOutlier } from '../market/screening'
import { recordWithdrawal } from '../models/withdrawn-sales'
import { newId } from '../shared/secrets'

export interface ScreenedSale {
  sale: SaleRow
  /** whose account it was */
  userId: string
  /** all hashes under which sales of that person are stored */
  reporters: readonly string[]
  expected: ExpectedPrice | undefined
}

interface ReportedSale {
  config: FormConfig
  /** of the report */
  answers: Answers
  /** whose account it was */
  userId: string
  sale: Pick<SaleRow, 'kind' | 'priceFen' | 'at' | 'listedAt' | 'source' | 'externalId' | 'channel'>
}

/**
 * Compares a sale with the market; undefined when the report has no answer that a price depends on. To be called before
 * the transaction, because loading a model may take a while.
 */
export async function screenReportedSale(
  { db, models, encryption }: Pick<Deps, 'db' | 'models' | 'encryption'>,
  { config, answers, userId, sale: reported }: ReportedSale,
): Promise<ScreenedSale | undefined> {
  const attributes: Answers | string = pricedAttributes(config, answers)
  if (typeof attributes === 'string') return undefined
  const model = await modelInUse(db, models, config)
  const expected = model && expectedPriceOf(model, { ...reported, attributes })
  const fingerprint = accountFingerprint(config, attributes)
  const sale: SaleRow = {
    ...{ ...reported, gameId: config.gameId, attributes },
    ...(await reporterHashesOf(db, encryption, userId)),
    ...(expected && { residual: expected.residual }),
    ...(fingerprint !== undefined && { fingerprint }),
  }
  return { sale, userId, reporters: await allReporterHashesOf(db, encryption, userId), expected }
}

/**
 * The sale, if the order still has a report with all answers that it was screened with: its owner may have deleted the
 * collected ones since. To be called under the lock of the owner, which that deletion takes too.
 */
export async function stillReported(
  tx: Db,
  orderId: string,
  screened: ScreenedSale | undefined,
): Promise<ScreenedSale | undefined> {
  if (!screened) return undefined
  const report = await tx
    .selectFrom('reports')
    .select('report_no')
    .where('order_id', '=', orderId)
    .where(sql<boolean>`inputs -> 'answers' ?& ${Object.keys(screened.sale.attributes)}::text[]`)
    .executeTakeFirst()
  return report && screened
}

interface Arrival {
  /** ms */
  now: number
  /** with a screenshot, for which staff give a coupon */
  isProven?: boolean
}

/** Why a reported sale needs review before it is used; undefined when it can be used at once. */
export function holdReasonOf({ expected }: ScreenedSale, isProven = false): HoldReason | undefined {
  if (expected && isOutlier(expected)) return 'OUTLIER'
  return isProven ? 'PROOF' : undefined
}

/** A sale that was among those that models learn from. */
export type RemovedSale = Pick<Selectable<Sales>, 'id' | 'kind' | 'game_id'>

/**
 * Removes a stored or waiting sale, because other facts replace it. A decided one stays in the history, under another id
 * and without the person.
 * @returns what it was among the sales, itself or as the one it corrected
 */
export async function removeSale(
  tx: Db,
  { source, externalId }: Pick<SaleRow, 'source' | 'externalId'>,
): Promise<RemovedSale | undefined> {
  const waiting = await tx
    .deleteFrom('held_sales')
    .where('source', '=', source)
    .where('external_id', '=', externalId)
    .where('decided_at', 'is', null)
    .returning(['sale_id', 'kind', 'game_id'])
    .executeTakeFirst()
  // after the deletion, which waits for a decision that is being made
  const decided = await tx
    .updateTable('held_sales')
    .set({ external_id: newId(), reporter: null, device: null })
    .where('source', '=', source)
    .where('external_id', '=', externalId)
    .returning(['sale_id', 'kind', 'game_id'])
    .executeTakeFirst()
  const held = waiting ?? decided
  const used = await tx
    .deleteFrom('sales')
    .where('source', '=', source)
    .where('external_id', '=', externalId)
    .returning(['id', 'kind', 'game_id'])
    .executeTakeFirst()
  return used ?? (held && held.sale_id !== null ? { ...held, id: held.sale_id } : undefined)
}

/**
 * Adds a sale to those that models learn from, or holds it for staff when it is in doubt.
 * @param screened undefined: nothing takes the place of the sale that is replaced
 * @param corrects the sale it replaces; if the kind is the same, the new one keeps its id, else models forget it
 */
export async function acceptOrHold(
  tx: Db,
  screened: ScreenedSale | undefined,
  { corrects, ...arrival }: Arrival & { corrects?: RemovedSale | undefined },
): Promise<'USED' | 'HELD' | 'NOTED'> {
  const isSameKind = corrects !== undefined && corrects.kind === screened?.sale.kind
  if (corrects && !isSameKind) await recordWithdrawal(tx, [corrects], arrival.now)
  if (!screened) return 'NOTED'
  const { expected } = screened
  const sale = { ...screened.sale, ...(isSameKind && { id: corrects.id }) }
  const reason = holdReasonOf(screened, arrival.isProven)
  if (reason === undefined) await insertSales(tx, [sale])
  else await holdSales(tx, [{ ...sale, reason, ...(expected && { marketFen: expected.marketFen }) }], arrival.now)
  return reason === undefined ? 'USED' : 'HELD'
}
