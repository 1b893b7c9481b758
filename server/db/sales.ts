import { type RawBuilder, sql } from 'kysely'
import type { Answers } from '@/contract/form/types'
import type { Db } from './database'
import type { HoldReason, SaleChannel } from './sale-channels'

/** Source of generated sales, reserved for the generator: reports disclose when a model was trained on them. */
export const SYNTHETIC = 'synthetic'
/** `source` of what owners report */
export const FOLLOW_UP_SOURCE = 'follow-up'
/** `source` of the prices of pasted listings */
export const LISTING_SOURCE = 'pasted-listing'
/** `source` of what staff record */
export const APPRAISER_SOURCE = 'appraiser'

export interface SaleRow {
  gameId: string
  kind: 'SOLD' | 'ASKING'
  priceFen: number
  /** ms */
  at: number
  source: string
  externalId: string
  attributes: Answers
  /** ms: when it was first listed; not after `at` */
  listedAt?: number
  /** default IMPORT */
  channel?: SaleChannel
  /** log of the price over the market's expectation on arrival; absent without a model */
  residual?: number
  /** the expected price in fen, for staff */
  marketFen?: number
  /** keyed hash of the person who reported it; removed when that person deletes the account */
  reporter?: string
  /** keyed hash of the device it was reported from; removed with the person */
  device?: string
}

export interface HeldSale extends SaleRow {
  reason: HoldReason
  /** more about the reason, for staff */
  detail?: string
}

const COLUMNS = sql`game_id, kind, price_fen, at, source, external_id, attributes, listed_at, channel, residual, reporter, device`
const VALUES = sql`"gameId", kind, "priceFen", at, source, "externalId", attributes, "listedAt", coalesce(channel, 'IMPORT'),
  residual, reporter, device`

/** Inserts a batch in one statement. A sale that exists already (`source + externalId`) is not changed. */
async function insert(db: Db, batch: readonly SaleRow[], into: RawBuilder<unknown>, values: RawBuilder<unknown>) {
  const { numAffectedRows } = await sql`
    insert into ${into} select ${values} from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb)
      as s("gameId" text, kind text, "priceFen" bigint, at bigint, source text, "externalId" text, attributes jsonb,
        "listedAt" bigint, channel text, residual real, reporter text, device text, reason text, detail text, "marketFen" bigint)
    on conflict (source, external_id) do nothing`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Stores a batch. Idempotent. @returns number of new sales */
export const insertSales = (db: Db, batch: readonly SaleRow[]): Promise<number> =>
  insert(db, batch, sql`sales (${COLUMNS})`, VALUES)

/** Stores sales that wait for a decision instead of joining the others. Idempotent. @returns how many are new */
const holdSales = (db: Db, batch: readonly HeldSale[], now: number): Promise<number> => {
  const into = sql`held_sales (${COLUMNS}, reason, detail, market_fen, held_at)`
  return insert(db, batch, into, sql`${VALUES}, reason, detail, "marketFen", ${now}::bigint`)
}

/** A sale after it was screened: one with a reason waits for staff. */
export type ScreenedSale = SaleRow | HeldSale

/** Stores sales, or holds them. @param now ms @returns how many of them are new */
export async function storeSales(db: Db, batch: readonly ScreenedSale[], now: number) {
  const isHeld = (sale: ScreenedSale): sale is HeldSale => 'reason' in sale
  const stored = batch.filter((sale) => !isHeld(sale))
  return { added: await insertSales(db, stored), held: await holdSales(db, batch.filter(isHeld), now) }
}

/** The sales that are stored or held already, by place in the batch: the fields in which they differ, '' for none. */
export async function knownSales(db: Db, batch: readonly SaleRow[]): Promise<Map<number, string>> {
  const given = batch.map((sale, i) => ({ ...sale, i }))
  const columns = sql`game_id, kind, price_fen, at, attributes, listed_at`
  const { rows } = await sql<{ i: number; fields: string }>`
    select k.i, concat_ws('、', case when t.game_id <> k."gameId" then 'gameId' end,
      case when t.kind <> k.kind then 'kind' end, case when t.price_fen <> k."priceFen" then 'priceFen' end,
      case when t.at <> k.at then 'at' end, case when t.attributes <> k.attributes then 'attributes' end,
      case when t.listed_at is distinct from k."listedAt" then 'listedAt' end) as fields
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as k(i int, "gameId" text, kind text, "priceFen" bigint,
        at bigint, source text, "externalId" text, attributes jsonb, "listedAt" bigint)
      cross join lateral (
        select ${columns} from sales where source = k.source and external_id = k."externalId"
        union all select ${columns} from held_sales where source = k.source and external_id = k."externalId" limit 1) t`.execute(
    db,
  )
  return new Map(rows.map(({ i, fields }) => [i, fields]))
}

/** Identity of a sale; neither part contains a line break. */
export const saleKey = ({ source, externalId }: Pick<SaleRow, 'source' | 'externalId'>): string =>
  `${source}\n${externalId}`
