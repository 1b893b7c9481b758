import { type Kysely, sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import type { Db } from '../../../db/database'
import {
  differencesFrom,
  type HeldSale,
  heldKeys,
  holdSales,
  insertSales,
  knownSales,
  type SaleRow,
  saleKey,
} from '../../../db/sales'
import type { DB } from '../../../db/tables'
import type { Model } from '../../../engine/types'
import { hasModel, type ModelRepository } from '../../models/repository'
import { expectedPriceOf } from '../expected-price'
import { roundedResidual, screenSale } from '../screening'

/**
 * Compares the rows of an import with the market: a price of a wrong unit or currency is refused with a reason, another
 * outlier is to be held. Only a model of real sales is applied to them: an import is how real sales replace generated
 * ones, whose prices may be wrong themselves.
 */
export function importScreen(db: Db, models: ModelRepository) {
  const found = new Map<string, Promise<Model | undefined>>()
  const realModel = async (config: FormConfig) => {
    if (!(await hasModel(db, config.gameId))) return undefined
    const active = await models.active(config, 0)
    return active?.synthetic ? undefined : active?.model
  }
  return async (sale: SaleRow, config: FormConfig): Promise<SaleRow | HeldSale | string> => {
    const reading = found.get(sale.gameId) ?? realModel(config)
    found.set(sale.gameId, reading)
    const model = await reading
    if (!model) return sale
    const expected = expectedPriceOf(model, sale)
    const screened = screenSale(expected)
    if (typeof screened === 'object') return screened.refused
    const compared = { ...sale, residual: roundedResidual(expected) }
    return screened === 'OUTLIER' ? { ...compared, reason: screened, marketFen: expected.marketFen } : compared
  }
}

/**
 * Stores a batch, and holds those to be held. Of rows with the same key the first counts, and what is stored already is
 * not changed; but what waits since an earlier run, or was refused at the desk, is replaced by a row that differs.
 * @param now ms: the start of the run
 * @param met keys of held sales that earlier batches of the run have met; those of this one are added
 */
export async function storeImported(
  db: Kysely<DB>,
  batch: readonly (SaleRow | HeldSale)[],
  now: number,
  met: Set<string>,
) {
  const rows = [...new Map(batch.toReversed().map((sale) => [saleKey(sale), sale])).values()].toReversed()
  return db.transaction().execute(async (tx) => {
    const first = rows.filter((sale) => !met.has(saleKey(sale)))
    await dropCorrected(tx, first, now)
    const known = await knownSales(tx, rows)
    const fresh = rows.filter((sale) => !known.has(saleKey(sale)))
    const isHeld = (sale: SaleRow | HeldSale): sale is HeldSale => 'reason' in sale
    const stored = fresh.filter((sale) => !isHeld(sale))
    const result = { added: await insertSales(tx, stored), held: await holdSales(tx, fresh.filter(isHeld), now) }
    for (const key of await heldKeys(tx, first)) met.add(key)
    const isAllNew = result.added + result.held === batch.length
    return { ...result, differences: isAllNew ? new Map<number, string>() : await differencesFrom(tx, batch) }
  })
}

/** Deletes what an earlier import held, and nobody accepted, where the row of the same key differs by now. */
const dropCorrected = (tx: Db, rows: readonly SaleRow[], now: number) =>
  sql`delete from held_sales h using jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as s("gameId" text, kind text, "priceFen" bigint, at bigint, source text, "externalId" text, attributes jsonb,
        "listedAt" bigint)
    where h.source = s.source and h.external_id = s."externalId" and h.channel = 'IMPORT'
      and h.decision is distinct from 'ACCEPTED' and h.held_at < ${now}
      and (h.game_id, h.kind, h.price_fen, h.at, h.attributes, h.listed_at)
        is distinct from (s."gameId", s.kind, s."priceFen", s.at, s.attributes, s."listedAt")`.execute(tx)
